import { describe, expect, it, vi } from 'vitest'
import { skillEntry } from '../../../../src/renderer/palette/palette-entries'
import type { EntryRuns } from '../../../../src/renderer/palette/palette-entries'
import { makeSkill } from '../skills/skills'

const runs = (more: Partial<EntryRuns> = {}): EntryRuns => ({
  openSkill: vi.fn(),
  addSkill: vi.fn(),
  revealSkill: vi.fn(),
  openChat: vi.fn(),
  review: vi.fn(),
  ...more,
})

describe('a skill', () => {
  it('opens first, and is added to the chat by a key of its own', () => {
    const given = runs()
    const skill = makeSkill('pdf', { tokens: { catalogue: 1, body: 3180, files: 0 } })
    const { actions, where } = skillEntry(skill, given)
    expect(where).toBe('Personal, 3,180 tokens')
    expect(actions.map(({ label, keys }) => [label, keys])).toEqual([
      ['Open', undefined],
      ['Add to this chat', 'Alt+Enter'],
      ['Show in folder', undefined],
    ])
    actions[1]?.run()
    expect(given.addSkill).toHaveBeenCalledWith(skill)
  })

  it('can’t be added where no chat is open, nor where another copy is used', () => {
    const labels = (entry: ReturnType<typeof skillEntry>) => entry.actions.map(({ label }) => label)
    expect(labels(skillEntry(makeSkill('pdf'), runs({ addSkill: null })))).not.toContain('Add to this chat')
    const shadowed = skillEntry(makeSkill('pdf', { status: 'shadowed', shadowedBy: 'project' }), runs())
    expect(labels(shadowed)).not.toContain('Add to this chat')
    expect(shadowed).toMatchObject({ dimmed: true, where: 'Personal, shadowed by Project' })
  })
})

import { afterEach, describe, expect, test } from 'vitest'
import { DisclosureStyle } from '@shared/domain/settings'
import type { HistoryEntry } from '../../../../../src/main/llm/types'
import { skillAsSeen } from '../../../../../src/main/sessions/instructions/skill-view'
import { shownSkill } from '../../../../../src/main/app/skill-page/as-seen'
import { createKit, type Kit } from '../kit'

const BODY = '# Jam\nRun `scripts/boil.sh` in {baseDir}, not $ARGUMENTS. </skill> "quoted"\n\nüñí'
const SKILL = {
  'SKILL.md': `---\nname: jam\ndescription: Boils <jam> & more.\nrequires: [sugar]\n---\n${BODY}\n`,
  'scripts/boil.sh': 'echo boiled\n',
}

/** How each style's model asks for the skill. */
const LOADS: Record<DisclosureStyle, { name: string; input: Record<string, unknown> }> = {
  runtime: { name: 'skills_load', input: { names: ['jam'] } },
  compact: { name: 'skills_load', input: { names: ['jam'] } },
  'get-skill': { name: 'get_skill', input: { skillName: 'jam' } },
  'read-skill': { name: 'read_skill', input: { skill_id: 'jam' } },
  'agent-skill-read': { name: 'agent_skill_read', input: { name: 'jam' } },
  'skill-tool': { name: 'Skill', input: { skill: 'jam' } },
}

let kit: Kit | undefined
afterEach(() => kit?.remove())

const resultsIn = (history: readonly HistoryEntry[]) =>
  history.flatMap((entry) => (entry.role === 'tool' ? entry.results.map(({ value }) => value) : []))

/** Both sides of an envelope without what differs from call to call. */
const steady = (text: string) => text.replace(/"(duration_ms|tokens_used)":[\d.]+/g, '"$1":0')

async function loadedIn(style: DisclosureStyle) {
  kit = await createKit({
    skills: { jam: SKILL },
    settings: { defaultStyle: style },
    answers: [{ calls: [LOADS[style]] }, { text: 'Loaded.' }],
  })
  const record = kit.deps.registry.all().find(({ name }) => name === 'jam')!
  const view = skillAsSeen(await shownSkill(kit.deps, record), style)
  await kit.say(kit.chat(), 'Boil jam.')
  return { view, first: kit.asked[0]!, second: kit.asked[1]! }
}

describe('what the page says an agent sees', () => {
  test.each(DisclosureStyle.options)('is the list of a real call, to the letter, in %s', async (style) => {
    const { view, first } = await loadedIn(style)
    const tool = first.tools.find(({ name }) => name === view.listIn)
    expect(view.listIn === null ? first.instructions[0] : tool?.description).toContain(view.list)
    if (style !== 'compact') expect(view.list).toContain('jam')
    expect(view.entryTokens > 0).toBe(style !== 'compact')
  })

  test.each(DisclosureStyle.options)('is the text of a loaded skill, to the letter, in %s', async (style) => {
    const { view, second } = await loadedIn(style)
    const { text, tool } = view.loaded
    expect(text).toContain('/.sandbox/skills/jam')
    if (tool === null) expect(second.instructions[1]).toContain(text)
    else
      expect(resultsIn(second.history).map((value) => steady(JSON.stringify(value)))).toContain(steady(text))
  })
})

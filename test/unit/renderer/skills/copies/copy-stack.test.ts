import { describe, expect, it } from 'vitest'
import type { SkillSummary } from '@shared/domain/skill'
import { canUse, copyReason } from '../../../../../src/renderer/skills/copies/copy-stack'
import type { Copy } from '../../../../../src/renderer/skills/copies/copy-stack'
import { makeSkill } from '../skills'

function copyOf(part: Partial<SkillSummary>): Copy {
  const row = makeSkill('forms', part)
  return { key: row.key, scope: row.scope, location: row.location, used: row.status === 'effective', row }
}

const used = copyOf({})
const shadowed = copyOf({ scope: 'project', status: 'shadowed' })

describe('canUse', () => {
  it('offers a shadowed copy', () => {
    expect(canUse(shadowed, [used, shadowed])).toBe(true)
  })

  it.each<[string, Copy]>([
    ['the used one', used],
    ['one that won’t load', copyOf({ status: 'broken' })],
    ['one that is not trusted', copyOf({ status: 'not-trusted' })],
    ['one that is off', copyOf({ status: 'off' })],
  ])('does not offer %s', (_name, copy) => {
    expect(canUse(copy, [used, copy])).toBe(false)
  })

  it('offers none where the organisation’s copy is used', () => {
    expect(canUse(shadowed, [copyOf({ scope: 'enterprise' }), shadowed])).toBe(false)
  })
})

describe('copyReason', () => {
  const effective = { status: 'effective', statusReason: '' } as const

  it('says that there is only one', () => {
    expect(copyReason(effective, [used])).toBe('There is only this copy.')
  })

  it('says what decided between it and the next, without the place that stands above it', () => {
    const next = copyOf({
      scope: 'project',
      status: 'shadowed',
      statusReason: `The Personal copy is used, because Personal comes before Project: ${used.location}`,
    })
    expect(copyReason(effective, [used, next])).toBe(
      'The Personal copy is used, because Personal comes before Project.',
    )
  })

  it('says that no other can be used', () => {
    const broken = copyOf({ scope: 'project', status: 'broken' })
    expect(copyReason(effective, [used, broken])).toBe(
      'The Personal copy is used: no other can be used here.',
    )
  })

  it('says that the person chose it, and for what', () => {
    const chosen = copyOf({ scope: 'project', pinned: true })
    expect(copyReason(effective, [chosen, shadowed], 'northwind')).toBe(
      'You chose the Project copy for northwind.',
    )
  })

  it('gives the reason of the skill where no copy is used', () => {
    const off = copyOf({ status: 'off' })
    expect(copyReason({ status: 'off', statusReason: 'You turned it off everywhere.' }, [off])).toBe(
      'You turned it off everywhere.',
    )
  })
})

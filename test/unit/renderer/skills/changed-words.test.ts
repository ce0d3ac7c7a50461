import { expect, it } from 'vitest'
import { changedWords } from '../../../../src/renderer/skills/list/grid-row'

const NOW = Date.UTC(2026, 0, 2, 12)

it('of a skill whose time of change is not known no day is told', () => {
  expect(changedWords({ scope: 'personal', changedAt: 0 }, NOW)).toBe('—')
  expect(changedWords({ scope: 'personal', changedAt: NOW - 3_600_000 }, NOW)).toBe('1 h')
})

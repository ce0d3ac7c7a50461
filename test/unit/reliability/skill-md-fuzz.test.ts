import { expect, test } from 'vitest'
import { frontmatterFuzz, skillMdFuzz } from '../../helpers/skill-md-fuzz'

test(
  '250 damaged SKILL.md files are read without an error, and never hide a good skill',
  { timeout: 300_000 },
  async () => {
    const report = await skillMdFuzz({ texts: 250, seed: 20_261_121 })
    expect(report.faults).toEqual([])
    expect(report.scans).toBe(1)
    // Both kinds came up.
    expect(report.broken).toBeGreaterThan(25)
    expect(report.usable).toBeGreaterThan(25)
  },
)

test('200 damaged frontmatters are read, edited and repaired without an error or growth of memory', () => {
  const report = frontmatterFuzz(20_261_121, (texts) => texts >= 200)
  expect(report.faults).toEqual([])
  expect(report.growth).toBeLessThan(5_000_000)
  expect(report.edits).toBeGreaterThan(30)
})

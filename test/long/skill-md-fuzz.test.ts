import { expect, test } from 'vitest'
import { frontmatterFuzz, skillMdFuzz } from '../helpers/skill-md-fuzz'

test(
  '50,000 damaged SKILL.md files are read without an error, and never hide a good skill',
  { timeout: 1_200_000 },
  async () => {
    const report = await skillMdFuzz({ texts: 50_000, seed: 4 })
    console.log(JSON.stringify(report))
    expect(report.faults).toEqual([])
    expect(report.texts).toBe(50_000)
    expect(report.broken).toBeGreaterThan(5000)
    expect(report.usable).toBeGreaterThan(5000)
  },
)

test(
  '60 seconds of damaged frontmatter: no crash, nothing over 500 ms, no growth of memory',
  { timeout: 300_000 },
  () => {
    const end = performance.now() + 60_000
    const report = frontmatterFuzz(7, () => performance.now() > end)
    console.log(JSON.stringify(report))
    expect(report.faults).toEqual([])
    expect(report.slowestMs).toBeLessThan(500)
    expect(report.growth).toBeLessThan(5_000_000)
    for (const count of [report.fast, report.full, report.repaired, report.broken, report.edits])
      expect(count).toBeGreaterThan(report.texts / 50)
  },
)

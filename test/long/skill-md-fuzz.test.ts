import { expect, test } from 'vitest'
import { skillMdFuzz } from '../helpers/skill-md-fuzz'

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

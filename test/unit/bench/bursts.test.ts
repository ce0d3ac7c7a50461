import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { applyBurst, BURSTS, expectAfter, namesFor } from '../../../bench/lib/bursts'
import type { Expected } from '../../../bench/lib/bursts'
import { writeTree } from '../../../bench/lib/tree'

const dirs: string[] = []
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true })
})

describe('the bursts', () => {
  it('leave on disk exactly what must be found after them', () => {
    const dir = mkdtempSync(join(tmpdir(), 'satchel-bench-bursts-'))
    dirs.push(dir)
    const expected: Expected = new Map(
      writeTree(dir, 30, 5).map((skill) => [skill.folder, skill.description]),
    )
    for (const [burst, times] of BURSTS) {
      const names = namesFor(burst, Math.min(times, 12), expected)
      expect(names).toHaveLength(12)
      expectAfter(expected, applyBurst(dir, burst, names))
      expect(readdirSync(dir).sort()).toEqual([...expected.keys()].sort())
    }
    for (const [folder, description] of expected) {
      const text = readFileSync(join(dir, folder, 'SKILL.md'), 'utf8')
      if (/^(?:renames|edits after rename) \d+$/.test(description)) expect(text).toContain(description)
    }
    expect([...expected.keys()].filter((name) => name.endsWith('-renamed'))).toHaveLength(12)
  })

  it('rename the whole folder and not only its SKILL.md', () => {
    const dir = mkdtempSync(join(tmpdir(), 'satchel-bench-bursts-'))
    dirs.push(dir)
    const [skill] = writeTree(dir, 1, 5)
    const changes = applyBurst(dir, 'renames', [skill!.folder])
    expect(changes).toEqual([
      [skill!.folder, ''],
      [`${skill!.folder}-renamed`, 'renames 0'],
    ])
    expect(existsSync(join(dir, skill!.folder))).toBe(false)
  })
})

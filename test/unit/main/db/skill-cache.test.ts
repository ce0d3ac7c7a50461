import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRebuildable } from '../../../../src/main/db/open'
import { openSkillCache } from '../../../../src/main/db/skill-cache'

const rows = [
  { path: '/a/SKILL.md', facts: '[1]' },
  { path: '/b/SKILL.md', facts: '[2]' },
]

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-test-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** What a second start finds in the file. */
function loaded(file: string) {
  const cache = openSkillCache(file)
  try {
    return cache.load()
  } finally {
    cache.close()
  }
}

function save(file: string, changes: { put?: typeof rows; remove?: string[] }) {
  const cache = openSkillCache(file)
  cache.save({ put: changes.put ?? [], remove: changes.remove ?? [] })
  cache.close()
}

describe('what is kept of skills between two starts', () => {
  it('is there at the next start, with what was replaced and without what was removed', () => {
    const file = join(dir, 'scan.db')
    save(file, { put: rows })
    save(file, { put: [{ path: '/a/SKILL.md', facts: '[3]' }], remove: ['/b/SKILL.md'] })
    expect(loaded(file)).toEqual([['/a/SKILL.md', '[3]']])
  })

  it('is thrown away when an older version of another shape wrote it', () => {
    const file = join(dir, 'scan.db')
    const old = openRebuildable(file, 'CREATE TABLE scan (path TEXT PRIMARY KEY, stamp TEXT, facts TEXT)')
    old.exec("INSERT INTO scan VALUES ('/old/SKILL.md', '[]', '{}')")
    old.pragma('user_version = 1')
    old.close()
    expect(loaded(file)).toEqual([])
    save(file, { put: rows })
    expect(loaded(file)).toHaveLength(2)
  })

  it('is thrown away when the file is damaged', () => {
    const file = join(dir, 'scan.db')
    writeFileSync(file, 'no database at all, but long enough to be taken for one'.repeat(100))
    expect(loaded(file)).toEqual([])
    save(file, { put: rows })
    expect(loaded(file)).toHaveLength(2)
  })

  it('is nothing without a file', () => {
    const cache = openSkillCache(null)
    cache.save({ put: rows, remove: [] })
    expect(cache.load()).toEqual([])
    cache.close()
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAudit } from '../../../../../src/main/audit/audit'
import { queryAudit } from '../../../../../src/main/db/audit-rows'
import { openDb, type Db } from '../../../../../src/main/db/open'
import { recordSkills } from '../../../../../src/main/app/skills/record-changes'
import type { SkillRecord } from '../../../../../src/main/skills/record'

let dir: string
let db: Db

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-seen-'))
  db = openDb(join(dir, 'satchel.db'))
})
afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true })
})

const skill = (key: string, stamp = '1', name = key.split('/').at(-1) ?? key) =>
  ({ key, name, stamp }) as SkillRecord

/** What is on record after the disk looked like that. */
function look(...skills: SkillRecord[]): string[] {
  const before = queryAudit(db.sql, { limit: 500 }).length
  recordSkills({ db, audit: createAudit({ db, now: () => 1 }), all: () => skills })
  return queryAudit(db.sql, { limit: 500 })
    .slice(0, queryAudit(db.sql, { limit: 500 }).length - before)
    .map(({ action, target }) => `${action} ${target}`)
    .toReversed()
}

describe('skills on disk', () => {
  test('that were there at the very first look are no news', () => {
    expect(look(skill('personal:/a/pdf'), skill('personal:/a/ocr'))).toEqual([])
  })

  test('that came, changed and went since the last look are on record, once', () => {
    look(skill('personal:/a/pdf'), skill('personal:/a/ocr'), skill('personal:/a/old'))
    const now = [skill('personal:/a/pdf', '2'), skill('personal:/a/ocr'), skill('personal:/a/new')]
    expect(look(...now)).toEqual(['skill.installed new', 'skill.edited pdf', 'skill.deleted old'])
    expect(look(...now)).toEqual([])
  })

  test('that lie elsewhere now were moved', () => {
    look(skill('personal:/a/pdf'))
    expect(look(skill('project:/b/pdf'))).toEqual(['skill.moved pdf'])
  })

  test('of which very many came are told by their number', () => {
    look(skill('personal:/a/pdf'))
    const many = Array.from({ length: 300 }, (_, n) => skill(`personal:/a/s${n}`))
    const told = look(skill('personal:/a/pdf'), ...many)
    expect([told.length, told.at(-1)]).toEqual([201, 'skill.installed 100 more skills'])
  })
})

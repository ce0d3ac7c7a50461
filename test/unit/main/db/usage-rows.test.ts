import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDb, type Db } from '../../../../src/main/db/open'
import { countCall, listUsage, settleCall, uncountCall } from '../../../../src/main/db/usage-rows'

function openTwice(): [Db, Db] {
  const dir = mkdtempSync(join(tmpdir(), 'satchel-usage-'))
  const dbs: [Db, Db] = [openDb(join(dir, 'a.db')), openDb(join(dir, 'a.db'))]
  onTestFinished(() => {
    for (const db of dbs) db.close()
    rmSync(dir, { recursive: true, force: true })
  })
  return dbs
}

const call = (id: string) => ({ id, sessionId: 's', model: 'a/m', inputTokens: 100, at: 1 })
const COUNTED = { outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, estimated: false }
const sums = ({ sql }: Db) =>
  listUsage(sql, { sessionId: 's' }).map(({ calls, estimated, usage: { inputTokens } }) => [
    calls,
    estimated,
    inputTokens,
  ])

test('every count, settlement and removal is in the next sum, also those of another program', () => {
  const [here, there] = openTwice()
  expect(sums(here)).toEqual([])
  countCall(here.sql, call('one'))
  expect(sums(here)).toEqual([[1, 1, 100]])
  settleCall(here.sql, 'one', { ...COUNTED, inputTokens: 70 })
  expect(sums(here)).toEqual([[1, 0, 70]])
  there.durable(() => countCall(there.sql, call('two')))
  expect(sums(here)).toEqual([[2, 1, 170]])
  uncountCall(here.sql, 'two')
  expect(sums(here)).toEqual([[1, 0, 70]])
})

test('what was taken back is in no sum', () => {
  const [here] = openTwice()
  expect(() =>
    here.durable(() => {
      countCall(here.sql, call('one'))
      expect(sums(here)).toEqual([[1, 1, 100]])
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(sums(here)).toEqual([])
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { moveLeaf } from '../../../../src/main/db/branch-rows'
import {
  allMessages,
  insertMessage,
  listMessages,
  messagesOf,
  updateMessage,
  type MessageRow,
} from '../../../../src/main/db/message-rows'
import { openDb, type Db } from '../../../../src/main/db/open'
import { insertSession } from '../../../../src/main/db/session-rows'

let dir: string
let db: Db

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-rows-'))
  db = openDb(join(dir, 'a.db'))
  insertSession(db.sql, {
    id: 'ses_1',
    title: 'New chat',
    projectDir: null,
    model: 'practice/scripted',
    state: 'idle',
    activeSkills: [],
    agentModels: [],
    draft: '',
    createdAt: 1,
    updatedAt: 1,
    agent: 'general',
    agentScope: 'bundled',
    agentDigest: '',
  })
  insertMessage(db.sql, said('msg_1', 1))
  insertMessage(db.sql, said('msg_2', 2))
})
afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

function said(id: string, seq: number, text = id): MessageRow {
  return {
    id,
    sessionId: 'ses_1',
    seq,
    role: 'user',
    status: 'done',
    parts: [{ type: 'text', text }],
    usage: null,
    model: null,
    createdAt: seq,
    providerMessages: null,
  }
}

const texts = () =>
  listMessages(db.sql, 'ses_1').map(({ parts }) =>
    parts.map((part) => ('text' in part ? part.text : '')).join(''),
  )

test('a chat in which nothing was written is the same list of the same rows', () => {
  const before = listMessages(db.sql, 'ses_1')
  expect(before).toHaveLength(2)
  expect(listMessages(db.sql, 'ses_1')).toBe(before)
})

test('only the row that was written is read again, whatever statement wrote it', () => {
  const [first, second] = listMessages(db.sql, 'ses_1')
  db.sql.exec(`UPDATE messages SET parts = '[{"type":"text","text":"other"}]' WHERE id = 'msg_2'`)
  const now = listMessages(db.sql, 'ses_1')
  expect(now[0]).toBe(first)
  expect(now[1]).not.toBe(second)
  expect(texts()).toEqual(['msg_1', 'other'])
})

test('what a transaction wrote and took back is not remembered', () => {
  texts()
  const failing = () =>
    db.tx(() => {
      updateMessage(db.sql, said('msg_2', 2, 'taken back'))
      expect(texts()).toEqual(['msg_1', 'taken back'])
      throw new Error('no')
    })
  expect(failing).toThrow('no')
  expect(texts()).toEqual(['msg_1', 'msg_2'])
  updateMessage(db.sql, said('msg_2', 2, 'kept'))
  expect(texts()).toEqual(['msg_1', 'kept'])
})

test('what another program wrote is seen', () => {
  texts()
  const other = openDb(join(dir, 'a.db'))
  updateMessage(other.sql, said('msg_1', 1, 'elsewhere'))
  insertMessage(other.sql, said('msg_3', 3))
  other.close()
  expect(texts()).toEqual(['elsewhere', 'msg_2', 'msg_3'])
})

test('rows that went with their chat are gone', () => {
  texts()
  db.sql.exec(`DELETE FROM sessions WHERE id = 'ses_1'`)
  expect(texts()).toEqual([])
})

test('a chat is read anew after more writes than are noted', () => {
  texts()
  updateMessage(db.sql, said('msg_1', 1, 'written'))
  db.tx(() => {
    for (let at = 0; at < 10_001; at++)
      db.sql.exec(`UPDATE messages SET created_at = ${at} WHERE id = 'msg_2'`)
  })
  expect(texts()).toEqual(['written', 'msg_2'])
  updateMessage(db.sql, said('msg_2', 2, 'later'))
  expect(texts()).toEqual(['written', 'later'])
})

const Step = fc.oneof(
  fc.record({ do: fc.constant('say' as const), queued: fc.boolean() }),
  fc.record({ do: fc.constantFrom('rewrite' as const, 'remove' as const, 'spoil' as const), at: fc.nat() }),
  fc.record({ do: fc.constant('move' as const), at: fc.nat(), seq: fc.integer({ min: 0, max: 30 }) }),
  fc.record({ do: fc.constant('branch' as const), at: fc.nat() }),
)

type Written = typeof Step extends fc.Arbitrary<infer T> ? T : never

test('whatever is written, a chat is what one who reads it for the first time finds', () => {
  const ids = () => db.sql.prepare('SELECT id FROM messages ORDER BY seq').pluck().all() as string[]
  let seq = 100
  const write = (step: Written) => {
    const id = 'at' in step ? (ids()[step.at % Math.max(1, ids().length)] ?? '') : ''
    if (step.do === 'say') {
      seq += 1
      const row = said(`msg_${seq}`, seq)
      insertMessage(db.sql, step.queued ? { ...row, status: 'queued' } : row)
    } else if (step.do === 'branch') moveLeaf(db.sql, 'ses_1', id)
    else if (step.do === 'remove') db.sql.prepare('DELETE FROM messages WHERE id = ?').run(id)
    else if (step.do === 'spoil') db.sql.prepare(`UPDATE messages SET role = 'x' WHERE id = ?`).run(id)
    else if (step.do === 'move') db.sql.prepare('UPDATE messages SET seq = ? WHERE id = ?').run(step.seq, id)
    else
      db.sql
        .prepare('UPDATE messages SET parts = ? WHERE id = ?')
        .run(`[{"type":"text","text":"${seq}"}]`, id)
  }
  fc.assert(
    fc.property(fc.array(Step, { maxLength: 12 }), (steps) => {
      for (const step of steps) {
        try {
          write(step)
        } catch (error) {
          // Two messages in one place, or one that others follow, are refused.
          if (!String((error as { code?: unknown }).code).startsWith('SQLITE_CONSTRAINT')) throw error
        }
        const other = new Database(join(dir, 'a.db'))
        expect(listMessages(db.sql, 'ses_1')).toEqual(listMessages(other, 'ses_1'))
        other.close()
      }
    }),
    { numRuns: 40 },
  )
})

test('a chat that is read in steps is remembered with what was written meanwhile', async () => {
  for (let seq = 3; seq <= 700; seq += 1) insertMessage(db.sql, said(`msg_${seq}`, seq))
  const other = openDb(join(dir, 'a.db'))
  expect(messagesOf.isRead(db.sql, 'ses_1')).toBe(false)
  const reading = messagesOf.read(db.sql, 'ses_1')
  await setImmediate()
  updateMessage(db.sql, said('msg_2', 2, 'changed'))
  updateMessage(db.sql, said('msg_1', 701))
  insertMessage(db.sql, said('msg_702', 702))
  await reading
  expect(messagesOf.isRead(db.sql, 'ses_1')).toBe(true)
  expect(allMessages(db.sql, 'ses_1')).toEqual(allMessages(other.sql, 'ses_1'))
  other.close()
})

test('what another connection writes while a chat is read leaves nothing remembered', async () => {
  const other = openDb(join(dir, 'a.db'))
  const reading = messagesOf.read(db.sql, 'ses_1')
  updateMessage(other.sql, said('msg_2', 2, 'changed'))
  await reading
  expect(messagesOf.isRead(db.sql, 'ses_1')).toBe(false)
  other.close()
})

test('data that is closed while a chat is read ends the reading', async () => {
  const passing = openDb(join(dir, 'a.db'))
  const reading = messagesOf.read(passing.sql, 'ses_1')
  passing.close()
  await expect(reading).resolves.toBeUndefined()
})

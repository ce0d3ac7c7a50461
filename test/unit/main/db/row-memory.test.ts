import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  insertMessage,
  listMessages,
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

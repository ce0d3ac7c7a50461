import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AppEvent } from '@shared/events'
import { SCHEMA_VERSION } from '../../../src/main/db/migrate'
import { startProgram } from '../../helpers/shared-data'
import { createTestApp, listSkills, watchChat, writeFiles, type TestApp } from '../../helpers/app'

const JAM = { 'SKILL.md': '---\nname: jam\ndescription: Boils jam.\n---\nBoil.\n' }
const HELLO = { name: 'hello', match: '^hello', steps: [{ text: 'Good day.' }] }

let window: TestApp
let command: TestApp

beforeEach(async () => {
  window = await createTestApp({ skills: { jam: JAM }, scenarios: [HELLO], deps: { ownsData: true } })
  command = await createTestApp({ home: window.home })
})
afterEach(async () => {
  await command.stop()
  expect([...window.errors, ...command.errors]).toEqual([])
  await window.remove()
})

/** Waits for an event that was not there yet; the guard is against hanging. */
async function told(app: TestApp, kind: AppEvent['t'], change: () => unknown): Promise<void> {
  const before = app.events.length
  await change()
  await vi.waitFor(() => expect(app.events.slice(before).map(({ t }) => t)).toContain(kind), {
    timeout: 10_000,
  })
}

const newChat = (app: TestApp) => app.app.handlers['sessions.create']({ projectDir: null })

describe('a window and a command on the same data', () => {
  test('tell each other of chats, titles, settings and projects', async () => {
    const dir = window.project('kitchen')
    const other: [TestApp, TestApp][] = [
      [window, command],
      [command, window],
    ]
    for (const [one, two] of other) {
      const { handlers } = one.app
      await told(two, 'sessions.changed', () => newChat(one))
      await told(two, 'settings.changed', () =>
        handlers['settings.set']({ maxActiveSkills: one === window ? 3 : 4 }),
      )
      await told(two, 'projects.changed', () => handlers['projects.open']({ dir }))
      await told(two, 'projects.changed', () => handlers['projects.trust']({ dir, trusted: one === window }))
      expect(await two.app.handlers['projects.list']({})).toMatchObject([{ dir, trusted: one === window }])
    }
    expect((await window.app.handlers['audit.verify']({})).firstBad).toBeNull()
  })

  test('an entry that another program writes is told to who looks at the record', async () => {
    const program = await startProgram({ home: window.home, seed: 4711, role: 'append', count: 1 })
    await program.until('open', ({ t }) => t === 'open')
    await told(window, 'audit.changed', () => writeFileSync(join(window.home, 'go'), ''))
    await program.until('done', ({ t }) => t === 'done')
    const [newest] = await window.app.handlers['audit.query']({ limit: 1 })
    expect(newest?.target).toBe('4711')
    await program.kill()
  })

  test('a skill turned off in one is off in the other', async () => {
    const turn = (on: boolean) => command.app.handlers['skills.switch']({ projectDir: null, name: 'jam', on })
    const status = async () =>
      (await listSkills(window.app, null)).skills.find(({ name }) => name === 'jam')?.status
    expect(await status()).toBe('effective')
    await told(window, 'skills.changed', () => turn(false))
    expect(await status()).toBe('off')
    await told(window, 'skills.changed', () => turn(true))
    expect(await status()).toBe('effective')
  })

  test('a chat that is open in one shows what is said in the other', async () => {
    const { id } = await newChat(window)
    const chat = watchChat(window.app, id)
    await chat.until('the snapshot', (events) => events.length > 0)
    await command.app.handlers['sessions.send']({ sessionId: id, text: 'hello there' })
    for (const text of ['hello there', 'Good day.']) {
      await chat.until(text, (events) =>
        events.some((event) => event.t === 'message' && JSON.stringify(event.message.parts).includes(text)),
      )
    }
    chat.close()
  })

  test('a second window is refused, a second command is not', async () => {
    await expect(createTestApp({ home: window.home, deps: { ownsData: true } })).rejects.toThrow(
      'Another Satchel has this data open',
    )
    const third = await createTestApp({ home: window.home })
    await third.stop()
  })
})

describe('a data folder of a newer version', () => {
  const stateOf = (folder: string): unknown => ({
    mtimeMs: statSync(folder).mtimeMs,
    entries: readdirSync(folder, { withFileTypes: true }).map((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return stateOf(path)
      const { mtimeMs, ctimeMs } = statSync(path)
      return { name: entry.name, mtimeMs, ctimeMs, bytes: readFileSync(path, 'latin1') }
    }),
  })

  test.each([true, false])('is refused without a write, ownsData %s', async (ownsData) => {
    const home = join(window.home, 'newer')
    mkdirSync(join(home, 'data'), { recursive: true })
    writeFiles(join(home, 'data'), { 'store/kept': 'kept' })
    const sql = new Database(join(home, 'data', 'satchel.db'))
    sql.pragma('journal_mode = WAL')
    sql.pragma(`user_version = ${SCHEMA_VERSION + 1}`)
    sql.close()
    writeFileSync(join(home, 'data', 'other.txt'), 'x')
    const before = stateOf(join(home, 'data'))
    await expect(createTestApp({ home, deps: { ownsData } })).rejects.toThrow('newer Satchel')
    expect(stateOf(join(home, 'data'))).toEqual(before)
  })
})

import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi, type TestContext } from 'vitest'
import type { SessionEvent, ToolCall } from '@shared/domain/session'
import { isNoSpace, toWire } from '@shared/errors'
import {
  allow,
  createTestApp,
  waitingRequest,
  watchChat,
  type TestApp,
  type TestAppOptions,
  type WatchedChat,
} from '../../helpers/app'
import { mountSmallDisk, whyNoDisk, type SmallDisk } from '../../helpers/small-disk'

let home: string
let disk: SmallDisk | undefined
let runsDisk: SmallDisk | undefined
let app: TestApp | undefined
let chat: WatchedChat | undefined

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-full-')))
})
afterEach(async () => {
  chat?.close()
  await app?.stop()
  runsDisk?.remove()
  disk?.remove()
  rmSync(home, { recursive: true, force: true })
  app = disk = runsDisk = chat = undefined
})

const SKILL = {
  'SKILL.md':
    '---\nname: marmalade\ndescription: Boils quince marmalade and counts jars.\n---\nRun `scripts/boil.sh`.\n',
  'scripts/boil.sh': '#!/usr/bin/env bash\necho boiled\n',
}
/** Text that takes more than the rest of the last block. */
const LONG = `${'quince'.repeat(50)} `.repeat(700)

interface StartOptions extends TestAppOptions {
  inProject?: boolean
  /** The files of runs lie elsewhere: what a run leaves behind when it ends gives the full disk no space. */
  runsApart?: boolean
}

async function start(context: TestContext, options: StartOptions = {}): Promise<TestApp> {
  const reason = whyNoDisk()
  context.skip(reason !== null, reason ?? '')
  disk = mountSmallDisk(join(home, 'data'), { megabytes: 24 })
  if (options.runsApart) runsDisk = mountSmallDisk(join(home, 'data', 'runs'), { megabytes: 8 })
  app = await createTestApp({ home, skills: { marmalade: SKILL }, ...options })
  const projectDir = options.inProject ? app.project('kitchen') : null
  const { id } = await app.app.handlers['sessions.create']({ projectDir })
  chat = watchChat(app.app, id)
  return app
}

const send = (text: string) => app!.app.handlers['sessions.send']({ sessionId: chat!.id, text })

const notices = () => app!.events.flatMap((event) => (event.t === 'notice' ? [event.message] : []))

const callOf = (events: readonly SessionEvent[]): ToolCall | undefined =>
  events.flatMap((event) => (event.t === 'call' ? [event.call] : [])).at(-1)

/** What is in the file now, read by a connection of its own: beginnings of the messages' texts, and their states. */
function onDisk() {
  const sql = new Database(join(home, 'data', 'satchel.db'), { readonly: true })
  try {
    const rows = sql.prepare('SELECT role, status, parts FROM messages ORDER BY seq').all() as {
      role: string
      status: string
      parts: string
    }[]
    return {
      check: sql.pragma('integrity_check', { simple: true }),
      sent: rows.filter(({ role }) => role === 'user').map(({ parts }) => textOf(parts)),
      answers: rows.filter(({ role }) => role === 'assistant').map(({ status }) => status),
    }
  } finally {
    sql.close()
  }
}

/** The search index may be under way when the disk fills; it is made anew from the skills. */
const unexpected = (errors: readonly string[]) =>
  errors.filter((error) => !/worker: skills\.|search index/.test(error))

const textOf = (parts: string) =>
  (JSON.parse(parts) as { text?: string }[]).map(({ text }) => (text ?? '').slice(0, 40)).join('')

test('a message that can not be saved is refused with what to do; what was said before stays, and it goes on after', async (context) => {
  const { app, errors } = await start(context)
  await send('Hello there')
  await chat!.state('idle')
  disk!.fill()

  const refused: unknown = await Promise.resolve()
    .then(() => send(`Count these: ${LONG}`))
    .catch((error: unknown) => error)

  expect(toWire(refused)).toEqual({
    code: 'disk_full',
    message: 'The disk is full. Free some space, then try again. Nothing was lost.',
  })
  expect((await app.handlers['sessions.list']({})).map(({ state }) => state)).toEqual(['idle'])
  expect(onDisk()).toEqual({ check: 'ok', sent: ['Hello there'], answers: ['done'] })

  disk!.free()
  await send('Hello again')
  await chat!.state('idle')
  expect(onDisk()).toEqual({ check: 'ok', sent: ['Hello there', 'Hello again'], answers: ['done', 'done'] })
  expect(unexpected(errors)).toEqual([])
})

test('a disk that fills while an answer streams does not end the app: the chat says so and goes on after', async (context) => {
  const long = { name: 'long', match: '^long', steps: [{ text: LONG, pauseMs: 5 }] }
  const { app, errors } = await start(context, { scenarios: [long] })
  await send('Hello there')
  await chat!.state('idle')
  await send('long answer, please')
  await chat!.until('a part of the answer', (events) =>
    events.some((event) => event.t === 'delta' && event.text.startsWith('quince')),
  )
  disk!.fill()

  await chat!.state('interrupted')

  expect(notices()).toEqual(['This chat was interrupted. The disk is full. Free some space, then try again.'])
  expect(app.running()).toEqual({ runs: 0, sessions: 0 })
  expect((await app.handlers['sessions.list']({})).map(({ state }) => state)).toEqual(['interrupted'])
  const sent = ['Hello there', 'long answer, please']
  expect(onDisk()).toMatchObject({ check: 'ok', sent })

  disk!.free()
  await app.handlers['sessions.resume']({ sessionId: chat!.id })
  await chat!.state('idle')
  expect(onDisk()).toEqual({ check: 'ok', sent, answers: ['done', 'interrupted', 'done'] })
  expect(unexpected(errors)).toEqual([])
})

test('an approval that can not be saved starts nothing: the request stays and is answered when there is space', async (context) => {
  const { app, errors } = await start(context)
  await send('Please boil some quince marmalade')
  await chat!.state('awaiting_approval')
  const request = await waitingRequest(app, chat!.id)
  disk!.fill()

  const refused: unknown = await allow(app, request).catch((error: unknown) => error)

  expect(isNoSpace(refused)).toBe(true)
  expect((await waitingRequest(app, chat!.id)).id).toBe(request.id)
  expect(callOf(chat!.events)).toMatchObject({ state: 'awaiting_approval', runId: null })
  disk!.free()
  expect((await allow(app, await waitingRequest(app, chat!.id))).status).toBe('approved')
  await chat!.state('idle')
  expect(callOf(chat!.events)).toMatchObject({ state: 'done', envelope: { success: true } })
  expect(onDisk().check).toBe('ok')
  expect(unexpected(errors)).toEqual([])
})

/** Allows a script that marks its start, waits for `go.txt` and says so; the disk is full meanwhile. */
async function runOnFullDisk(context: TestContext): Promise<TestApp & { kitchen: string }> {
  const waits =
    '#!/usr/bin/env bash\necho x >> starts.txt\nuntil [ -e go.txt ]; do sleep 0.05; done\necho boiled\n'
  const started = await start(context, {
    skills: { marmalade: { ...SKILL, 'scripts/boil.sh': waits } },
    inProject: true,
    runsApart: true,
  })
  const kitchen = started.project('kitchen')
  await send('Please boil some quince marmalade')
  await chat!.state('awaiting_approval')
  await allow(started.app, await waitingRequest(started.app, chat!.id))
  await vi.waitUntil(() => existsSync(join(kitchen, 'starts.txt')), { timeout: 20_000 })
  disk!.fill()
  return { ...started, kitchen }
}

async function endRunOnFullDisk(context: TestContext): ReturnType<typeof runOnFullDisk> {
  const started = await runOnFullDisk(context)
  writeFileSync(join(started.kitchen, 'go.txt'), '')
  await chat!.state('interrupted')
  return started
}

test('Stop ends a script also while the disk is full, and the rows follow when there is space', async (context) => {
  const { app, errors } = await runOnFullDisk(context)

  await app.handlers['sessions.stop']({ sessionId: chat!.id, force: true })

  const shown = callOf(chat!.events)
  expect(shown?.state).toBe('interrupted')
  expect(await app.handlers['runs.get']({ runId: shown!.runId! })).toMatchObject({ status: 'killed' })
  expect(app.running()).toEqual({ runs: 0, sessions: 0 })

  disk!.free()

  await chat!.until('the true end', (events) => callOf(events)?.state === 'cancelled')
  await chat!.state('idle')
  expect(unexpected(errors)).toEqual([])
})

test('Stop ends what waits for an answer also while the disk is full, and no answer starts it afterwards', async (context) => {
  const { app, errors } = await start(context)
  await send('Please boil some quince marmalade')
  await chat!.state('awaiting_approval')
  const request = await waitingRequest(app, chat!.id)
  disk!.fill()

  await app.handlers['sessions.stop']({ sessionId: chat!.id, force: false })

  disk!.free()
  const refused: unknown = await allow(app, request).catch((error: unknown) => error)
  await chat!.until('its end', (events) => callOf(events)?.state === 'cancelled')
  expect(callOf(chat!.events)).toMatchObject({ runId: null })
  expect(toWire(refused).code).toBe('already_decided')
  expect(app.running()).toEqual({ runs: 0, sessions: 0 })
  expect(unexpected(errors)).toEqual([])
})

test('a run that ends on a full disk is shown as ended, also to who looks later', async (context) => {
  const { app } = await endRunOnFullDisk(context)

  const shown = callOf(chat!.events)
  expect(shown).toMatchObject({ state: 'interrupted', envelope: { error_code: 'interrupted' } })
  expect(shown?.envelope?.error).toContain('has ended, but its result could not be saved')
  expect(await app.handlers['runs.get']({ runId: shown!.runId! })).toMatchObject({
    status: 'succeeded',
    exitCode: 0,
  })
  const later = watchChat(app, chat!.id)
  const calls = await later.until('the snapshot', (events) =>
    events.flatMap((event) => (event.t === 'snapshot' ? [event.calls] : [])).at(0),
  )
  later.close()
  expect(calls.map(({ name, state }) => [name, state])).toEqual([
    ['skills_load', 'done'],
    ['skills_run_script', 'interrupted'],
  ])
  expect(app.running()).toEqual({ runs: 0, sessions: 0 })
  expect((await app.handlers['sessions.list']({})).map(({ state }) => state)).not.toContain('running')
  expect(notices().filter((message) => message.includes('Nothing was lost'))).toEqual([])
  expect(onDisk().check).toBe('ok')
})

test('a run that ended on a full disk is put right by itself when there is space: its true end and result', async (context) => {
  const { app, errors } = await endRunOnFullDisk(context)

  disk!.free()

  const call = await chat!.until('the result', (events) => {
    const last = callOf(events)
    return last?.state === 'done' && last
  })
  expect(call.envelope).toMatchObject({ success: true, result: { exit_code: 0 } })
  expect(JSON.stringify(call.envelope?.result)).toContain('boiled')
  const sql = new Database(join(home, 'data', 'satchel.db'), { readonly: true })
  expect(sql.prepare('SELECT status, exit_code FROM runs').all()).toEqual([
    { status: 'succeeded', exit_code: 0 },
  ])
  expect(sql.prepare('SELECT DISTINCT state FROM calls').all()).toEqual([{ state: 'done' }])
  expect(sql.prepare('SELECT state FROM sessions').all()).toEqual([{ state: 'interrupted' }])
  sql.close()
  expect(await app.handlers['audit.verify']({})).toMatchObject({ firstBad: null })
  expect(unexpected(errors)).toEqual([])
})

test('a disk that fills during a run: the script runs once, its result is not guessed, and the chat goes on', async (context) => {
  const { app, kitchen } = await endRunOnFullDisk(context)

  disk!.free()
  await app.handlers['sessions.resume']({ sessionId: chat!.id })
  await chat!.state('idle')

  const call = callOf(chat!.events)
  expect(call).toMatchObject({ state: 'done', envelope: { success: true, result: { exit_code: 0 } } })
  expect((await app.handlers['runs.get']({ runId: call!.runId! })).status).toBe('succeeded')
  expect(readFileSync(join(kitchen, 'starts.txt'), 'utf8')).toBe('x\n')
  expect(await app.handlers['audit.verify']({})).toMatchObject({ firstBad: null })
})

test('a start on a full disk says so and harms nothing; the next one, with space, has everything', async (context) => {
  const { stop } = await start(context)
  await send('Hello there')
  await chat!.state('idle')
  chat!.close()
  await stop()
  app = undefined
  disk!.fill()

  await expect(createTestApp({ home })).rejects.toThrow(
    /^The disk with .*data is full, so Satchel can't open its data there\. Free some space, then start it again/,
  )

  disk!.free()
  app = await createTestApp({ home })
  chat = watchChat(app.app, chat!.id)
  await send('Hello again')
  await chat.state('idle')
  expect(onDisk()).toEqual({ check: 'ok', sent: ['Hello there', 'Hello again'], answers: ['done', 'done'] })
})

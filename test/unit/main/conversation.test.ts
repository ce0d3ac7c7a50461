import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { SessionEvent, ToolCall } from '@shared/domain/session'
import { runPlanOf } from '@shared/domain/approval'
import {
  allow,
  createTestApp,
  waitingRequest,
  watchChat,
  type TestApp,
  type WatchedChat,
} from '../../helpers/app'

let open: TestApp | undefined
let chat: WatchedChat | undefined

afterEach(async () => {
  chat?.close()
  await open?.remove()
  open = undefined
})

const SKILL = {
  'SKILL.md':
    '---\nname: marmalade\ndescription: Boils quince marmalade and counts jars.\n---\n# Marmalade\nRead [the rules](references/rules.md), then run `scripts/boil.sh`.\n',
  'references/rules.md': 'Stir slowly.\n',
  'scripts/boil.sh': '#!/usr/bin/env bash\necho "jars: $#"\necho made > jars.txt\n',
}

async function start(files: Record<string, string> = SKILL, scenarios?: unknown[]): Promise<TestApp> {
  open = await createTestApp({ skills: { marmalade: files }, ...(scenarios ? { scenarios } : {}) })
  return open
}

async function newChat(app: TestApp, projectDir: string | null = null): Promise<WatchedChat> {
  const session = await app.app.handlers['sessions.create']({ projectDir })
  chat = watchChat(app.app, session.id)
  return chat
}

function callsOf(events: readonly SessionEvent[]): ToolCall[] {
  const latest = new Map<string, ToolCall>()
  for (const event of events) {
    if (event.t === 'snapshot') for (const call of event.calls) latest.set(call.id, call)
    if (event.t === 'call') latest.set(event.call.id, event.call)
  }
  return [...latest.values()].sort((a, b) => a.step - b.step)
}

const send = (app: TestApp, text: string) => app.app.handlers['sessions.send']({ sessionId: chat!.id, text })

describe('one conversation', () => {
  test('a skill is chosen, loaded and read, and its script waits for a person', async () => {
    const app = await start()
    const talk = await newChat(app)
    await send(app, 'Please boil some quince marmalade')
    await talk.state('awaiting_approval')
    expect(callsOf(talk.events).map((call) => [call.step, call.name, call.state])).toEqual([
      [1, 'skills_load', 'done'],
      [2, 'skills_read', 'done'],
      [3, 'skills_run_script', 'awaiting_approval'],
    ])
    const request = await waitingRequest(app.app, talk.id)
    expect(runPlanOf(request.plan)?.argv.slice(1)).toEqual(['/.sandbox/skills/marmalade/scripts/boil.sh'])
    expect(request.reviewRequired).toBe(true)
  })

  test('allowed, it runs exactly once in the workspace, and the agent reports', async () => {
    const app = await start()
    const dir = app.project('kitchen')
    const talk = await newChat(app, dir)
    await send(app, 'Please boil some quince marmalade')
    await talk.state('awaiting_approval')
    await allow(app.app, await waitingRequest(app.app, talk.id))
    await talk.state('idle')
    expect(readFileSync(join(dir, 'jars.txt'), 'utf8')).toBe('made\n')
    const run = callsOf(talk.events).at(-1)
    expect(run).toMatchObject({ name: 'skills_run_script', state: 'done' })
    expect(run?.envelope?.result).toMatchObject({ exit_code: 0, stdout: expect.stringContaining('jars: 0') })
    expect(run?.envelope?.result).toMatchObject({ files_changed: [{ path: 'jars.txt', kind: 'added' }] })
    expect(await app.app.handlers['approvals.list']({})).toEqual([])
    expect(app.errors).toEqual([])
  })

  test('one changed byte between request and click is refused and asked again; then the new bytes run', async () => {
    const app = await start()
    const dir = app.project('kitchen')
    const talk = await newChat(app, dir)
    await send(app, 'Please boil some quince marmalade')
    await talk.state('awaiting_approval')
    const first = await waitingRequest(app.app, talk.id)
    const script = join(app.home, '.satchel/skills/marmalade/scripts/boil.sh')
    writeFileSync(script, SKILL['scripts/boil.sh'].replace('made', 'mode'))
    expect((await allow(app.app, first)).status).toBe('stale')
    expect(existsSync(join(dir, 'jars.txt'))).toBe(false)
    const second = await waitingRequest(app.app, talk.id)
    expect(second.id).not.toBe(first.id)
    expect(second.planHash).not.toBe(first.planHash)
    expect((await allow(app.app, second)).status).toBe('approved')
    await talk.state('idle')
    expect(readFileSync(join(dir, 'jars.txt'), 'utf8')).toBe('mode\n')
  })

  test('a changed reference of the same skill also makes the request stale', async () => {
    const app = await start()
    const talk = await newChat(app)
    await send(app, 'Please boil some quince marmalade')
    await talk.state('awaiting_approval')
    writeFileSync(join(app.home, '.satchel/skills/marmalade/references/rules.md'), 'Stir fast.\n')
    expect((await allow(app.app, await waitingRequest(app.app, talk.id))).status).toBe('stale')
  })

  test('a denial reaches the agent with its note, and nothing runs', async () => {
    const app = await start()
    const dir = app.project('kitchen')
    const talk = await newChat(app, dir)
    await send(app, 'Please boil some quince marmalade')
    await talk.state('awaiting_approval')
    const { id, revision, planHash } = await waitingRequest(app.app, talk.id)
    await app.app.handlers['approvals.decide']({
      requestId: id,
      revision,
      planHash,
      choice: 'deny',
      note: 'wrong pot',
      acknowledged: [],
    })
    await talk.state('idle')
    const run = callsOf(talk.events).at(-1)
    expect(run).toMatchObject({ state: 'denied', envelope: { success: false, error_code: 'denied' } })
    expect(run?.envelope?.error).toContain('wrong pot')
    expect(existsSync(join(dir, 'jars.txt'))).toBe(false)
  })

  test('a second answer to the same request does nothing', async () => {
    const app = await start()
    const talk = await newChat(app)
    await send(app, 'Please boil some quince marmalade')
    await talk.state('awaiting_approval')
    const request = await waitingRequest(app.app, talk.id)
    const answers = await Promise.allSettled([allow(app.app, request), allow(app.app, request)])
    await talk.state('idle')
    expect(answers.map((answer) => answer.status).sort()).toEqual(['fulfilled', 'rejected'])
    const runs = callsOf(talk.events).filter((call) => call.runId)
    expect(runs).toHaveLength(1)
  })

  test('stop while a request waits cancels it, which is not a denial', async () => {
    const app = await start()
    const talk = await newChat(app)
    await send(app, 'Please boil some quince marmalade')
    await talk.state('awaiting_approval')
    await app.app.handlers['sessions.stop']({ sessionId: talk.id, force: false })
    expect(await app.app.handlers['approvals.list']({})).toEqual([])
    const call = await talk.until('cancelled', (events) =>
      callsOf(events).find((row) => row.state === 'cancelled'),
    )
    expect(call.envelope?.error_code).toBe('cancelled')
  })

  test('every load, read, request, decision and run is on record, and the chain holds', async () => {
    const app = await start()
    const talk = await newChat(app)
    await send(app, 'Please boil some quince marmalade')
    await talk.state('awaiting_approval')
    await allow(app.app, await waitingRequest(app.app, talk.id))
    await talk.state('idle')
    const events = await app.app.handlers['audit.query']({ limit: 100 })
    expect(events.map((event) => event.action).reverse()).toEqual([
      'skill.loaded',
      'skill.read',
      'request.created',
      'request.allowed',
      'run.started',
      'run.finished',
      'run.changes',
    ])
    expect(await app.app.handlers['audit.verify']({})).toEqual({ entries: 7, firstBad: null })
  })

  test('a message sent while a request waits is queued and delivered after the step', async () => {
    const app = await start()
    const talk = await newChat(app)
    await send(app, 'Please boil some quince marmalade')
    await talk.state('awaiting_approval')
    expect(await send(app, 'and label the jars')).toMatchObject({ queued: true })
    await allow(app.app, await waitingRequest(app.app, talk.id))
    await talk.until('delivered', (events) =>
      events.some(
        (event) =>
          event.t === 'message' &&
          event.message.role === 'user' &&
          event.message.status === 'done' &&
          event.message.seq > 3,
      ),
    )
  })

  test('a project that is deleted while a request waits gives a clear answer, and the chat goes on', async () => {
    const app = await start()
    const dir = app.project('kitchen')
    const talk = await newChat(app, dir)
    await send(app, 'Please boil some quince marmalade')
    await talk.state('awaiting_approval')
    rmSync(dir, { recursive: true })
    expect((await allow(app.app, await waitingRequest(app.app, talk.id))).status).toBe('stale')
    await talk.state('idle')
    expect(callsOf(talk.events).at(-1)?.envelope?.error).toContain('project folder of this chat is gone')
  })

  test.each([
    ['missing', { 'scripts/other.sh': 'true\n' }, 'not_found'],
    ['of no known interpreter', { 'scripts/boil.xyz': 'hm\n' }, 'not_found'],
  ])('a script that is %s is told to the agent before anybody is asked', async (_what, files, code) => {
    const { 'scripts/boil.sh': _gone, ...rest } = SKILL
    const app = await start({ ...rest, ...files })
    const talk = await newChat(app)
    await send(app, 'Please boil some quince marmalade')
    await talk.state('idle')
    expect(callsOf(talk.events).at(-1)?.envelope?.error_code).toBe(code)
  })

  test('a person sees what is active; unloading takes it out of the next call', async () => {
    const app = await start()
    const talk = await newChat(app)
    await app.app.handlers['sessions.loadSkill']({ sessionId: talk.id, name: 'Marmalade' })
    await talk.until('active', (events) =>
      events.some((event) => event.t === 'session' && event.session.activeSkills[0]?.name === 'marmalade'),
    )
    await app.app.handlers['sessions.unloadSkill']({ sessionId: talk.id, name: 'marmalade' })
    await talk.until('inactive', (events) => {
      const last = events.findLast((event) => event.t === 'session')
      return last?.session.activeSkills.length === 0
    })
  })
})

describe('after a restart', () => {
  test('a waiting request is there again, is checked again, and runs once', async () => {
    const app = await start()
    const dir = app.project('kitchen')
    const talk = await newChat(app, dir)
    await send(app, 'Please boil some quince marmalade')
    await talk.state('awaiting_approval')
    const before = await waitingRequest(app.app, talk.id)
    talk.close()
    await app.stop()
    open = await createTestApp({ home: app.home })
    const again = await waitingRequest(open.app, talk.id)
    expect(again).toMatchObject({ id: before.id, restored: true, planHash: before.planHash })
    expect(existsSync(join(dir, 'jars.txt'))).toBe(false)
    chat = watchChat(open.app, talk.id)
    await allow(open.app, again)
    await chat.state('idle')
    expect(readFileSync(join(dir, 'jars.txt'), 'utf8')).toBe('made\n')
  })

  test('a request whose script changed meanwhile is asked anew', async () => {
    const app = await start()
    const talk = await newChat(app)
    await send(app, 'Please boil some quince marmalade')
    await talk.state('awaiting_approval')
    talk.close()
    await app.stop()
    writeFileSync(join(app.home, '.satchel/skills/marmalade/scripts/boil.sh'), 'echo other\n')
    open = await createTestApp({ home: app.home })
    expect((await allow(open.app, await waitingRequest(open.app, talk.id))).status).toBe('stale')
    expect((await waitingRequest(open.app, talk.id)).restored).toBe(false)
  })
})

describe('a skill with an executable bit', () => {
  test('has another digest than the same skill without it', async () => {
    const app = await start()
    const talk = await newChat(app)
    await send(app, 'Please boil some quince marmalade')
    await talk.state('awaiting_approval')
    chmodSync(join(app.home, '.satchel/skills/marmalade/scripts/boil.sh'), 0o755)
    expect((await allow(app.app, await waitingRequest(app.app, talk.id))).status).toBe('stale')
  })
})

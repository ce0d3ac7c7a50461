import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Decision } from '@shared/domain/approval'
import { createTestApp, waitingRequest, watchChat, type TestApp } from '../../helpers/app'

const SKILL = {
  'SKILL.md': '---\nname: jam\ndescription: Boils jam.\n---\nRun `scripts/boil.sh`.\n',
  'scripts/boil.sh': 'echo boiled\n',
}
const BOIL = {
  name: 'boil',
  match: '^boil',
  steps: [
    { text: 'Loading.', call: { name: 'skills_load', input: { names: ['jam'] } } },
    { text: 'Boiling.', call: { name: 'skills_run_script', input: { path: 'scripts/boil.sh' } } },
    { text: 'It is done.' },
  ],
}

let dir: string
let app: TestApp | undefined

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-policy-')))
})
afterEach(async () => {
  await app?.remove()
  rmSync(dir, { recursive: true })
})

const write = (text: string) => writeFileSync(join(dir, 'policy.json'), text)
const put = (policy: object) => write(JSON.stringify({ version: 1, organisation: 'Northwind IT', ...policy }))
const remove = () => rmSync(join(dir, 'policy.json'), { force: true })

async function start(): Promise<TestApp> {
  app = await createTestApp({ skills: { jam: SKILL }, scenarios: [BOIL], deps: { policyDir: dir } })
  return app
}

/** The policy is looked at with the skills; a project that is opened has them looked at. */
async function look({ app, project }: TestApp, name: string): Promise<void> {
  await app.handlers['projects.open']({ dir: project(name) })
}

/** A new chat that asks for the script; the newest request and how it stands then. */
async function boil({ app }: TestApp, state: 'idle' | 'awaiting_approval') {
  const { id } = await app.handlers['sessions.create']({ projectDir: null })
  const chat = watchChat(app, id)
  await app.handlers['sessions.send']({ sessionId: id, text: 'boil some' })
  await chat.state(state)
  chat.close()
  if (state === 'awaiting_approval') return waitingRequest(app, id)
  const [request] = await app.handlers['approvals.history']({ limit: 1 })
  return request!
}

function answer({ app }: TestApp, request: Awaited<ReturnType<typeof boil>>, over: Partial<Decision> = {}) {
  const { id: requestId, revision, planHash } = request
  return app.handlers['approvals.decide']({
    requestId,
    revision,
    planHash,
    choice: 'once',
    acknowledged: [],
    ...over,
  })
}

const ALWAYS: Partial<Decision> = { choice: 'always', remember: { args: 'exact', days: 30 } }

// A policy counts only where an administrator alone can write it, so this needs one.
describe.runIf(process.getuid?.() === 0)('rules of a person under a policy', () => {
  test('a policy that tightens, breaks and comes back is obeyed at each step', async () => {
    put({})
    const here = await start()
    const first = await boil(here, 'awaiting_approval')
    await answer(here, first, ALWAYS)
    await vi.waitFor(async () => {
      const [chat] = await here.app.handlers['sessions.list']({})
      expect(chat?.state).toBe('idle')
    })
    expect((await boil(here, 'idle')).status).toBe('auto_allowed')

    put({ require_approval_for: ['scripts'] })
    await look(here, 'one')
    const asked = await boil(here, 'awaiting_approval')
    const { remember } = await here.app.handlers['approvals.get']({ requestId: asked.id })
    expect(remember).toMatchObject({ args: [], why: expect.stringContaining('Your organisation') as string })
    await expect(async () => answer(here, asked, ALWAYS)).rejects.toThrow('Your organisation wants this')

    write('{ broken')
    await look(here, 'two')
    const { policy } = await here.app.handlers['settings.get']({})
    expect(policy.source).toBe('last-good')
    expect((await boil(here, 'awaiting_approval')).status).toBe('pending')

    put({})
    await look(here, 'three')
    expect((await here.app.handlers['approvals.list']({})).map(({ status }) => status)).toEqual([
      'pending',
      'pending',
    ])
    expect((await boil(here, 'idle')).status).toBe('auto_allowed')
    expect(here.errors).toEqual([])
  })

  test('one that nobody can read, with nothing known of before, asks for every run and remembers nothing', async () => {
    const here = await start()
    await answer(here, await boil(here, 'awaiting_approval'), ALWAYS)
    write('{ broken')
    await look(here, 'one')
    expect((await here.app.handlers['settings.get']({})).policy.source).toBe('locked-down')
    const asked = await boil(here, 'awaiting_approval')
    await expect(async () => answer(here, asked, ALWAYS)).rejects.toThrow('Your organisation wants this')
    await expect(async () => answer(here, asked, { ...ALWAYS, choice: 'chat' })).rejects.toThrow(
      'Your organisation wants this',
    )
    expect((await answer(here, asked)).status).toBe('approved')
    remove()
    await look(here, 'two')
    expect((await boil(here, 'idle')).status).toBe('auto_allowed')
  })

  test('its limit of time is shown with a request, and a person can extend it', async () => {
    put({ request_timeout_minutes: 30 })
    const here = await start()
    const asked = await boil(here, 'awaiting_approval')
    expect(asked.endsAt).toBe(asked.createdAt + 30 * 60_000)
    const { endsAt } = await here.app.handlers['approvals.extend']({ requestId: asked.id })
    expect(endsAt).toBe(asked.createdAt + 35 * 60_000)
    expect((await here.app.handlers['approvals.get']({ requestId: asked.id })).endsAt).toBe(endsAt)
    await answer(here, asked, { choice: 'deny_stop' })
    await expect(async () => here.app.handlers['approvals.extend']({ requestId: asked.id })).rejects.toThrow(
      'does not wait',
    )
  })

  test('a rule that denies ends what waits, names itself, and is shown but not to be changed', async () => {
    const here = await start()
    const waiting = await boil(here, 'awaiting_approval')
    put({ rules: [{ effect: 'deny', shape: 'skill', match: { skill: 'jam' } }] })
    await look(here, 'one')
    await vi.waitFor(async () => expect(await here.app.handlers['approvals.list']({})).toEqual([]))
    const [ended] = await here.app.handlers['approvals.history']({ limit: 1 })
    expect(ended).toMatchObject({ id: waiting.id, status: 'denied', decidedBy: 'rule' })
    expect((await boil(here, 'idle')).status).toBe('auto_denied')
    const { rules } = await here.app.handlers['rules.list']({})
    expect(rules).toMatchObject([{ id: 'policy-1', origin: 'policy', effect: 'deny', problem: null }])
    await expect(async () =>
      here.app.handlers['rules.change']({ id: 'policy-1', state: 'off' }),
    ).rejects.toThrow('does not exist')
    expect(here.errors).toEqual([])
  })
})

test('a rule that allowed earlier contents of a skill is named in the review, and does not count', async () => {
  const here = await start()
  await answer(here, await boil(here, 'awaiting_approval'), ALWAYS)
  writeFileSync(join(here.home, '.satchel/skills/jam/scripts/boil.sh'), 'echo boiled twice\n')
  await look(here, 'one')
  const asked = await boil(here, 'awaiting_approval')
  const { remember } = await here.app.handlers['approvals.get']({ requestId: asked.id })
  expect(remember.lapsed).toContain('Allow boil.sh')
})

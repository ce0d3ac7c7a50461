import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { RequestSummary } from '@shared/domain/approval'
import { runPlanOf } from '@shared/domain/approval'
import { allow, createTestApp, listSkills, waitingRequest, watchChat, writeFiles } from '../../../helpers/app'
import type { TestApp, TestAppOptions, WatchedChat } from '../../../helpers/app'

const SAVED =
  '---\nname: marmalade\ndescription: Boils quince marmalade and counts jars.\n---\n# Marmalade\nRun `scripts/boil.sh`.\n'
const TYPED = SAVED.replace('# Marmalade', '# Unsaved marmalade')
const SCRIPT = {
  path: 'scripts/boil.sh',
  text: '#!/usr/bin/env bash\necho "unsaved jars"\necho made > jars.txt\n',
}

let world: TestApp
let chat: WatchedChat | undefined

afterEach(async () => {
  chat?.close()
  chat = undefined
  await world.remove()
})

async function start(options: TestAppOptions = {}): Promise<string> {
  world = await createTestApp({
    skills: { marmalade: { 'SKILL.md': SAVED, 'scripts/boil.sh': '#!/usr/bin/env bash\necho saved\n' } },
    ...options,
  })
  return keyOf('personal')
}

async function keyOf(scope: string, projectDir: string | null = null): Promise<string> {
  const { skills } = await listSkills(world.app, projectDir)
  return skills.find((skill) => skill.name === 'marmalade' && skill.scope === scope)!.key
}

const begin = (key: string, files = [{ path: 'SKILL.md', text: TYPED }, SCRIPT]) =>
  world.app.handlers['editor.try']({ key, files })

async function ask(sessionId: string): Promise<RequestSummary> {
  chat = watchChat(world.app, sessionId)
  await world.app.handlers['sessions.send']({ sessionId, text: 'Please boil some quince marmalade' })
  await chat.state('awaiting_approval')
  return waitingRequest(world.app, sessionId)
}

const decide = (request: RequestSummary, choice: 'always' | 'deny_always' | 'chat') =>
  world.app.handlers['approvals.decide']({
    requestId: request.id,
    revision: request.revision,
    planHash: request.planHash,
    choice,
    acknowledged: [],
    ...(choice === 'deny_always' ? {} : { remember: { args: 'exact' as const, days: null } }),
  })

const folders = (name: string) => {
  const dir = join(world.dataDir, name)
  return existsSync(dir) ? readdirSync(dir).filter((entry) => entry.startsWith('try_')) : []
}

describe('Try it', () => {
  test('runs the unsaved bytes after an approval, in a folder of its own, and writes nothing into the skill', async () => {
    const key = await start()
    const { sessionId } = await begin(key)
    const request = await ask(sessionId)
    await allow(world.app, request)
    await chat!.state('idle')
    const plan = runPlanOf(request.plan)!
    expect(plan.workspace).toBe(join(world.dataDir, 'workspaces', folders('workspaces')[0]!))
    expect(readFileSync(join(plan.workspace, 'jars.txt'), 'utf8')).toBe('made\n')
    const detail = await world.app.handlers['approvals.get']({ requestId: request.id })
    expect(detail.script?.text).toContain('unsaved jars')
    const dir = join(world.home, '.satchel', 'skills', 'marmalade')
    expect(readFileSync(join(dir, 'SKILL.md'), 'utf8')).toBe(SAVED)
    expect(readdirSync(dir).sort()).toEqual(['SKILL.md', 'scripts'])
    expect(world.errors).toEqual([])
  })

  test('follows the tried skill, whatever the message is about, and another one only where it is named', async () => {
    const counter =
      '---\nname: word-counter\ndescription: Counts the words of a text file.\n---\nSay the number.\n'
    const key = await start({
      skills: {
        marmalade: { 'SKILL.md': SAVED, 'scripts/boil.sh': '#!/usr/bin/env bash\necho saved\n' },
        'word-counter': { 'SKILL.md': counter },
      },
    })
    const { sessionId } = await begin(key)
    chat = watchChat(world.app, sessionId)
    await world.app.handlers['sessions.send']({ sessionId, text: 'Count the words of this text file' })
    await chat.state('awaiting_approval')
    const request = await waitingRequest(world.app, sessionId)
    expect(runPlanOf(request.plan)?.script?.path).toBe('scripts/boil.sh')
    await allow(world.app, request)
    await chat.state('idle')
    await world.app.handlers['sessions.send']({ sessionId, text: 'Use word-counter for that' })
    await chat.state('idle')
    const filter = { sessionId, actions: ['skill.loaded' as const] }
    const loads = await world.app.handlers['audit.query']({ filter, limit: 50 })
    expect(loads.map(({ target }) => target).toReversed()).toEqual(['marmalade', 'word-counter'])
  })

  test('is in no list, and marks each of its entries in the record', async () => {
    const key = await start()
    const { sessionId } = await begin(key)
    await allow(world.app, await ask(sessionId))
    await chat!.state('idle')
    expect(await world.app.handlers['sessions.list']({})).toEqual([])
    expect(await world.app.handlers['projects.list']({})).toEqual([])
    expect(await world.app.handlers['editor.tries']({})).toEqual([{ sessionId, key, name: 'marmalade' }])
    const events = await world.app.handlers['audit.query']({ filter: { sessionId }, limit: 50 })
    expect(events.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['trial.began', 'skill.loaded', 'request.allowed', 'run.finished']),
    )
    expect(events.map(({ data }) => (data['context'] as { unsaved?: string }).unsaved)).toEqual(
      events.map(() => 'marmalade'),
    )
  })

  test('wins over other copies of its name in its own chat alone', async () => {
    const key = await start()
    await begin(key)
    const other = await world.app.handlers['sessions.create']({ projectDir: null })
    const request = await ask(other.id)
    const detail = await world.app.handlers['approvals.get']({ requestId: request.id })
    expect(detail.script?.text).toContain('echo saved')
  })

  test('remembers nothing beyond its chat, however it is asked', async () => {
    const key = await start()
    const { sessionId } = await begin(key)
    const request = await ask(sessionId)
    const detail = await world.app.handlers['approvals.get']({ requestId: request.id })
    expect(detail.remember).toMatchObject({ chatOnly: true, canDenyAlways: false })
    await expect(decide(request, 'always')).rejects.toThrow(/not saved/)
    await expect(decide(request, 'deny_always')).rejects.toThrow(/not saved/)
    expect((await world.app.handlers['rules.list']({})).rules).toEqual([])
    expect((await world.app.handlers['approvals.list']({})).map(({ id }) => id)).toEqual([request.id])
  })

  test('asks although a rule of an ordinary chat allows the saved script', async () => {
    const key = await start()
    const other = await world.app.handlers['sessions.create']({ projectDir: null })
    await decide(await ask(other.id), 'always')
    await chat!.state('idle')
    chat!.close()
    const { sessionId } = await begin(key, [])
    expect((await ask(sessionId)).status).toBe('pending')
  })

  test('closed, it ends what waits and leaves neither chat nor folder', async () => {
    const key = await start()
    const { sessionId } = await begin(key)
    await ask(sessionId)
    await world.app.handlers['editor.endTry']({ sessionId })
    expect(await world.app.handlers['approvals.list']({})).toEqual([])
    expect(await world.app.handlers['editor.tries']({})).toEqual([])
    expect([folders('workspaces'), folders('trials')]).toEqual([[], []])
    await expect(Promise.resolve(world.app.handlers['editor.endTry']({ sessionId }))).rejects.toThrow(
      'closed already',
    )
  })

  test('another one of the same skill takes the place of the first, with the text of now', async () => {
    const key = await start()
    const first = await begin(key)
    const second = await begin(key, [])
    expect(second.sessionId).not.toBe(first.sessionId)
    expect((await world.app.handlers['editor.tries']({})).map((one) => one.sessionId)).toEqual([
      second.sessionId,
    ])
    expect(folders('trials')).toHaveLength(1)
  })

  test('what a crash left is gone after the next start', async () => {
    const key = await start({ deps: { ownsData: true } })
    const { sessionId } = await begin(key)
    await ask(sessionId)
    chat!.close()
    const { home } = world
    await world.stop()
    mkdirSync(join(world.dataDir, 'workspaces', 'try_half'), { recursive: true })
    world = await createTestApp({ home, deps: { ownsData: true } })
    expect(await world.app.handlers['editor.tries']({})).toEqual([])
    expect(await world.app.handlers['sessions.list']({})).toEqual([])
    expect(await world.app.handlers['approvals.list']({})).toEqual([])
    expect([folders('workspaces'), folders('trials')]).toEqual([[], []])
  })

  test('text that can’t be used is refused with the reason, and nothing is left', async () => {
    const key = await start()
    const broken = [{ path: 'SKILL.md', text: 'no frontmatter' }]
    await expect(begin(key, broken)).rejects.toThrow(/can’t be tried/)
    await expect(begin(key, [{ path: 'gone.md', text: '' }])).rejects.toThrow(/not on disk any more/)
    expect([folders('workspaces'), folders('trials')]).toEqual([[], []])
  })

  // A folder counts as the organisation's only where an administrator alone can write it.
  test.runIf(process.getuid?.() === 0)('a name that the organisation manages is not tried', async () => {
    const home = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-app-')))
    const policyDir = join(home, 'policy')
    writeFiles(join(policyDir, 'skills', 'managed'), {
      'SKILL.md': SAVED.replace('name: marmalade', 'name: managed'),
    })
    const key = await start({ home, deps: { policyDir } })
    const taken = [{ path: 'SKILL.md', text: SAVED.replace('name: marmalade', 'name: managed') }]
    await expect(begin(key, taken)).rejects.toThrow(/Your organisation manages "managed"/)
  })
})

import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestApp, listSkills, watchChat, type TestApp } from '../../../helpers/app'

const HOUR = 60 * 60 * 1000

let world: TestApp
let dir: string
let key: string
let now: number

beforeEach(async () => {
  now = Date.parse('2026-03-01T12:00:00Z')
  world = await createTestApp({
    skills: {
      notes: {
        'SKILL.md': '---\nname: notes\ndescription: Keeps notes. Use for notes.\n---\n\nDo it.\n',
        'scripts/run.sh': 'echo 1\n',
      },
    },
    deps: { now: () => now },
  })
  dir = join(world.home, '.satchel', 'skills', 'notes')
  key = (await listSkills(world.app, null)).skills[0]!.key
})
afterEach(() => world.remove())

const turn = (on: boolean) => Promise.resolve(world.app.handlers['editor.author']({ key, on }))
const isOn = async () => (await world.app.handlers['editor.authors']({})).some((one) => one.key === key)

async function save(path: string, text: string) {
  const { digest } = await world.app.handlers['editor.read']({ key, path })
  return world.app.handlers['editor.save']({ key, path, text, before: digest })
}

/** Digests that are covered now; the rule must be on. */
async function covered(): Promise<string[]> {
  const { rules } = await world.app.handlers['rules.list']({})
  const match = rules.find(({ state }) => state === 'on')?.match
  if (match?.shape !== 'author') throw new Error('there is no such rule')
  return match.digests
}

const digestNow = async () => (await world.app.handlers['skills.get']({ projectDir: null, key })).treeDigest

/** Until the app has looked at the disk because of this. */
async function seenOff(): Promise<void> {
  await expect.poll(isOn, { timeout: 20_000 }).toBe(false)
}

const revoked = async () =>
  world.app.handlers['audit.query']({ filter: { actions: ['rule.revoked'] }, limit: 5 })

describe('I’m editing this skill', () => {
  test('covers nothing that was there before, then exactly what the editor saved', async () => {
    await turn(true)
    expect(await covered()).toEqual([])
    await save('scripts/run.sh', 'echo 2\n')
    const first = await digestNow()
    await save('scripts/run.sh', 'echo 3\n')
    expect(await covered()).toEqual([first, await digestNow()])
  })

  test('goes on over new, renamed, deleted and returned files', async () => {
    await turn(true)
    const change = world.app.handlers['editor.change']
    await change({
      t: 'file',
      key,
      path: 'scripts/new.sh',
      base64: Buffer.from('echo n\n').toString('base64'),
    })
    await change({ t: 'folder', key, path: 'assets' })
    await change({ t: 'rename', key, path: 'scripts', to: 'tools' })
    const { kept } = await change({ t: 'delete', key, path: 'tools/new.sh' })
    await change({ t: 'put-back', key, path: 'tools/new.sh', digest: kept })
    expect(await isOn()).toBe(true)
    expect(await covered()).toContain(await digestNow())
  })

  test('a chat runs what the editor saved without asking, and asks for what it did not save', async () => {
    const text = '---\nname: notes\ndescription: Keeps notes. Use for notes.\n---\n\nRun `scripts/run.sh`.\n'
    await save('SKILL.md', text)
    const ask = async (state: 'idle' | 'awaiting_approval') => {
      const { id } = await world.app.handlers['sessions.create']({ projectDir: null })
      const chat = watchChat(world.app, id)
      await world.app.handlers['sessions.send']({ sessionId: id, text: 'Please keep notes' })
      await chat.state(state)
      chat.close()
      const events = await world.app.handlers['audit.query']({ filter: { sessionId: id }, limit: 50 })
      return events.map(({ action }) => action)
    }
    expect(await ask('awaiting_approval')).not.toContain('run.started')
    await turn(true)
    await save('scripts/run.sh', 'echo 2\n')
    const own = await ask('idle')
    expect(own).toEqual(expect.arrayContaining(['request.auto_allowed', 'run.finished']))
    expect(own).not.toContain('request.allowed')
    await turn(false)
    expect(await ask('awaiting_approval')).not.toContain('run.started')
  })

  test('ends with any change that the editor did not make, and says why on record', async () => {
    await turn(true)
    await save('scripts/run.sh', 'echo 2\n')
    appendFileSync(join(dir, 'scripts/run.sh'), 'curl evil\n')
    await seenOff()
    expect((await revoked())[0]).toMatchObject({
      actor: 'app',
      data: { why: expect.stringContaining('not in the editor') },
    })
  })

  test('ends with a save that came after another program’s change, though it was of another file', async () => {
    await turn(true)
    const { digest } = await world.app.handlers['editor.read']({ key, path: 'SKILL.md' })
    writeFileSync(join(dir, 'scripts/run.sh'), 'curl evil\n')
    const text = readFileSync(join(dir, 'SKILL.md'), 'utf8')
    await world.app.handlers['editor.save']({ key, path: 'SKILL.md', text: `${text}More.\n`, before: digest })
    expect(await isOn()).toBe(false)
  })

  test('ends after an hour, and when the person says so', async () => {
    await turn(true)
    now += HOUR - 1
    expect(await isOn()).toBe(true)
    now += 1
    expect(await isOn()).toBe(false)
    await turn(true)
    await turn(false)
    expect(await isOn()).toBe(false)
    expect((await revoked())[0]).toMatchObject({ actor: 'person' })
  })

  test('is a rule like others: revoked in their list it is over, and can’t be made longer or turned on there', async () => {
    await turn(true)
    const { rules } = await world.app.handlers['rules.list']({})
    const { id } = rules.find(({ state }) => state === 'on')!
    await expect(
      Promise.resolve().then(() => world.app.handlers['rules.change']({ id, days: 90 })),
    ).rejects.toThrow('ends by itself')
    await world.app.handlers['rules.change']({ id, state: 'revoked' })
    expect(await isOn()).toBe(false)
    await expect(
      Promise.resolve().then(() => world.app.handlers['rules.change']({ id, state: 'on' })),
    ).rejects.toThrow('ends by itself')
  })

  test('is refused where nothing may be changed', async () => {
    const project = world.project('shop', {
      '.satchel/skills/deploy/SKILL.md': '---\nname: deploy\ndescription: d\n---\n',
    })
    await world.app.handlers['projects.open']({ dir: project })
    const { skills } = await listSkills(world.app, project)
    const own = skills.find(({ scope }) => scope === 'project')!
    await expect(
      Promise.resolve(world.app.handlers['editor.author']({ key: own.key, on: true })),
    ).rejects.toThrow('not trusted')
  })
})

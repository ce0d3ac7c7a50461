import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { putHostGrant } from '../../../src/main/db/host-grant-rows'
import { openDb } from '../../../src/main/db/open'
import { createTestApp, listSkills, watchChat, type TestApp, type WatchedChat } from '../../helpers/app'

const SKILL = {
  'SKILL.md':
    '---\nname: marmalade\ndescription: Boils quince marmalade and counts jars.\n---\nRun `scripts/boil.sh`.\n',
  'scripts/boil.sh': '#!/usr/bin/env bash\necho "jars: $#"\n',
}

let dir: string
let app: TestApp | undefined
let talk: WatchedChat | undefined

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-policy-')))
})
afterEach(async () => {
  talk?.close()
  await app?.remove()
  rmSync(dir, { recursive: true })
})

const put = (policy: object) =>
  writeFileSync(
    join(dir, 'policy.json'),
    JSON.stringify({ version: 1, organisation: 'Northwind IT', ...policy }),
  )

async function start(policy: object): Promise<void> {
  put(policy)
  app = await createTestApp({ skills: { marmalade: SKILL }, deps: { policyDir: dir } })
}

async function chat(): Promise<WatchedChat> {
  const { id } = await app!.app.handlers['sessions.create']({ projectDir: null })
  talk = watchChat(app!.app, id)
  return talk
}

const load = (sessionId: string) => app!.app.handlers['sessions.loadSkill']({ sessionId, name: 'marmalade' })
const record = async () => app!.app.handlers['audit.query']({ limit: 50 })

// A policy counts only where an administrator alone can write it, so this needs one.
describe.runIf(process.getuid?.() === 0)('the policy of an organisation', () => {
  test('keeps a blocked skill out of lists and chats, and says who blocked it', async () => {
    await start({ skills: { block: ['marmalade'] } })
    const { skills } = await listSkills(app!.app, null)
    const skill = skills.find(({ name }) => name === 'marmalade')
    expect(skill).toMatchObject({ status: 'unavailable', statusReason: 'Blocked by Northwind IT.' })
    const { id } = await chat()
    await expect(load(id)).rejects.toMatchObject({
      code: 'blocked_by_policy',
      message: expect.stringContaining('Blocked by Northwind IT.') as string,
    })
  })

  test('lets only the bytes that are on its list be loaded; the attempt is on record', async () => {
    await start({ skills: { allow: [{ name: 'marmalade', digest: `sha256:${'a'.repeat(64)}` }] } })
    const { id } = await chat()
    await expect(load(id)).rejects.toThrow('These contents are not on the list of Northwind IT.')
    expect((await record()).map(({ action }) => action)).toContain('security.blocked')
  })

  test('takes a skill out of a running chat at its next step, and says why', async () => {
    await start({})
    const { id } = await chat()
    await load(id)
    put({ skills: { block: ['marmalade'] } })
    await app!.app.handlers['projects.open']({ dir: app!.project('kitchen') })
    await app!.app.handlers['sessions.send']({ sessionId: id, text: 'Hello' })
    await talk!.state('idle')
    const unloaded = (await record()).find(({ action }) => action === 'skill.unloaded')
    expect(unloaded?.data).toMatchObject({ why: 'Blocked by Northwind IT.' })
    expect(app!.events).toContainEqual(
      expect.objectContaining({
        t: 'notice',
        message: expect.stringContaining('Blocked by Northwind IT.') as string,
      }),
    )
    const changes = (await record()).filter(({ action }) => action === 'policy.changed')
    expect(changes.map(({ data: { before, after } }) => [before !== '', after !== ''])).toEqual([
      [true, true],
      [false, true],
    ])
  })

  test('decides locked settings, whatever the person chose', async () => {
    await start({ locked: { 'approvals.armDelayMs': 2000 } })
    const { settings, policy } = await app!.app.handlers['settings.get']({})
    expect([settings.armDelayMs, policy.locked]).toEqual([2000, ['armDelayMs']])
    await expect(async () => app!.app.handlers['settings.set']({ armDelayMs: 300 })).rejects.toThrow(
      'Set by Northwind IT',
    )
    await app!.app.handlers['settings.set']({ armDelayMs: 2000, runTimeoutMs: 5000 })
  })

  test('ends hosts that a person gave, for good, and that is on record', async () => {
    await start({})
    const file = join(app!.dataDir, 'satchel.db')
    const beside = openDb(file)
    const grant = { skillKey: 'personal:/marmalade', skillName: 'marmalade', treeDigest: 'a', at: 1 }
    putHostGrant(beside.sql, { ...grant, host: 'api.example.com:443' })
    beside.close()
    const given = async () => (await app!.app.handlers['hosts.list']({})).map(({ host }) => host)
    expect(await given()).toEqual(['api.example.com:443'])
    put({ network: { allow: ['other.example.com'] } })
    await app!.app.handlers['projects.open']({ dir: app!.project('kitchen') })
    expect(await given()).toEqual([])
    put({})
    await app!.app.handlers['projects.open']({ dir: app!.project('garden') })
    expect(await given()).toEqual([])
    const revoked = (await record()).filter(({ action }) => action === 'host.revoked')
    expect(revoked.map(({ actor, target, data }) => [actor, target, data['reason']])).toEqual([
      ['app', 'api.example.com:443', 'policy'],
    ])
  })

  test('has the record written to its file', async () => {
    const file = join(dir, 'audit.jsonl')
    await start({ audit: { write_to: file } })
    await app!.app.handlers['settings.set']({ runTimeoutMs: 5000 })
    await app!.stop()
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual([
      'policy.changed',
      'settings.changed',
    ])
  })
})

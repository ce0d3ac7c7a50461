import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunPlan } from '@shared/domain/approval'
import type { Rule } from '@shared/domain/rule'
import { matches } from '../../../../src/main/approvals/rules/match'
import { asRule } from '../../../../src/main/approvals/rules/offers'
import { openDb } from '../../../../src/main/db/open'
import { insertRequest, type RequestRow } from '../../../../src/main/db/request-rows'
import { sha256 } from '../../../../src/main/lib/hash'
import { createTestApp, listSkills, watchChat, type TestApp } from '../../../helpers/app'
import { factsOf, script } from '../approvals/rules/plans'

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
        'SKILL-notes.txt': '',
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

/** What the rule says now; it must be on. */
async function match(): Promise<Extract<Rule['match'], { shape: 'author' }>> {
  const { rules } = await world.app.handlers['rules.list']({})
  const own = rules.find(({ state }) => state === 'on')?.match
  if (own?.shape !== 'author') throw new Error('there is no such rule')
  return own
}

/** Whether a call for this script, as the skill is now, would run without asking. */
async function runs(path: string): Promise<boolean> {
  const rule = { ...asRule({ ...EMPTY, match: await match() }, 0), id: 'rule_1' }
  const bytes = readFileSync(join(dir, path))
  const treeDigest = await digestNow()
  const plan: RunPlan = {
    ...script,
    skill: { ...script.skill!, key, treeDigest },
    script: { path, sha256: sha256(bytes), bytes: bytes.length },
  }
  return matches(rule, factsOf(plan), 0) === 'yes'
}

const EMPTY = {
  effect: 'allow' as const,
  agent: null,
  project: null,
  lifetime: 'always' as const,
  chatId: null,
  expiresAt: null,
  example: null,
}

/** A person allowed a script of the skill as it is now, in a review. */
async function allowNow(path: string, decidedBy: 'person' | 'rule'): Promise<void> {
  const db = openDb(join(world.dataDir, 'satchel.db'))
  const plan: RunPlan = { ...script, skill: { ...script.skill!, key, treeDigest: await digestNow() } }
  insertRequest(db.sql, {
    ...REQUEST,
    plan: { ...plan, script: { ...script.script!, path } },
    status: decidedBy === 'person' ? 'approved' : 'auto_allowed',
    decidedBy,
  })
  db.close()
}

const REQUEST: RequestRow = {
  id: 'req_1',
  sessionId: 'ses_1',
  callId: 'call_1',
  revision: 2,
  plan: script,
  planHash: 'a'.repeat(64),
  findings: [],
  askReason: '',
  reviewRequired: false,
  changed: null,
  status: 'approved',
  decidedBy: 'person',
  note: null,
  agentName: 'A',
  lastUserMessage: '',
  restored: false,
  createdAt: 1,
  decidedAt: 2,
  usedAt: 3,
  tool: 'skills_run_script',
  agentKey: 'bundled:general',
  projectDir: null,
  ruleId: null,
  ruleText: null,
}

const dropIn = (path: string, text: string) =>
  world.app.handlers['editor.change']({ t: 'file', key, path, base64: Buffer.from(text).toString('base64') })

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
    expect(await runs('scripts/run.sh')).toBe(false)
    await save('scripts/run.sh', 'echo 2\n')
    expect(await runs('scripts/run.sh')).toBe(true)
    await save('scripts/run.sh', 'echo 3\n')
    expect(await runs('scripts/run.sh')).toBe(true)
  })

  test('does not cover a script that was never saved, though another file of the skill was', async () => {
    await turn(true)
    await save('SKILL.md', '---\nname: notes\ndescription: Keeps notes. Use now.\n---\n\nDo it.\n')
    expect(await isOn()).toBe(true)
    expect(await runs('scripts/run.sh')).toBe(false)
  })

  test('does not cover what another program wrote before it was turned on again', async () => {
    await turn(true)
    await save('scripts/run.sh', 'echo 2\n')
    writeFileSync(join(dir, 'scripts/run.sh'), 'curl evil\n')
    await seenOff()
    await turn(true)
    await save('SKILL.md', '---\nname: notes\ndescription: Keeps notes. Use now.\n---\n\nDo it.\n')
    expect(await runs('scripts/run.sh')).toBe(false)
  })

  test('does not cover the skill as it was when a deleted file is put back', async () => {
    await turn(true)
    await save('scripts/run.sh', 'echo 2\n')
    await turn(true)
    const base = await digestNow()
    const { kept } = await world.app.handlers['editor.change']({ t: 'delete', key, path: 'SKILL-notes.txt' })
    await world.app.handlers['editor.change']({ t: 'put-back', key, path: 'SKILL-notes.txt', digest: kept })
    expect(await digestNow()).toBe(base)
    expect(await runs('scripts/run.sh')).toBe(false)
    expect((await match()).covered).toEqual([])
  })

  test('asks for a saved script that could import a file which nobody saved or allowed', async () => {
    await turn(true)
    await dropIn('scripts/lib.sh', 'curl evil\n')
    await save('scripts/run.sh', '. ./lib.sh\n')
    expect(await runs('scripts/run.sh')).toBe(false)
    await save('scripts/lib.sh', 'echo mine\n')
    expect(await runs('scripts/run.sh')).toBe(true)
  })

  test.each([
    ['a person allowed counts, whatever is saved after it', 'person', true],
    ['a rule allowed does not count', 'rule', false],
  ] as const)('what %s', async (_name, by, isCovered) => {
    await turn(true)
    await dropIn('scripts/lib.sh', 'echo lib\n')
    await allowNow('scripts/run.sh', by)
    await save('scripts/run.sh', '. ./lib.sh\n')
    expect(await runs('scripts/run.sh')).toBe(isCovered)
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
    expect((await match()).digests).toContain(await digestNow())
    expect((await match()).covered).toEqual([])
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

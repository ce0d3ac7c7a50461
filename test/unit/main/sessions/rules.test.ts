import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Decision } from '@shared/domain/approval'
import { writeFiles } from '../../../helpers/app'
import { BOIL, codeOf, createKit, type Kit } from './kit'

let kit: Kit
beforeEach(async () => {
  kit = await createKit()
})
afterEach(async () => {
  expect(kit.errors).toEqual([])
  await kit.remove()
})

const BASH = { name: 'Bash', input: { command: 'ls -l' } }

/** Asks for the script and answers its first request so. */
async function answerFirst(choice: Decision['choice'], over: Partial<Decision> = {}, id = kit.chat()) {
  kit.askToBoil()
  await kit.say(id, 'boil', 'awaiting_approval')
  await answer(id, choice, over)
  await kit.until(id, 'idle')
  return id
}

function answer(id: string, choice: Decision['choice'], over: Partial<Decision> = {}) {
  const { id: requestId, revision, planHash } = kit.waiting(id)
  return kit.sessions.decide({
    requestId,
    revision,
    planHash,
    choice,
    acknowledged: [],
    ...(choice === 'chat' || choice === 'always' ? { remember: { args: 'exact', days: 30 } } : {}),
    ...over,
  })
}

/** What becomes of another call in this chat: its request, or what was asked. */
async function again(id: string, call = BOIL, state: 'idle' | 'awaiting_approval' = 'idle') {
  kit.answers.push({ calls: [call] })
  await kit.say(id, 'again', state)
  return kit.deps.broker.get(kit.calls(id).at(-1)?.requestId ?? '')!
}

describe('a choice that is remembered', () => {
  test('"for this chat" allows the same again in this chat, and asks in another', async () => {
    const id = await answerFirst('chat')
    expect(await again(id)).toMatchObject({ status: 'auto_allowed', decidedBy: 'rule' })
    expect(kit.ran).toHaveLength(2)
    const other = kit.chat()
    kit.askToBoil()
    await kit.say(other, 'boil', 'awaiting_approval')
    expect(kit.ran).toHaveLength(2)
  })

  test('"always" allows the same in every chat of the same agent and place, after a restart too', async () => {
    await answerFirst('always')
    kit = await kit.restart()
    const other = kit.chat()
    kit.askToBoil()
    await kit.say(other, 'boil')
    expect(kit.ran).toHaveLength(1)
    expect(kit.actions().slice(-8)).toEqual(
      expect.arrayContaining(['request.created', 'request.auto_allowed']),
    )
    expect(kit.deps.rules.list([]).rules[0]).toMatchObject({ useCount: 1, lifetime: 'always' })
  })

  test('asks again with other arguments, and when one byte of the skill changed', async () => {
    const id = await answerFirst('always')
    const withArgs = { ...BOIL, input: { ...BOIL.input, args: ['--hot'] } }
    expect(await again(id, withArgs, 'awaiting_approval')).toMatchObject({ status: 'pending' })
    await answer(id, 'deny')
    await kit.until(id, 'idle')
    writeFileSync(join(kit.home, '.satchel/skills/jam/references/rules.md'), 'one\ntwo\nthree!\n')
    expect(await again(id, BOIL, 'awaiting_approval')).toMatchObject({ status: 'pending' })
  })

  test('goes with its chat', async () => {
    const id = await answerFirst('chat')
    await kit.sessions.remove(id)
    expect(kit.deps.rules.list([]).rules).toEqual([])
  })

  test('is on record together with the answer, and says what it allows', async () => {
    await answerFirst('always')
    expect(kit.actions()).toEqual(expect.arrayContaining(['rule.created', 'request.allowed']))
    expect(kit.deps.rules.list([]).rules[0]?.createdFrom).toMatch(/^req_/)
  })

  test('is refused where it was not offered: nothing runs, and the request waits on', async () => {
    const id = kit.chat()
    kit.answers.push({ calls: [{ name: 'Bash', input: { command: 'git status' } }] })
    await kit.say(id, 'go', 'awaiting_approval')
    expect(await codeOf(() => answer(id, 'always'))).toBe('bad_input')
    expect(await codeOf(() => answer(id, 'always', { remember: { args: 'anyArgs', days: 30 } }))).toBe(
      'bad_input',
    )
    expect(kit.waiting(id).status).toBe('pending')
    expect(kit.ran).toEqual([])
    expect(kit.deps.rules.list([]).rules).toEqual([])
  })

  test('of a command means its exact text', async () => {
    const id = kit.chat()
    kit.answers.push({ calls: [BASH] })
    await kit.say(id, 'go', 'awaiting_approval')
    await answer(id, 'chat')
    await kit.until(id, 'idle')
    expect(await again(id, BASH)).toMatchObject({ status: 'auto_allowed' })
    const other = { name: 'Bash', input: { command: 'ls -l; touch PWN' } }
    expect(await again(id, other, 'awaiting_approval')).toMatchObject({ status: 'pending' })
  })
})

describe('what already waits', () => {
  test('goes on as superseded when a rule that allows it is made', async () => {
    const first = kit.chat()
    const second = kit.chat()
    for (const id of [first, second]) {
      kit.askToBoil()
      await kit.say(id, 'boil', 'awaiting_approval')
    }
    const waiting = kit.waiting(second)
    await answer(first, 'always')
    expect(await kit.sessions.settleByRules(true)).toBe(1)
    await kit.until(first, 'idle')
    await kit.until(second, 'idle')
    expect(kit.deps.broker.get(waiting.id)).toMatchObject({ status: 'superseded', decidedBy: 'rule' })
    expect(kit.ran).toHaveLength(2)
  })

  test('is not allowed by a rule when its files changed meanwhile', async () => {
    const first = kit.chat()
    const second = kit.chat()
    for (const id of [first, second]) {
      kit.askToBoil()
      await kit.say(id, 'boil', 'awaiting_approval')
    }
    const before = kit.waiting(second)
    await answer(first, 'always')
    await kit.until(first, 'idle')
    writeFileSync(join(kit.home, '.satchel/skills/jam/scripts/boil.sh'), 'echo other\n')
    await kit.sessions.settleByRules(true)
    expect(kit.deps.broker.get(before.id)?.status).toBe('stale')
    expect(kit.waiting(second).status).toBe('pending')
    expect(kit.ran).toHaveLength(1)
  })

  test('is denied when the chat is set to run no scripts, and never allowed by another mode', async () => {
    const id = await answerFirst('always')
    await kit.sessions.setMode(id, 'every-time')
    expect(await again(id, BOIL, 'awaiting_approval')).toMatchObject({
      askReason: 'This chat asks every time.',
    })
    await kit.sessions.setMode(id, 'ask')
    expect(kit.waiting(id).status).toBe('pending')
    const waiting = kit.waiting(id)
    await kit.sessions.setMode(id, 'never')
    await kit.until(id, 'idle')
    expect(kit.deps.broker.get(waiting.id)).toMatchObject({ status: 'denied', decidedBy: 'mode' })
    expect(kit.calls(id).at(-1)?.envelope?.error).toContain('This chat is set to run no scripts')
    expect(kit.ran).toHaveLength(1)
  })

  test('is all refused at once, and every chat goes on', async () => {
    const ids = [kit.chat(), kit.chat()]
    for (const id of ids) {
      kit.askToBoil()
      await kit.say(id, 'boil', 'awaiting_approval')
    }
    expect(await kit.sessions.denyAll('')).toBe(2)
    for (const id of ids) await kit.until(id, 'idle')
    expect(kit.ran).toEqual([])
    expect(kit.deps.broker.pending()).toEqual([])
  })
})

describe('a rule that denies', () => {
  test('"Always deny this script" refuses it from now on, without asking and with its reason', async () => {
    const id = await answerFirst('deny_always')
    expect(await again(id)).toMatchObject({ status: 'auto_denied', decidedBy: 'rule' })
    expect(kit.calls(id).at(-1)).toMatchObject({ state: 'denied' })
    expect(kit.calls(id).at(-1)?.envelope?.error).toMatch(/^A rule denies this run: Deny boil\.sh from jam/)
    expect(kit.ran).toEqual([])
  })

  test('wins over a later one that allows', async () => {
    const id = await answerFirst('deny_always')
    kit.deps.rules.change({ id: kit.deps.rules.list([]).rules[0]!.id, state: 'off' })
    kit.answers.push({ calls: [BOIL] })
    await kit.say(id, 'again', 'awaiting_approval')
    await answer(id, 'always')
    await kit.until(id, 'idle')
    const deny = kit.deps.rules.list([]).rules.find(({ effect }) => effect === 'deny')!
    kit.deps.rules.change({ id: deny.id, state: 'on' })
    expect(await again(id)).toMatchObject({ status: 'auto_denied' })
  })

  test('of a project holds there although the agent may write without asking', async () => {
    const dir = join(kit.home, 'project')
    writeFiles(dir, {
      '.satchel/rules.json': JSON.stringify({
        rules: [{ effect: 'deny', shape: 'tool', match: { tool: 'Bash' } }],
      }),
    })
    kit.projects.push({ dir, name: 'project', trusted: true, openedAt: 1 })
    const id = kit.chat(dir)
    kit.answers.push({ calls: [BASH] })
    await kit.say(id, 'go')
    expect(kit.calls(id).at(-1)).toMatchObject({ state: 'denied' })
  })

  test.each([
    ['allows', { rules: [{ effect: 'allow', shape: 'tool', match: { tool: 'Bash' } }] }],
    ['is not understood', { rules: [{ effect: 'deny', shape: 'regex', match: { tool: 'Bash' } }] }],
    ['is broken', 'no'],
  ])('a file of a project that %s lets nobody run anything', async (_, file) => {
    const dir = join(kit.home, 'project')
    writeFiles(dir, { '.satchel/rules.json': JSON.stringify(file) })
    kit.projects.push({ dir, name: 'project', trusted: true, openedAt: 1 })
    const id = kit.chat(dir)
    kit.answers.push({ calls: [BASH] })
    await kit.say(id, 'go', 'awaiting_approval')
    expect(kit.ran).toEqual([])
    expect(kit.deps.rules.list([dir]).notes).toHaveLength(1)
  })
})

describe('rules that can’t be relied on', () => {
  test('are turned off at the start, and a person is told', async () => {
    await answerFirst('always')
    kit.deps.db.sql.exec(`UPDATE rules SET body = replace(body, '"fingerprint":"', '"fingerprint":"0')`)
    kit.deps.db.sql.exec(`UPDATE rules SET body = replace(body, '"script":', '"skript":')`)
    expect(kit.deps.rules.test()).toEqual([
      'A rule can’t be read. Until it is gone, everything is asked for.',
    ])
  })

  test('that no longer match what they were made from are off afterwards', async () => {
    const id = await answerFirst('always')
    const { id: ruleId } = kit.deps.rules.list([]).rules[0]!
    kit.deps.db.sql
      .prepare(`UPDATE rules SET body = json_set(body, '$.match.fingerprint', ?) WHERE id = ?`)
      .run('e'.repeat(64), ruleId)
    expect(kit.deps.rules.test()[0]).toMatch(/^A rule was turned off\. It no longer matches/)
    expect(kit.deps.rules.list([]).rules[0]).toMatchObject({ state: 'off' })
    expect(kit.actions()).toContain('rule.disabled')
    expect(await again(id, BOIL, 'awaiting_approval')).toMatchObject({ status: 'pending' })
  })

  test('one that can’t be read keeps all others from allowing', async () => {
    const id = await answerFirst('chat')
    kit.deps.db.sql.exec(
      `INSERT INTO rules (id, state, body, created_at) VALUES ('rule_x', 'on', 'not JSON', 1)`,
    )
    expect(await again(id, BOIL, 'awaiting_approval')).toMatchObject({
      askReason: 'A rule could not be read, so none allows anything.',
    })
  })
})

test('an approval by rule that started nothing before a crash is asked for again', async () => {
  const id = await answerFirst('always')
  kit.run.before = () => new Promise(() => undefined)
  kit.answers.push({ calls: [BOIL] })
  kit.sessions.send(id, 'again')
  await vi.waitFor(() => expect(kit.actions()).toContain('request.auto_allowed'))
  kit.killed()
  kit = await kit.crash()
  expect(kit.waiting(id)).toMatchObject({ status: 'pending', restored: true, ruleId: null })
  expect(kit.ran).toEqual([])
})

test('a rule says how many of the last requests it would have matched', async () => {
  const id = await answerFirst('chat')
  await again(id)
  const [rule] = kit.deps.rules.list([]).rules
  expect(kit.deps.rules.wouldMatch(rule!)).toMatchObject({ of: 2, matched: [{}, {}] })
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SessionEvent } from '@shared/domain/session'
import { queryAudit } from '../../../../../src/main/db/audit-rows'
import { toDetail } from '../../../../../src/main/sessions/history/detail'
import { brokenPrefix, codeOf, createKit, deferred, LOAD, READ, type Kit } from '../kit'

let kit: Kit

beforeEach(async () => {
  kit = await createKit()
})
afterEach(async () => {
  expect(kit.errors).toEqual([])
  await kit.remove()
})

const messageId = (id: string, text: string) =>
  kit.messages(id).find(({ parts }) => parts.some((part) => part.type === 'text' && part.text === text))!.id
const branches = (id: string) => toDetail(kit.deps, kit.row(id)).branches
const history = (n: number) => JSON.stringify(kit.asked[n]?.history)

async function edit(id: string, from: string, to: string): Promise<void> {
  await kit.sessions.edit(id, messageId(id, from), to)
  await kit.until(id, 'idle')
}

describe('editing a message', () => {
  test('asks with what was said before it and the new text, and nothing of what followed', async () => {
    kit.answers.push({ text: 'A1' }, { text: 'A2' }, { text: 'B2' })
    const id = kit.chat()
    await kit.say(id, 'one')
    await kit.say(id, 'two')
    await edit(id, 'two', 'zwei')
    expect(kit.said(id)).toEqual(['user: one', 'assistant: A1', 'user: zwei', 'assistant: B2'])
    expect(history(2)).toBe(history(1).replace('"two"', '"zwei"'))
  })

  test('keeps the old branch word for word, and it can be shown and gone on with', async () => {
    kit.answers.push({ text: 'A1' }, { text: 'A2' }, { text: 'B1' }, { text: 'A3' })
    const id = kit.chat()
    await kit.say(id, 'one')
    await kit.say(id, 'two')
    const before = kit.messages(id)
    await edit(id, 'one', 'eins')
    expect(kit.said(id)).toEqual(['user: eins', 'assistant: B1'])
    const [old] = branches(id).points[0]!.siblings
    await kit.sessions.showBranch(id, old!)
    expect(kit.messages(id)).toEqual(before)
    await kit.say(id, 'three')
    const said = ['user: one', 'assistant: A1', 'user: two', 'assistant: A2', 'user: three', 'assistant: A3']
    expect(kit.said(id)).toEqual(said)
    expect(brokenPrefix([kit.asked[0]!, kit.asked[1]!, kit.asked[3]!])).toBeNull()
  })

  test('says where the branches are and which one is shown', async () => {
    const id = kit.chat()
    await kit.say(id, 'one')
    expect(branches(id)).toEqual({ count: 1, at: 1, points: [] })
    await edit(id, 'one', 'eins')
    await edit(id, 'eins', 'un')
    const shown = branches(id)
    expect(shown).toMatchObject({ count: 3, at: 3, points: [{ messageId: messageId(id, 'un') }] })
    expect(shown.points[0]?.siblings).toHaveLength(3)
    await kit.sessions.showBranch(id, shown.points[0]!.siblings[1]!)
    expect(kit.said(id)[0]).toBe('user: eins')
    expect(branches(id).at).toBe(2)
  })

  test('shows the branch that was written last under a message, however deep it divided', async () => {
    kit.answers.push({ text: 'A1' }, { text: 'A2' }, { text: 'A2b' }, { text: 'B1' })
    const id = kit.chat()
    await kit.say(id, 'one')
    await kit.say(id, 'two')
    await edit(id, 'two', 'zwei')
    await edit(id, 'one', 'eins')
    await kit.sessions.showBranch(id, branches(id).points[0]!.siblings[0]!)
    expect(kit.said(id)).toEqual(['user: one', 'assistant: A1', 'user: zwei', 'assistant: A2b'])
  })

  test('an answer, a lost message and an empty text are refused, and nothing changes', async () => {
    const id = kit.chat()
    await kit.say(id, 'one')
    const before = kit.messages(id)
    const answer = messageId(id, 'Nothing more.')
    expect(await codeOf(() => kit.sessions.edit(id, answer, 'x'))).toBe('bad_input')
    expect(await codeOf(() => kit.sessions.edit(id, 'msg_none', 'x'))).toBe('not_found')
    expect(await codeOf(() => kit.sessions.edit(id, messageId(id, 'one'), '  '))).toBe('bad_input')
    expect(await codeOf(() => kit.sessions.retry(id, messageId(id, 'one')))).toBe('bad_input')
    expect(await codeOf(() => kit.sessions.showBranch(id, 'msg_none'))).toBe('not_found')
    expect(kit.messages(id)).toEqual(before)
  })

  test('a message of another chat is none of this one', async () => {
    const [a, b] = [kit.chat(), kit.chat()]
    await kit.say(a, 'one')
    await kit.say(b, 'other')
    expect(await codeOf(() => kit.sessions.edit(b, messageId(a, 'one'), 'x'))).toBe('not_found')
    expect(await codeOf(() => kit.sessions.showBranch(b, messageId(a, 'one')))).toBe('not_found')
  })
})

describe('trying an answer again', () => {
  test('asks the same once more, and both answers stay', async () => {
    kit.answers.push({ text: 'A' }, { text: 'B' })
    const id = kit.chat()
    await kit.say(id, 'one')
    await kit.sessions.retry(id, messageId(id, 'A'))
    await kit.until(id, 'idle')
    expect(kit.said(id)).toEqual(['user: one', 'assistant: B'])
    expect(history(1)).toBe(history(0))
    await kit.sessions.showBranch(id, branches(id).points[0]!.siblings[0]!)
    expect(kit.said(id)).toEqual(['user: one', 'assistant: A'])
  })

  test('behind calls their results stay: nothing is done a second time', async () => {
    kit.answers.push({ calls: [LOAD] }, { calls: [READ] }, { text: 'A' }, { text: 'B' })
    const id = kit.chat()
    await kit.say(id, 'one')
    await kit.sessions.retry(id, messageId(id, 'A'))
    await kit.until(id, 'idle')
    expect(kit.asked[3]?.history).toEqual(kit.asked[2]?.history)
    expect(kit.calls(id).map(({ name }) => name)).toEqual(['skills_load', 'skills_read'])
  })

  test('the calls of another branch are not part of this one, and steps are never numbered twice', async () => {
    kit.answers.push({ text: 'I load.', calls: [LOAD] }, { text: 'A' }, { calls: [READ] }, { text: 'B' })
    const id = kit.chat()
    await kit.say(id, 'one')
    await kit.sessions.retry(id, messageId(id, 'I load.'))
    await kit.until(id, 'idle')
    expect(kit.calls(id).map(({ step, name }) => [step, name])).toEqual([[2, 'skills_read']])
    expect(kit.calls(id)[0]?.envelope?.error_code).toBe('no_active_skill')
  })

  test('a failed answer can be tried again in its place', async () => {
    kit.answers.push({ text: 'half', fails: 'It is down.' }, { text: 'whole' })
    const id = kit.chat()
    await kit.say(id, 'one')
    await kit.sessions.retry(id, messageId(id, 'half'))
    await kit.until(id, 'idle')
    expect(kit.said(id)).toEqual(['user: one', 'assistant: whole'])
    expect(history(1)).toBe(history(0))
  })
})

describe('active skills of a branch', () => {
  test('are those of the place where it begins; those of the old one come back with it', async () => {
    kit.answers.push({ calls: [LOAD] }, { text: 'A' })
    const id = kit.chat()
    await kit.say(id, 'one')
    const digest = kit.row(id).activeSkills[0]!.digest
    await edit(id, 'one', 'eins')
    expect(kit.row(id).activeSkills).toEqual([])
    expect(JSON.stringify(kit.asked.at(-1)?.instructions)).not.toContain('scripts/boil.sh')
    await kit.sessions.showBranch(id, branches(id).points[0]!.siblings[0]!)
    expect(kit.row(id).activeSkills).toMatchObject([{ name: 'jam', digest }])
  })

  test('what was loaded before the branch stays active in it', async () => {
    kit.answers.push({ calls: [LOAD] }, { text: 'A' }, { text: 'B' })
    const id = kit.chat()
    await kit.say(id, 'one')
    await kit.say(id, 'two')
    await edit(id, 'two', 'zwei')
    expect(kit.row(id).activeSkills).toMatchObject([{ name: 'jam' }])
    expect(JSON.stringify(kit.asked.at(-1)?.instructions)).toContain('scripts/boil.sh')
  })

  test('what is told of them when going on to another branch takes the place of what was told before', async () => {
    kit.answers.push({ calls: [LOAD] }, { text: 'A' })
    const id = kit.chat()
    await kit.say(id, 'one')
    await edit(id, 'one', 'eins')
    await kit.sessions.showBranch(id, branches(id).points[0]!.siblings[0]!)
    const about = kit.events.flatMap((event) => (event.t === 'notice' ? [event.about] : []))
    expect(about).toEqual([expect.stringContaining(id), about[0]])
  })

  test('the person is told when they change, and the record says that a person did it', async () => {
    kit.answers.push({ calls: [LOAD] }, { text: 'A' })
    const id = kit.chat()
    await kit.say(id, 'one')
    await edit(id, 'one', 'eins')
    const notices = kit.events.flatMap((event) => (event.t === 'notice' ? [event.message] : []))
    expect(notices).toEqual(['No skill is active here: none was at this point of the chat.'])
    expect(kit.actions().filter((action) => action.startsWith('skill.'))).toEqual([
      'skill.loaded',
      'skill.unloaded',
    ])
    await kit.sessions.showBranch(id, branches(id).points[0]!.siblings[0]!)
    const [last] = queryAudit(kit.deps.db.sql, { limit: 1 })
    expect(last).toMatchObject({ action: 'skill.loaded', actor: 'person', target: 'jam' })
  })
})

describe('branches and what is under way', () => {
  test('while the agent works no branch begins or is shown', async () => {
    const hold = deferred()
    kit.answers.push({ text: 'A' }, { text: 'B', hold: hold.promise })
    const id = kit.chat()
    await kit.say(id, 'one')
    kit.sessions.send(id, 'two')
    await vi.waitFor(() => expect(kit.asked).toHaveLength(2))
    expect(await codeOf(() => kit.sessions.edit(id, messageId(id, 'one'), 'x'))).toBe('busy')
    expect(await codeOf(() => kit.sessions.retry(id, messageId(id, 'A')))).toBe('busy')
    expect(await codeOf(() => kit.sessions.showBranch(id, messageId(id, 'A')))).toBe('busy')
    hold.resolve()
    await kit.until(id, 'idle')
    expect(kit.said(id)).toEqual(['user: one', 'assistant: A', 'user: two', 'assistant: B'])
  })

  test('nor while a request waits: it is answered or stopped first', async () => {
    kit.askToBoil()
    const id = kit.chat()
    await kit.say(id, 'one', 'awaiting_approval')
    expect(await codeOf(() => kit.sessions.edit(id, messageId(id, 'one'), 'x'))).toBe('busy')
    expect(kit.waiting(id).status).toBe('pending')
    await kit.sessions.stop(id, false)
    await edit(id, 'one', 'eins')
    expect(kit.said(id)[0]).toBe('user: eins')
  })

  test('what a crash left open is cancelled when another branch begins, and never carried out', async () => {
    kit.askToBoil()
    const id = kit.chat()
    await kit.say(id, 'one', 'awaiting_approval')
    await kit.decide(kit.waiting(id), 'deny')
    await kit.until(id, 'idle')
    const hold = deferred()
    kit.answers.push({ text: 'half', hold: hold.promise })
    kit.sessions.send(id, 'two')
    await vi.waitFor(() => expect(kit.messages(id).at(-1)?.status).toBe('streaming'))
    const crashed = kit
    kit = await crashed.crash([{ text: 'whole' }])
    expect(kit.row(id).state).toBe('interrupted')
    await edit(id, 'two', 'zwei')
    expect(kit.said(id).slice(-2)).toEqual(['user: zwei', 'assistant: whole'])
    expect(kit.calls(id).every(({ state }) => state !== 'ready' && state !== 'running')).toBe(true)
    crashed.errors.length = 0
  })

  test('a message that waited in the queue is said in the branch that is shown', async () => {
    const hold = deferred()
    kit.answers.push({ text: 'A', hold: hold.promise }, { text: 'B' })
    const id = kit.chat()
    kit.sessions.send(id, 'one')
    await vi.waitFor(() => expect(kit.asked).toHaveLength(1))
    kit.sessions.send(id, 'next')
    await kit.sessions.stop(id, false)
    await edit(id, 'one', 'eins')
    expect(kit.said(id)).toEqual(['user: eins', 'user: next', 'assistant: B'])
  })

  test('which branch is shown survives a restart', async () => {
    const id = kit.chat()
    await kit.say(id, 'one')
    await edit(id, 'one', 'eins')
    await kit.sessions.showBranch(id, branches(id).points[0]!.siblings[0]!)
    kit = await kit.restart()
    expect(kit.said(id)[0]).toBe('user: one')
    expect(branches(id)).toMatchObject({ count: 2, at: 1 })
  })
})

describe('readers of the chat', () => {
  test('get it anew when another branch is shown', async () => {
    const id = kit.chat()
    await kit.say(id, 'one')
    const closing = new AbortController()
    const events: SessionEvent[] = []
    const reading = (async () => {
      for await (const event of kit.sessions.watch(id, closing.signal)) events.push(event)
    })()
    await vi.waitFor(() => expect(events).toHaveLength(1))
    await edit(id, 'one', 'eins')
    await kit.sessions.showBranch(id, branches(id).points[0]!.siblings[0]!)
    await vi.waitFor(() => expect(events.filter(({ t }) => t === 'snapshot')).toHaveLength(3))
    const last = events.findLast((event) => event.t === 'snapshot')
    expect(last?.t === 'snapshot' && last.messages.map(({ id }) => id)).toEqual(
      kit.messages(id).map(({ id }) => id),
    )
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, n) => events[0]!.seq + n))
    closing.abort()
    await reading
  })
})

describe('another program on the same data', () => {
  test('that shows another branch gives readers here the chat anew; at work in the chat it keeps others out', async () => {
    kit.answers.push({ text: 'A' }, { text: 'B' })
    const id = kit.chat()
    await kit.say(id, 'one')
    await edit(id, 'one', 'eins')
    const closing = new AbortController()
    const events: SessionEvent[] = []
    const reading = (async () => {
      for await (const event of kit.sessions.watch(id, closing.signal)) events.push(event)
    })()
    await vi.waitFor(() => expect(events).toHaveLength(1))
    const beside = await createKit({ home: kit.home })
    await beside.sessions.showBranch(id, branches(id).points[0]!.siblings[0]!)
    kit.sessions.changedElsewhere()
    await vi.waitFor(() => expect(events).toHaveLength(2))
    const last = events.at(-1)!
    expect(last.t === 'snapshot' && last.messages.map(({ parts }) => parts[0])).toEqual([
      { type: 'text', text: 'one' },
      { type: 'text', text: 'A' },
    ])
    const hold = deferred()
    beside.answers.push({ text: 'C', hold: hold.promise })
    beside.sessions.send(id, 'two')
    await vi.waitFor(() => expect(beside.asked).toHaveLength(1))
    expect(await codeOf(() => kit.sessions.edit(id, messageId(id, 'one'), 'x'))).toBe('busy')
    hold.resolve()
    await beside.until(id, 'idle')
    closing.abort()
    await reading
    await beside.sessions.close()
    beside.deps.registry.close()
    beside.deps.db.close()
    beside.killed()
  })
})

describe('messages that wait', () => {
  test('can be taken out of the queue, also after a stop; those that were said can not', async () => {
    const hold = deferred()
    kit.answers.push({ text: 'A', hold: hold.promise }, { text: 'B' })
    const id = kit.chat()
    kit.sessions.send(id, 'one')
    await vi.waitFor(() => expect(kit.asked).toHaveLength(1))
    kit.sessions.send(id, 'next')
    await kit.sessions.stop(id, false)
    const queued = messageId(id, 'next')
    kit.sessions.unqueue(id, queued)
    expect(await codeOf(() => kit.sessions.unqueue(id, queued))).toBe('not_found')
    expect(await codeOf(() => kit.sessions.unqueue(id, messageId(id, 'one')))).toBe('not_found')
    await kit.say(id, 'two')
    expect(kit.said(id).filter((line) => line.startsWith('user'))).toEqual(['user: one', 'user: two'])
  })
})

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { brokenPrefix, codeOf, createKit, deferred, READ, type Kit } from './kit'

let kit: Kit

beforeEach(async () => {
  kit = await createKit()
})
afterEach(async () => {
  expect(brokenPrefix(kit.asked)).toBeNull()
  await kit.remove()
})

describe('sending', () => {
  test('messages sent during a step are delivered after it, in their order', async () => {
    const id = kit.chat()
    const hold = deferred()
    kit.answers.push({ text: 'one', hold: hold.promise }, { text: 'two' })
    kit.sessions.send(id, 'first')
    await vi.waitFor(() => expect(kit.asked).toHaveLength(1))
    expect(kit.sessions.send(id, 'second').queued).toBe(true)
    expect(kit.sessions.send(id, 'third').queued).toBe(true)
    hold.resolve()
    await kit.until(id, 'idle')
    expect(kit.said(id)).toEqual([
      'user: first',
      'assistant: one',
      'user: second',
      'user: third',
      'assistant: two',
    ])
  })

  test('a message sent after Stop, while the turn still ends, is answered', async () => {
    const id = kit.chat()
    kit.answers.push({ text: 'one', hold: new Promise(() => undefined) }, { text: 'two' })
    kit.sessions.send(id, 'first')
    await vi.waitFor(() => expect(kit.asked).toHaveLength(1))
    const stopping = kit.sessions.stop(id, false)
    kit.sessions.send(id, 'second')
    await stopping
    await kit.until(id, 'idle')
    expect(kit.said(id).slice(-2)).toEqual(['user: second', 'assistant: two'])
  })

  test('what was queued before a stop stays before what is sent after it', async () => {
    const id = kit.chat()
    kit.answers.push({ text: 'one', hold: new Promise(() => undefined) }, { text: 'two' })
    kit.sessions.send(id, 'first')
    await vi.waitFor(() => expect(kit.asked).toHaveLength(1))
    kit.sessions.send(id, 'second')
    await kit.sessions.stop(id, false)
    await kit.say(id, 'third')
    expect(kit.said(id)).toEqual([
      'user: first',
      'assistant: one',
      'user: second',
      'user: third',
      'assistant: two',
    ])
  })

  test.each(['', '   ', '\n\t'])('a message without a word (%j) is refused', async (text) => {
    const id = kit.chat()
    expect(await codeOf(() => kit.sessions.send(id, text))).toBe('bad_input')
    expect(kit.messages(id)).toEqual([])
  })

  test('half of a character in a message does not reach the model', async () => {
    const id = kit.chat()
    await kit.say(id, 'a\ud83db')
    expect(kit.asked[0]?.history[0]).toEqual({ role: 'user', text: 'a\ufffdb' })
  })

  test('the first message names the chat, later ones do not', async () => {
    const id = kit.chat()
    await kit.say(id, `${'x'.repeat(80)}\nmore`)
    await kit.say(id, 'another')
    expect(kit.row(id).title).toBe(`${'x'.repeat(59)}…`)
  })

  test('a chat that does not exist is not found', async () => {
    expect(await codeOf(() => kit.sessions.send('ses_none', 'x'))).toBe('not_found')
    expect(await codeOf(() => kit.sessions.resume('ses_none'))).toBe('not_found')
    expect(kit.events).toEqual([])
  })
})

describe('stopping', () => {
  test('keeps the text that arrived, and the chat goes on', async () => {
    const id = kit.chat()
    kit.answers.push({ text: 'half', hold: new Promise(() => undefined) }, { text: 'whole' })
    kit.sessions.send(id, 'first')
    await vi.waitFor(() => expect(kit.asked).toHaveLength(1))
    await kit.sessions.stop(id, false)
    expect(kit.row(id).state).toBe('idle')
    expect(kit.messages(id).at(-1)).toMatchObject({ status: 'stopped', parts: [{ text: 'half' }] })
    await kit.say(id, 'again')
    expect(kit.said(id).at(-1)).toBe('assistant: whole')
  })

  test('while a request waits cancels it and leaves no open call', async () => {
    const id = kit.chat()
    kit.askToBoil()
    await kit.say(id, 'boil', 'awaiting_approval')
    await kit.sessions.stop(id, false)
    expect(kit.row(id).state).toBe('idle')
    expect(kit.deps.broker.pending()).toEqual([])
    expect(kit.calls(id).at(-1)).toMatchObject({ state: 'cancelled', envelope: { error_code: 'cancelled' } })
  })

  test('while a request is being prepared leaves neither a request nor an open call', async () => {
    const id = kit.chat()
    const hold = deferred()
    const { workspaceOf } = kit.deps
    const preparing = vi.fn()
    kit.deps.workspaceOf = async (session) => {
      preparing()
      await hold.promise
      return workspaceOf(session)
    }
    const sessions = kit.sessions
    kit.askToBoil()
    sessions.send(id, 'boil')
    await vi.waitFor(() => expect(kit.calls(id).at(-1)?.name).toBe('skills_run_script'))
    const stopping = sessions.stop(id, false)
    hold.resolve()
    await stopping
    expect(kit.row(id).state).toBe('idle')
    expect(kit.deps.broker.pending()).toEqual([])
    expect(kit.calls(id).at(-1)?.state).toBe('cancelled')
  })

  test('during a run ends it as cancelled', async () => {
    const id = kit.chat()
    const started = deferred()
    kit.run.during = (signal) =>
      new Promise((resolve) => {
        started.resolve()
        signal.addEventListener('abort', () => resolve())
      })
    kit.askToBoil()
    await kit.say(id, 'boil', 'awaiting_approval')
    await kit.decide(kit.waiting(id), 'once')
    await started.promise
    await kit.sessions.stop(id, false)
    expect(kit.row(id).state).toBe('idle')
    expect(kit.calls(id).at(-1)).toMatchObject({ state: 'cancelled', envelope: { error_code: 'killed' } })
    expect(kit.ran).toHaveLength(1)
  })

  test('a chat whose row says that it runs, but does not, is idle again', async () => {
    const id = kit.chat()
    kit.deps.db.sql.prepare(`UPDATE sessions SET state = 'running' WHERE id = ?`).run(id)
    await kit.sessions.stop(id, false)
    expect(kit.row(id).state).toBe('idle')
  })
})

describe('deleting a chat', () => {
  test('during an answer ends the turn and removes it', async () => {
    const id = kit.chat()
    kit.answers.push({ text: 'half', hold: new Promise(() => undefined) })
    kit.sessions.send(id, 'first')
    await vi.waitFor(() => expect(kit.asked).toHaveLength(1))
    await kit.sessions.remove(id)
    expect(kit.sessions.list()).toEqual([])
    expect(kit.sessions.running()).toBe(0)
    expect(kit.errors).toEqual([])
  })

  test('right after a message was sent to it leaves nothing behind', async () => {
    const id = kit.chat()
    kit.answers.push({ text: 'half', hold: new Promise(() => undefined) })
    kit.sessions.send(id, 'first')
    await vi.waitFor(() => expect(kit.asked).toHaveLength(1))
    const stopping = kit.sessions.stop(id, false)
    kit.sessions.send(id, 'second')
    await Promise.all([stopping, kit.sessions.remove(id)])
    expect(kit.sessions.running()).toBe(0)
    expect(kit.sessions.list()).toEqual([])
    expect(kit.errors).toEqual([])
  })

  test('with a pending request cancels it; its request and the record stay', async () => {
    const id = kit.chat()
    kit.askToBoil()
    await kit.say(id, 'boil', 'awaiting_approval')
    const row = kit.waiting(id)
    await kit.sessions.remove(id)
    expect(kit.deps.broker.get(row.id)?.status).toBe('cancelled')
    expect(kit.actions().at(-1)).toBe('request.cancelled')
    expect(await codeOf(() => kit.decide(row, 'once'))).toBe('already_decided')
  })

  test('while a click is checked runs nothing', async () => {
    const id = kit.chat()
    kit.askToBoil()
    await kit.say(id, 'boil', 'awaiting_approval')
    const deciding = codeOf(() => kit.decide(kit.waiting(id), 'once'))
    await kit.sessions.remove(id)
    expect(await deciding).toBe('already_decided')
    expect(kit.ran).toEqual([])
  })
})

describe('loading and unloading by a person', () => {
  test('during a turn is not undone by what the agent loads at the same time', async () => {
    await kit.remove()
    const other = { 'SKILL.md': '---\nname: tea\ndescription: Makes tea.\n---\nTea.\n' }
    const third = { 'SKILL.md': '---\nname: cake\ndescription: Bakes.\n---\nCake.\n' }
    const jam = { 'SKILL.md': '---\nname: jam\ndescription: Boils jam.\n---\nJam.\n' }
    kit = await createKit({ skills: { jam, tea: other, cake: third } })
    const id = kit.chat()
    await kit.sessions.loadSkill(id, 'tea')
    const { snapshot } = kit.deps.store
    const hold = deferred()
    const taking = vi.fn()
    kit.deps.store.snapshot = async (record) => {
      taking(record.name)
      if (record.name === 'jam') await hold.promise
      return snapshot(record)
    }
    kit.answers.push({ calls: [{ name: 'skills_load', input: { names: ['jam'], mode: 'add' } }] })
    kit.sessions.send(id, 'load')
    await vi.waitFor(() => expect(taking).toHaveBeenCalledWith('jam'))
    await kit.sessions.unloadSkill(id, 'tea')
    await kit.sessions.loadSkill(id, 'cake')
    hold.resolve()
    await kit.until(id, 'idle')
    expect(kit.row(id).activeSkills.map(({ name }) => name)).toEqual(['cake', 'jam'])
  })

  test('a name that is not there is refused with the reason', async () => {
    const id = kit.chat()
    expect(await codeOf(() => kit.sessions.loadSkill(id, 'jamm'))).toBe('bad_input')
    expect(await codeOf(() => kit.sessions.unloadSkill(id, 'jam'))).toBe('bad_input')
  })

  test('is a step of the ledger that no model is told of, refused or not', async () => {
    const id = kit.chat()
    await kit.say(id, 'one')
    await kit.sessions.loadSkill(id, 'jam')
    await kit.sessions.unloadSkill(id, 'jam')
    await codeOf(() => kit.sessions.loadSkill(id, 'jamm'))
    await kit.say(id, 'two')
    expect(kit.calls(id).map(({ step, name, state, byPerson }) => [step, name, state, byPerson])).toEqual([
      [1, 'skills_load', 'done', true],
      [2, 'skills_unload', 'done', true],
      [3, 'skills_load', 'failed', true],
    ])
    expect(kit.asked[1]?.history.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    const roles = kit.messages(id).map(({ role }) => role)
    expect(roles).toEqual(['user', 'assistant', 'note', 'note', 'note', 'user', 'assistant'])
  })

  test('while the agent answers leaves the answer and its calls where they are', async () => {
    const hold = deferred()
    kit.answers.push({ text: 'first', hold: hold.promise, calls: [READ] }, { text: 'second' })
    const id = kit.chat()
    kit.sessions.send(id, 'one')
    await vi.waitFor(() => expect(kit.asked).toHaveLength(1))
    await kit.sessions.loadSkill(id, 'jam')
    hold.resolve()
    await kit.until(id, 'idle')
    expect(kit.said(id)).toEqual(['user: one', 'assistant: first', 'note: ', 'assistant: second'])
    expect(kit.asked[1]?.history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  })

  test('before anything was said leaves the chat empty: it follows the default model', async () => {
    const id = kit.chat()
    await kit.sessions.loadSkill(id, 'jam')
    kit.sessions.useInEmptyChats('practice/other')
    expect(kit.row(id).model).toBe('practice/other')
    kit.sessions.resume(id)
    await kit.until(id, 'idle')
    expect(kit.asked).toEqual([])
  })

  test('is on record as done by a person', async () => {
    const id = kit.chat()
    await kit.sessions.loadSkill(id, 'jam')
    await kit.sessions.unloadSkill(id, 'JAM')
    expect(kit.actions()).toEqual(['skill.loaded', 'skill.unloaded'])
    expect(kit.row(id).activeSkills).toEqual([])
  })
})

test.each([{}, { path: '' }, { path: 5 }, { path: 'a.sh', args: 'x' }])(
  'a script that a page asks for by %j is refused, and nothing begins',
  async (input) => {
    const id = kit.chat()
    await expect(kit.sessions.runScript(id, input)).rejects.toMatchObject({ code: 'bad_input' })
    expect(kit.calls(id)).toEqual([])
  },
)

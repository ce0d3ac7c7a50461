import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDb, type Db } from '../../../../../src/main/db/open'
import { listOwners } from '../../../../../src/main/db/owner-rows'
import { registerProgram, type Program } from '../../../../../src/main/db/programs'
import { createOwner, type Owner } from '../../../../../src/main/sessions/turn/owner'
import { codeOf, createKit, deferred, type Kit } from '../kit'

interface Side {
  db: Db
  program: Program
  owner: Owner
  warnings: string[]
  end(): void
}

let dir: string
let window: Side
let command: Side

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-owner-'))
  window = side('window')
  command = side('command')
  for (const id of ['s', 't']) {
    window.db.sql
      .prepare(
        `INSERT INTO sessions (id, title, model, state, created_at, updated_at) VALUES (?, 'Jam', 'm', 'idle', 1, 1)`,
      )
      .run(id)
  }
})
afterEach(() => {
  window.end()
  command.end()
  rmSync(dir, { recursive: true })
})

function side(kind: 'window' | 'command'): Side {
  const db = openDb(join(dir, 'satchel.db'))
  const program = registerProgram(join(dir, 'programs'), kind)
  const warnings: string[] = []
  const log = {
    info: () => undefined,
    warn: (message: string) => void warnings.push(message),
    error: () => undefined,
  }
  const end = () => {
    if (!db.sql.open) return
    db.close()
    program.release()
  }
  return { db, program, owner: createOwner({ db, program, now: () => 5, log }), warnings, end }
}

describe('a chat that one program holds', () => {
  test('is refused to the other with who has it and what to do', () => {
    command.owner.hold('s')
    expect(() => window.owner.hold('s')).toThrow(
      `This chat is being used by the satchel command (process ${process.pid}). Wait for it or stop it.`,
    )
    expect(window.owner.isElsewhere('s')).toBe(true)
    expect(command.owner.isElsewhere('s')).toBe(false)
  })

  test('does not hinder work on another chat', () => {
    command.owner.hold('s')
    window.owner.hold('t')
    expect(listOwners(window.db.sql).map(({ sessionId, kind }) => [sessionId, kind])).toEqual([
      ['s', 'command'],
      ['t', 'window'],
    ])
  })

  test('is on record with process, its start and the time', () => {
    window.owner.hold('s')
    expect(listOwners(command.db.sql)).toEqual([
      {
        sessionId: 's',
        owner: window.program.id,
        kind: 'window',
        pid: process.pid,
        startedAt: Math.round(performance.timeOrigin),
        takenAt: 5,
      },
    ])
  })

  test('is free after as many releases as holds, however often each is called', () => {
    const first = window.owner.hold('s')
    const second = window.owner.hold('s')
    first()
    first()
    expect(() => command.owner.hold('s')).toThrow('being used by the Satchel window')
    second()
    command.owner.hold('s')()
    expect(listOwners(window.db.sql)).toEqual([])
  })

  test('is taken over when that program has ended, which is said until it is settled', () => {
    command.owner.hold('s')
    command.end()
    expect(window.owner.isElsewhere('s')).toBe(false)
    expect(window.owner.left()).toEqual(['s'])
    const release = window.owner.hold('s')
    expect(window.owner.isTakenOver('s')).toBe(true)
    window.owner.settled('s')
    expect(window.owner.isTakenOver('s')).toBe(false)
    release()
    window.owner.hold('s')
    expect(window.owner.isTakenOver('s')).toBe(false)
  })

  test('a sweep forgets ended programs only, and gives the chats of living ones', () => {
    window.owner.hold('s')
    command.owner.hold('t')
    expect(window.owner.sweep()).toEqual(new Set(['s', 't']))
    command.end()
    expect(window.owner.sweep()).toEqual(new Set(['s']))
    expect(listOwners(window.db.sql).map(({ sessionId }) => sessionId)).toEqual(['s'])
  })

  test('goes with its row, and a chat that is gone can be held by anybody', () => {
    window.owner.hold('s')
    command.db.sql.exec(`DELETE FROM sessions WHERE id = 's'`)
    expect(listOwners(window.db.sql)).toEqual([])
    command.owner.hold('s')
  })

  test('that can not be handed back is noted and goes no further', () => {
    const release = window.owner.hold('s')
    window.db.close()
    release()
    expect(window.warnings).toEqual(['a chat could not be handed back'])
    window.program.release()
  })
})

describe('next to another living program', () => {
  let kit: Kit
  let beside: Kit

  beforeEach(async () => {
    kit = await createKit()
  })
  afterEach(async () => {
    await beside.remove().catch(() => undefined)
    await kit.remove()
  })

  const never = new Promise(() => undefined)
  const startBeside = async () => {
    beside = await createKit({ home: kit.home })
  }

  test('a start touches nothing of a chat in a turn: it is seen running, and every change of it is refused', async () => {
    const id = kit.chat()
    kit.answers.push({ text: 'half', hold: never })
    kit.sessions.send(id, 'first')
    await vi.waitFor(() => expect(kit.messages(id)[1]?.parts).toHaveLength(1))
    await startBeside()
    expect(kit.messages(id)[1]?.status).toBe('streaming')
    expect(beside.sessions.list()[0]?.state).toBe('running')
    const tries: (() => unknown)[] = [
      () => beside.sessions.send(id, 'second'),
      () => beside.sessions.resume(id),
      () => beside.sessions.stop(id, true),
      () => beside.sessions.remove(id),
      () => beside.sessions.loadSkill(id, 'jam'),
      () => beside.sessions.unloadSkill(id, 'jam'),
    ]
    for (const attempt of tries) expect(await codeOf(attempt)).toBe('busy')
    expect(kit.said(id)).toEqual(['user: first', 'assistant: half'])
  })

  test('a start leaves what waits as it is, and either of them can answer it', async () => {
    const id = kit.chat()
    kit.askToBoil()
    await kit.say(id, 'boil', 'awaiting_approval')
    await startBeside()
    expect(kit.waiting(id)).toMatchObject({ restored: false, revision: 1 })
    beside.answers.push({ text: 'boiled' })
    await beside.decide(beside.waiting(id), 'once')
    await beside.until(id, 'idle')
    expect([kit.ran.length, beside.ran.length]).toEqual([0, 1])
    expect(kit.said(id).at(-1)).toBe('assistant: boiled')
  })

  test('an approval that the other is about to use is neither asked again nor used twice', async () => {
    const id = kit.chat()
    kit.askToBoil([{ text: 'boiled' }])
    const hold = deferred()
    kit.run.before = () => hold.promise
    await kit.say(id, 'boil', 'awaiting_approval')
    const row = kit.waiting(id)
    await kit.decide(row, 'once')
    await startBeside()
    expect(beside.deps.broker.get(row.id)).toMatchObject({ status: 'approved', revision: 1 })
    expect(await codeOf(() => beside.decide(row, 'once'))).toBe('busy')
    hold.resolve()
    await kit.until(id, 'idle')
    expect([kit.ran.length, beside.ran.length]).toEqual([1, 0])
  })

  test('a chat of a program that was killed in its turn is opened and gone on with, and nothing runs again', async () => {
    const id = kit.chat()
    kit.askToBoil()
    kit.run.during = () => never.then(() => undefined)
    await kit.say(id, 'boil', 'awaiting_approval')
    await startBeside()
    await kit.decide(kit.waiting(id), 'once')
    await vi.waitFor(() => expect(kit.ran).toHaveLength(1))
    expect(beside.sessions.list()[0]?.state).toBe('running')

    kit.deps.registry.close()
    kit.deps.db.close()
    kit.killed()

    expect(beside.sessions.list()[0]?.state).toBe('interrupted')
    beside.answers.push({ text: 'I see' })
    await beside.say(id, 'and now?')
    expect(beside.calls(id).at(-1)).toMatchObject({
      state: 'interrupted',
      envelope: { error: expect.stringMatching(/^Satchel ended while the script ran\./) },
    })
    expect(beside.ran).toEqual([])
    expect(beside.said(id).at(-1)).toBe('assistant: I see')
    expect(beside.deps.owner.left()).toEqual([])
  })

  test('what a killed program left is settled before a person changes its chat otherwise', async () => {
    const id = kit.chat()
    kit.askToBoil()
    kit.run.during = () => never.then(() => undefined)
    await kit.say(id, 'boil', 'awaiting_approval')
    await startBeside()
    await kit.decide(kit.waiting(id), 'once')
    await vi.waitFor(() => expect(kit.ran).toHaveLength(1))
    kit.deps.registry.close()
    kit.deps.db.close()
    kit.killed()

    await beside.sessions.stop(id, true)
    expect(beside.calls(id).at(-1)?.state).toBe('interrupted')
    expect(beside.row(id).state).toBe('idle')
  })

  test('readers of a chat are told what the other writes in it', async () => {
    const id = kit.chat()
    await startBeside()
    const seen: string[] = []
    const closing = new AbortController()
    const reading = (async () => {
      for await (const event of beside.sessions.watch(id, closing.signal)) {
        if (event.t === 'message') seen.push(event.message.parts.map((part) => JSON.stringify(part)).join())
        if (event.t === 'session') seen.push(event.session.title)
      }
    })()
    await vi.waitFor(() => expect(beside.deps.live.watched()).toEqual([id]))
    kit.answers.push({ text: 'jam it is' })
    await kit.say(id, 'what is it?')
    beside.sessions.changedElsewhere()
    await vi.waitFor(() => expect(seen).toHaveLength(3))
    expect(seen).toEqual([
      expect.stringContaining('what is it?'),
      expect.stringContaining('jam it is'),
      'what is it?',
    ])
    beside.sessions.changedElsewhere()
    closing.abort()
    await reading
    expect(seen).toHaveLength(3)
  })
})

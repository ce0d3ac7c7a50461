import { existsSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { createUndoKit, filesOf, type UndoKit } from './kit'

let kit: UndoKit

afterEach(() => {
  expect(kit.errors).toEqual([])
  kit.remove()
})

const { at, write, text, listed } = filesOf(() => kit)

describe('after a crash', () => {
  test('what an interrupted run changed is found at the next start, and can be undone', async () => {
    kit = createUndoKit()
    write('a.txt', 'old')
    await kit.undo.before('req-lost', kit.plan, new AbortController().signal)
    kit.row('lost', 'interrupted')
    kit.end('lost')
    write('a.txt', 'half')
    const undo = kit.again()
    await undo.recover()
    const [set] = await undo.view('lost')
    expect(set?.notes[0]).toContain('Satchel ended while it ran')
    await undo.undo({ setId: set!.id })
    expect(text('a.txt')).toBe('old')
  })

  test('what another living program needs for its run is left to it', async () => {
    kit = createUndoKit()
    write('a.txt', 'old')
    await kit.undo.before('req-here', kit.plan, new AbortController().signal)
    kit.row('here')
    write('a.txt', 'new')
    // It has ended, and its program has not yet come to look at the folder.
    kit.end('here')
    await kit.beside().recover()
    expect(await kit.undo.view('here')).toEqual([])
    await kit.undo.after('req-here', 'here')
    expect(await listed('here')).toEqual(['changed a.txt'])
  })

  test('of two programs that start at the same time one finds what an interrupted run changed', async () => {
    kit = createUndoKit()
    write('a.txt', 'old')
    await kit.undo.before('req-lost', kit.plan, new AbortController().signal)
    kit.row('lost', 'interrupted')
    kit.end('lost')
    write('a.txt', 'half')
    await Promise.all([kit.again().recover(), kit.beside().recover()])
    expect(await kit.undo.view('lost')).toHaveLength(1)
  })

  test('an undo that was broken off can be continued, and leaves no file of its own', async () => {
    kit = createUndoKit()
    for (const name of ['a', 'b', 'c']) write(name, 'old')
    const run = await kit.run(() => ['a', 'b', 'c'].forEach((name) => write(name, 'new')))
    const { id } = await kit.set(run)
    const undone = await kit.undo.undo({ setId: id })
    // As a kill in the middle leaves it: the set open, one file not yet done, one under way.
    write('b', 'new')
    write(`.satchel-${undone.setId}`, 'ol')
    kit.reopen(undone.setId!)
    const undo = kit.again()
    await undo.recover()
    expect((await undo.view(run)).at(-1)?.state).toBe('open')
    expect((await undo.goOn(undone.setId!)).left).toEqual([])
    expect(['a', 'b', 'c'].map(text)).toEqual(['old', 'old', 'old'])
    expect(existsSync(at(`.satchel-${undone.setId}`))).toBe(false)
    expect((await undo.view(run)).at(-1)?.state).toBe('done')
  })
})

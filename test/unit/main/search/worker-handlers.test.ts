import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { openRebuildable } from '../../../../src/main/db/open'
import { createWorkerHandlers } from '../../../../src/main/search/worker-handlers'
import { later, openTestDb, tempDir } from '../skills/support'

function setup(base = tempDir()) {
  const remade = { times: 0 }
  const parts = createWorkerHandlers({
    onRemade: () => void remade.times++,
    dbFile: join(base, 'satchel.db'),
    indexFile: join(base, 'index.db'),
    readBody: (path) => `Body of ${path} with many words. `.repeat(20),
  })
  later(parts.close)
  return { base, remade, ...parts }
}

const docs = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    key: `personal:${'x'.repeat(100)}${at}`,
    name: `skill${at}`,
    description: 'd',
    tags: [],
    skillMd: `f${at}`,
    rootDir: `f${at}`,
    stamp: '1',
  }))

/** Leaves the header and the list of tables, so that the damage shows only when rows are read. */
async function damaged(): Promise<string> {
  const { base, handlers, close } = setup()
  await handlers['skills.index']({ upsert: docs(300), remove: [] })
  close()
  const file = join(base, 'index.db')
  const fd = openSync(file, 'r+')
  const start = 2 * 4096
  const length = statSync(file).size - start
  writeSync(fd, Buffer.alloc(length, 0xff), 0, length, start)
  closeSync(fd)
  return base
}

describe('an index that is damaged while it is in use', () => {
  it('is emptied when it is searched, which is told once', async () => {
    const { handlers, remade } = setup(await damaged())
    expect(await handlers['skills.search']({ query: 'words', limit: 5 })).toEqual([])
    expect(await handlers['skills.search']({ query: 'words', limit: 5 })).toEqual([])
    expect(remade.times).toBe(1)
  })

  it('is emptied when only its words are damaged and it is open already', async () => {
    const { base, handlers, remade } = setup()
    await handlers['skills.index']({ upsert: docs(300), remove: [] })
    expect(remade.times).toBe(1)
    const sql = openRebuildable(join(base, 'index.db'), '')
    sql.unsafeMode(true).pragma('writable_schema = ON')
    sql.exec('UPDATE docs_text_data SET block = zeroblob(9) WHERE id > 10')
    sql.close()
    expect(await handlers['skills.search']({ query: 'words', limit: 5 })).toEqual([])
    expect(remade.times).toBe(2)
    await handlers['skills.index']({ upsert: docs(3), remove: [] })
    expect(await handlers['skills.search']({ query: 'words', limit: 5 })).toHaveLength(3)
    expect(remade.times).toBe(2)
  })

  it('is made anew when it is written, and complete after a look at its stamps', async () => {
    const { handlers } = setup(await damaged())
    expect(await handlers['skills.stamps']({})).toEqual([])
    await handlers['skills.index']({ upsert: docs(3), remove: [] })
    expect(await handlers['skills.search']({ query: 'words', limit: 5 })).toHaveLength(3)
  })
})

describe('the rows that are read into memory after the first answer', () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  it('answer from then on, though the table in the file is gone', async () => {
    const { base, handlers } = setup()
    await handlers['skills.index']({ upsert: docs(3), remove: [] })
    expect(await handlers['skills.search']({ query: 'skill2', limit: 5 })).toHaveLength(1)
    await turn()
    const sql = openRebuildable(join(base, 'index.db'), 'DROP TABLE docs')
    sql.close()
    expect(await handlers['skills.search']({ query: 'skill1', limit: 5 })).toHaveLength(1)
  })

  it('are not asked for when the index was closed meanwhile', async () => {
    const { handlers, close } = setup()
    await handlers['skills.index']({ upsert: docs(3), remove: [] })
    await handlers['skills.search']({ query: 'skill2', limit: 5 })
    close()
    await turn()
    expect(await handlers['skills.search']({ query: 'skill1', limit: 5 })).toHaveLength(1)
  })
})

describe('the words that are kept for the first search after a start', () => {
  it('are kept two seconds after the last change', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    later(() => void vi.useRealTimers())
    const { base, handlers } = setup()
    const kept = () => {
      const open = openRebuildable(join(base, 'index.db'), '')
      const rows = open.prepare('SELECT generation FROM kept_words').pluck().all()
      open.close()
      return rows
    }
    await handlers['skills.index']({ upsert: docs(3), remove: [] })
    vi.advanceTimersByTime(1500)
    await handlers['skills.index']({ upsert: docs(1), remove: [] })
    vi.advanceTimersByTime(1999)
    expect(vi.getTimerCount()).toBe(1)
    expect(kept()).toEqual([])
    vi.advanceTimersByTime(1)
    await vi.waitFor(() => expect(kept()).toEqual([2]))
  })
})

describe('the record', () => {
  it('is read over a connection that can not write', async () => {
    const { base, handlers } = setup()
    openTestDb(base)
    expect(await handlers['audit.query']({ limit: 1 })).toEqual([])
    expect(await handlers['audit.verify']({})).toEqual({ entries: 0, firstBad: null })
  })
})

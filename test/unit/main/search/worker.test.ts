import { existsSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AppError } from '@shared/errors'
import type { Client } from '@shared/ipc/define'
import { createAudit } from '../../../../src/main/audit/audit'
import type { Db } from '../../../../src/main/db/open'
import { startWorker } from '../../../../src/main/search/worker-client'
import type { WorkerClient } from '../../../../src/main/search/worker-client'
import type { IndexedSkill, WorkerContract } from '../../../../src/main/search/worker-contract'
import { builtWorker } from '../../../helpers/worker'
import { later, makeSkill, openTestDb, silentLog, tempDir, until, write } from '../skills/support'

let file = ''
beforeAll(async () => {
  file = await builtWorker()
  // One that was built into a folder of its own finds the native module only through this.
  const modules = join(dirname(file), 'node_modules')
  if (dirname(file).startsWith(tmpdir()) && !existsSync(modules))
    symlinkSync(resolve('node_modules'), modules)
})

interface Setup {
  base: string
  db: Db
  worker: WorkerClient
  errors: string[]
  /** As the scanner does inside the thread. */
  index(upsert: IndexedSkill[]): Promise<unknown>
}

function setup(entry = file, base = tempDir()): Setup {
  const db = openTestDb(base)
  const errors: string[] = []
  const worker = startWorker({
    file: entry,
    workerData: { dbFile: join(base, 'satchel.db'), indexFile: join(base, 'index.db') },
    log: { ...silentLog, error: (message) => void errors.push(message) },
  })
  later(worker.close)
  const index = async (upsert: IndexedSkill[]) => {
    const client = await new Promise<Client<WorkerContract>>((resolve) => worker.serve(resolve))
    return client.call('skills.index', { upsert, remove: [] })
  }
  return { base, db, worker, errors, index }
}

function skill(base: string, name: string): IndexedSkill {
  const dir = makeSkill(join(base, 'skills', name), name)
  return {
    key: `personal:${dir}`,
    name,
    description: `Does ${name}.`,
    tags: [],
    skillMd: join(dir, 'SKILL.md'),
    rootDir: dir,
    stamp: '1',
  }
}

describe('the worker thread', () => {
  it('indexes skills with the bodies it reads itself, and finds them', async () => {
    const { base, worker, index } = setup()
    const pdf = skill(base, 'pdf')
    write(pdf.skillMd, '---\nname: pdf\ndescription: Does pdf.\n---\nDeskew the scans first.')
    await index([pdf, skill(base, 'zip')])
    expect(await worker.searchSkills('deskew')).toMatchObject([
      { key: pdf.key, where: 'body', snippet: '\ue000Deskew\ue001 the scans first.' },
    ])
  })

  it('indexes the files it reads itself, but none that a link brings in from elsewhere', async () => {
    const { base, worker, index } = setup()
    const pdf = skill(base, 'pdf')
    write(join(pdf.rootDir, 'references', 'ocr.md'), 'How to deskew.')
    write(join(base, 'elsewhere.md'), 'Walrus.')
    symlinkSync(join(base, 'elsewhere.md'), join(pdf.rootDir, 'references', 'link.md'))
    await index([pdf])
    expect(await worker.searchSkills('deskew')).toMatchObject([
      { key: pdf.key, where: 'file', file: 'references/ocr.md', snippet: 'How to \ue000deskew\ue001.' },
    ])
    expect(await worker.searchSkills('walrus')).toEqual([])
  })

  it('gives at most 500 of 1,000', async () => {
    const { base, worker, index } = setup()
    const pdf = skill(base, 'pdf')
    await index(Array.from({ length: 1000 }, (_, at) => ({ ...pdf, key: `k${at}`, name: `skill${at}` })))
    expect(await worker.searchSkills('skill999')).toHaveLength(1)
    expect(await worker.searchSkills('skill')).toHaveLength(500)
  })

  it('answers questions about the record that the main connection writes', async () => {
    const { db, worker } = setup()
    const audit = createAudit({ db, now: () => 5 })
    for (const target of ['a', 'b', 'c']) {
      db.tx(() => audit.append({ actor: 'app', action: 'skill.loaded', sessionId: null, target, data: {} }))
    }
    expect((await worker.call('audit.query', { limit: 2 })).map(({ target }) => target)).toEqual(['c', 'b'])
    expect((await worker.call('audit.query', { upTo: 1, limit: 2 })).map(({ target }) => target)).toEqual([
      'a',
    ])
    expect(await worker.call('audit.verify', {})).toEqual({ entries: 3, firstBad: null })
    db.sql.exec("DROP TRIGGER audit_no_update; UPDATE audit SET target = 'x' WHERE seq = 2")
    expect(await worker.call('audit.verify', {})).toMatchObject({ firstBad: 2 })
  })

  it('refuses what is not in its contract', async () => {
    const { worker } = setup()
    await expect(worker.call('audit.query', { limit: 0 })).rejects.toThrowError(
      expect.objectContaining({ code: 'bad_input' }) as AppError,
    )
  })
})

describe('a worker that ends', () => {
  /** Dies in the middle of its first question, in the first thread only. */
  const dying = () =>
    write(
      join(tempDir(), 'dying.cjs'),
      `const { parentPort, workerData } = require('node:worker_threads')
       const { existsSync, writeFileSync } = require('node:fs')
       const mark = workerData.indexFile + '.died'
       if (existsSync(mark)) require(${JSON.stringify(file)})
       else parentPort.on('message', () => { writeFileSync(mark, ''); process.exit(1) })`,
    )

  it('is started again, and the question is asked once more', async () => {
    const { worker } = setup(dying())
    expect(await worker.call('audit.verify', {})).toEqual({ entries: 0, firstBad: null })
  })

  it('keeps every question that was open', async () => {
    const { worker } = setup(dying())
    const [events, hits, verdict] = await Promise.all([
      worker.call('audit.query', { limit: 1 }),
      worker.searchSkills('none'),
      worker.call('audit.verify', {}),
    ])
    expect([events, hits, verdict.entries]).toEqual([[], [], 0])
  })

  it('for ever is given up with a sentence, and the failure is logged', async () => {
    const broken = write(join(tempDir(), 'broken.cjs'), "throw new Error('no luck')")
    const { worker, errors } = setup(broken)
    await expect(worker.call('audit.verify', {})).rejects.toThrowError(
      'The background thread for search and records ended. Start Satchel again.',
    )
    await until(
      'two failures in the log',
      () => errors.filter((line) => line === 'the worker thread failed').length >= 2,
    )
  })

  it('because it was closed answers no more', async () => {
    const { worker } = setup()
    const asked = worker.call('audit.verify', {}).catch((error: unknown) => error)
    await worker.close()
    expect(((await asked) as AppError).code ?? 'answered').toMatch(/^(cancelled|answered)$/)
    await expect(worker.call('audit.verify', {})).rejects.toThrowError(
      expect.objectContaining({ code: 'cancelled' }) as AppError,
    )
  })
})

describe('a failure inside the worker', () => {
  it('is logged with its cause and answered without it', async () => {
    const { db, base, worker, errors } = setup()
    db.sql.exec('DROP TABLE audit')
    await expect(worker.call('audit.verify', {})).rejects.toThrowError(
      expect.objectContaining({ code: 'internal' }) as AppError,
    )
    await until('the cause in the log', () => errors.some((line) => line.includes('no such table: audit')))
    expect(base).not.toBe('')
  })
})

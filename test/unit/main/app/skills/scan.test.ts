import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { scannerInWorker } from '../../../../../src/main/app/skills/scan'
import { startWorker } from '../../../../../src/main/search/worker-client'
import type { ScanDelta } from '../../../../../src/main/skills/scan/scan-contract'
import { builtWorker } from '../../../../helpers/worker'
import { later, makeSkill, openTestDb, silentLog, tempDir, until } from '../../skills/support'

let file = ''
beforeAll(async () => {
  file = await builtWorker()
}, 60_000)

function setup(base = tempDir()) {
  if (!existsSync(join(base, 'satchel.db'))) openTestDb(base)
  const home = join(base, 'home')
  const root = join(home, '.satchel', 'skills')
  const deltas: ScanDelta[] = []
  const errors: string[] = []
  const worker = startWorker({
    file: mortal(base),
    workerData: { dbFile: join(base, 'satchel.db'), indexFile: join(base, 'index.db') },
    log: { ...silentLog, error: (message, error) => void errors.push(`${message} ${String(error)}`) },
  })
  later(worker.close)
  const scanner = scannerInWorker(worker, (delta) => void deltas.push(delta))
  later(scanner.close)
  const configure = () =>
    scanner.configure({
      homeDir: home,
      resourcesDir: join(base, 'resources'),
      dataDir: base,
      policyDir: null,
      env: { PATH: process.env['PATH'] },
      projects: [],
      writableTools: [],
      sources: [],
    })
  const names = () => deltas.flatMap(({ upsert }) => upsert.map(({ name }) => name))
  return { base, home, root, worker, scanner, deltas, errors, configure, names }
}

describe('the scanner in the worker thread', () => {
  test('has told everything when a look is done, and what changes later by itself', async () => {
    const { root, scanner, configure, names, errors } = setup()
    makeSkill(join(root, 'pdf'), 'pdf')
    configure()
    await scanner.refresh()
    expect(names()).toEqual(['pdf'])
    makeSkill(join(root, 'zip'), 'zip')
    await until('the new skill', () => names().includes('zip'))
    expect(errors).toEqual([])
  })

  test('feeds the search index, and takes out what is gone', async () => {
    const { root, scanner, configure, worker } = setup()
    const dir = makeSkill(join(root, 'pdf'), 'pdf', { 'references/scans.md': 'Deskew them first.' })
    configure()
    await scanner.refresh()
    const found = async (query: string) => (await worker.searchSkills(query)).map(({ key }) => key)
    await untilAsync(async () => (await found('deskew')).length === 1)
    expect(await found('deskew')).toEqual([`personal:${dir}`])
    rmSync(dir, { recursive: true })
    await scanner.refresh()
    await untilAsync(async () => (await found('deskew')).length === 0)
  })

  test('fills a search index that was damaged', async () => {
    const first = setup()
    makeSkill(join(first.root, 'pdf'), 'pdf')
    first.configure()
    await first.scanner.refresh()
    await untilAsync(async () => (await first.worker.searchSkills('pdf')).length === 1)
    await first.worker.close()
    writeFileSync(join(first.base, 'index.db'), 'no database')
    const second = setup(first.base)
    second.configure()
    await second.scanner.refresh()
    await untilAsync(async () => (await second.worker.searchSkills('pdf')).length === 1)
  })

  test('starts anew after its thread died, tells everything once more and goes on watching', async () => {
    const { base, root, scanner, configure, deltas, names } = setup()
    makeSkill(join(root, 'pdf'), 'pdf')
    configure()
    await scanner.refresh()
    deltas.length = 0
    writeFileSync(join(base, 'index.db.crash'), '')
    await until('everything again', () => deltas.some(({ anew }) => anew) && names().includes('pdf'))
    await scanner.refresh()
    renameSync(join(root, 'pdf'), join(root, 'moved'))
    await until('a change', () => deltas.some(({ remove }) => remove.length === 1))
  })
})

/** The worker, which dies as in a crash once a file named `index.db.crash` is there. */
function mortal(base: string): string {
  const entry = join(base, 'mortal.cjs')
  const code = `const { workerData } = require('node:worker_threads')
    const { existsSync, rmSync } = require('node:fs')
    const mark = workerData.indexFile + '.crash'
    setInterval(() => { if (existsSync(mark)) { rmSync(mark); process.exit(1) } }, 5)
    require(${JSON.stringify(file)})`
  writeFileSync(entry, code)
  return entry
}

async function untilAsync(reached: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 20_000
  while (!(await reached())) {
    if (performance.now() > end) throw new Error('never happened')
    await new Promise((done) => setImmediate(done))
  }
}

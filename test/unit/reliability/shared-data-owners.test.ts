import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { verifyChain } from '../../../src/main/audit/chain'
import { allAudit } from '../../../src/main/db/audit-rows'
import { openDb } from '../../../src/main/db/open'
import { createRandom } from '../../helpers/random'
import { createSharedPlace, startProgram, type OtherProgram } from '../../helpers/shared-data'

const HOLDS = 150

test(
  'three processes take one chat by turns, some are killed while they have it, and never do two have it',
  { timeout: 120_000 },
  async () => {
    const place = createSharedPlace()
    const db = openDb(join(place.home, 'data', 'satchel.db'))
    db.sql.exec(`INSERT INTO sessions (id, title, model, state, created_at, updated_at)
      VALUES ('shared', 'Jam', 'practice/scripted', 'idle', 1, 1)`)
    db.close()
    const random = createRandom(7)
    const start = () => startProgram({ home: place.home, role: 'contend', seed: 0, count: HOLDS })
    const all: OtherProgram[] = await Promise.all([start(), start(), start()])
    await Promise.all(all.map((program) => program.until('open', ({ t }) => t === 'open')))
    writeFileSync(join(place.home, 'go'), '')
    for (let kill = 0; kill < 2; kill += 1) {
      const victim = random.int(3)
      await all[victim]!.until('holds', ({ t }) => t === 'done')
      await new Promise((done) => setTimeout(done, random.int(40)))
      await all[victim]!.kill()
      noErrors(all[victim]!)
      all[victim] = await start()
    }
    await Promise.all(
      all.map((program) => program.until('the end', (line) => line.t === 'done' && line.held === HOLDS)),
    )
    all.forEach(noErrors)
    // They really were in each other's way.
    expect(existsSync(join(place.home, 'refused'))).toBe(true)
    for (const program of all) await program.kill()
    const sql = new Database(join(place.home, 'data', 'satchel.db'), { readonly: true })
    expect(sql.prepare('SELECT count(*) AS n FROM chat_owners').get()).toEqual({ n: 0 })
    sql.close()
    rmSync(place.home, { recursive: true })
  },
)

function noErrors({ lines }: OtherProgram): void {
  expect(lines.filter(({ t }) => t === 'error')).toEqual([])
}

test(
  'processes that make the same new database at the same time all get it whole',
  { timeout: 120_000 },
  async () => {
    for (let round = 0; round < 2; round += 1) {
      const place = createSharedPlace()
      const all = await Promise.all(
        [1, 2, 3].map((seed) => startProgram({ home: place.home, role: 'append', seed, count: 5 })),
      )
      await Promise.all(all.map((program) => program.until('open', ({ t }) => t === 'open')))
      writeFileSync(join(place.home, 'go'), '')
      await Promise.all(all.map((program) => program.until('the end', ({ t }) => t === 'done')))
      for (const program of all) await program.kill()
      all.forEach(noErrors)
      const sql = new Database(join(place.home, 'data', 'satchel.db'), { readonly: true })
      expect(verifyChain(allAudit(sql))).toEqual({ entries: 15, firstBad: null })
      sql.close()
      rmSync(place.home, { recursive: true })
    }
  },
)

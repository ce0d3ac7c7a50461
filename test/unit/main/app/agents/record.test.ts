import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { recordAgents } from '../../../../../src/main/app/agents/record'
import { createAudit } from '../../../../../src/main/audit/audit'
import { queryAudit } from '../../../../../src/main/db/audit-rows'
import { openDb, type Db } from '../../../../../src/main/db/open'
import { sha256 } from '../../../../../src/main/lib/hash'
import { createTestApp, type TestApp } from '../../../../helpers/app'

describe('agent files', () => {
  let dir: string
  let db: Db
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'satchel-agents-seen-'))
    db = openDb(join(dir, 'satchel.db'))
  })
  afterEach(() => {
    db.close()
    rmSync(dir, { recursive: true })
  })

  const file = (name: string, digest = 'one') => ({ path: `/a/${name}.md`, digest, agent: { name } })

  /** What is on record after the disk looked like that. */
  function look(...files: ReturnType<typeof file>[]): unknown[] {
    const before = queryAudit(db.sql, { limit: 500 }).length
    recordAgents({ db, audit: createAudit({ db, now: () => 1 }) }, files)
    return queryAudit(db.sql, { limit: 500 })
      .toReversed()
      .slice(before)
      .map(({ action, target, data }) => [action, target, data['before'], data['digest']])
  }

  test('that were there at the very first look are no news', () => {
    expect(look(file('cook'), file('clerk'))).toEqual([])
  })

  test('of which there were none at the first look are news when they come', () => {
    expect(look()).toEqual([])
    expect(look(file('cook'))).toEqual([['agent.added', 'cook', undefined, 'one']])
  })

  test('that came, changed and went are on record with their digests, once', () => {
    look(file('cook'), file('clerk'), file('old'))
    const now = [file('cook', 'two'), file('clerk'), file('new')]
    expect(look(...now)).toEqual([
      ['agent.edited', 'cook', 'one', 'two'],
      ['agent.added', 'new', undefined, 'one'],
      ['agent.removed', 'old', 'one', undefined],
    ])
    expect(look(...now)).toEqual([])
  })

  test('of which very many came are told by their number', () => {
    look()
    const told = look(...Array.from({ length: 300 }, (_, n) => file(`a${n}`)))
    expect([told.length, told.at(-1)]).toEqual([
      201,
      ['agent.added', '100 more agents', undefined, undefined],
    ])
  })
})

describe('the app', () => {
  let window: TestApp
  beforeEach(async () => {
    window = await createTestApp({ deps: { ownsData: true } })
  })
  afterEach(() => window.remove())

  test('puts an agent file on record that is written while it runs, with person and digest', async () => {
    const dir = join(window.home, '.satchel', 'agents')
    const text = '---\nname: cook\ndescription: Cooks.\n---\nCook.\n'
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, 'cook.md'), text)
    const record = () =>
      window.app.handlers['audit.query']({ filter: { actions: ['agent.added'] }, limit: 9 })
    await vi.waitFor(async () => expect(await record()).toHaveLength(1), { timeout: 10_000 })
    expect(await record()).toMatchObject([
      {
        actor: 'app',
        target: 'cook',
        data: { path: join(dir, 'cook.md'), digest: sha256(text), context: { person: expect.any(String) } },
      },
    ])
  })
})

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { KEPT_DAYS, KEPT_MB } from '@shared/domain/skill-page'
import type { Db } from '../../../../../src/main/db/open'
import { noteVersion } from '../../../../../src/main/db/skill-version-rows'
import {
  checkVersion,
  compareVersions,
  createVersionKeeper,
  skillVersions,
  versionText,
} from '../../../../../src/main/app/skill-page/versions'
import { createStore } from '../../../../../src/main/skills/store/store'
import { makeSkill, openTestDb, recordFor, tempDir, write } from '../../skills/support'

const DAY = 86_400_000

function setup() {
  const base = tempDir()
  const db = openTestDb(base)
  const dir = makeSkill(join(base, 'pdf'), 'pdf', { 'a.md': 'one\n', 'run.sh': 'echo 1\n' })
  const store = createStore({ dataDir: join(base, 'data') })
  const clock = { now: 1000 }
  const deps = { db, store, now: () => clock.now }
  return { db, dir, store, clock, deps, record: recordFor(dir), keeper: createVersionKeeper(deps) }
}

function loaded(db: Db, key: string, digest: string, at: number) {
  db.sql
    .prepare(
      `INSERT INTO audit (seq, at, actor, action, target, data, prev_hash, hash)
       VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM audit), ?, 'agent', 'skill.loaded', 'pdf', ?, '', '')`,
    )
    .run(at, JSON.stringify({ key, digest }))
}

describe('versions of a skill', () => {
  it('begin with what is there now, which is kept by looking at it', async () => {
    const { deps, record, store } = setup()
    const digest = await store.digestOf(record)
    expect(await skillVersions(deps, record)).toEqual([
      {
        digest,
        seenAt: 1000,
        how: 'page',
        isNow: true,
        kept: { files: 3, bytes: expect.any(Number) as number },
      },
    ])
    expect((await store.manifest(digest)).files).toHaveLength(3)
  })

  it('are kept as the disk changes, and those of which only the digest is known say so', async () => {
    const { clock, db, deps, dir, keeper, record, store } = setup()
    await keeper.keep(record)
    const first = await store.digestOf(record)
    clock.now = 2000
    write(join(dir, 'a.md'), 'two\n')
    await keeper.keep(record)
    loaded(db, record.key, 'e'.repeat(64), 1500)
    const versions = await skillVersions(deps, record)
    expect(versions.map(({ digest, how, isNow, kept }) => [digest, how, isNow, kept !== null])).toEqual([
      [await store.digestOf(record), 'disk', true, true],
      ['e'.repeat(64), 'loaded', false, false],
      [first, 'disk', false, true],
    ])
  })

  it('that Satchel saved stay so when the disk tells of them, until other contents come in between', async () => {
    const { clock, db, deps, dir, keeper, record, store } = setup()
    const digest = await store.digestOf(record)
    noteVersion(db.sql, { skillKey: record.key, digest, seenAt: 900, how: 'saved' })
    await keeper.keep(record)
    const first = async () => (await skillVersions(deps, record))[0]
    expect(await first()).toMatchObject({ digest, how: 'saved', seenAt: 900 })
    clock.now = 2000
    write(join(dir, 'a.md'), 'two\n')
    await keeper.keep(record)
    expect(await first()).toMatchObject({ how: 'disk', seenAt: 2000 })
    clock.now = 3000
    write(join(dir, 'a.md'), 'one\n')
    await keeper.keep(record)
    expect(await first()).toMatchObject({ digest, how: 'disk', seenAt: 3000 })
  })

  it('differ file by file, and give the text of each', async () => {
    const { deps, dir, record, store } = setup()
    await skillVersions(deps, record)
    const before = await store.digestOf(record)
    write(join(dir, 'a.md'), 'two\n')
    write(join(dir, 'run.sh'), 'echo 1\n', 0o755)
    write(join(dir, 'new.md'), 'new\n')
    rmSync(join(dir, 'SKILL.md'))
    write(join(dir, 'SKILL.md'), '---\nname: pdf\ndescription: Other.\n---\n')
    await skillVersions(deps, record)
    const after = await store.digestOf(record)
    expect(await compareVersions(deps, { before, after })).toEqual([
      { path: 'SKILL.md', state: 'differs' },
      { path: 'a.md', state: 'differs' },
      { path: 'new.md', state: 'right-only' },
      { path: 'run.sh', state: 'mode' },
    ])
    expect(await versionText(deps, { digest: before, path: 'a.md' })).toBe('one\n')
    expect(await versionText(deps, { digest: after, path: 'a.md' })).toBe('two\n')
    expect(await versionText(deps, { digest: before, path: 'new.md' })).toBeNull()
  })

  it('are none of another copy', async () => {
    const { deps, record, store } = setup()
    await skillVersions(deps, record)
    const digest = await store.digestOf(record)
    expect(() => checkVersion(deps, record.key, digest)).not.toThrow()
    expect(() => checkVersion(deps, 'personal:/elsewhere', digest)).toThrow(/never seen/)
  })
})

describe('what is kept for history alone', () => {
  it('is given up after its days, unless it was run, and what is there now stays', async () => {
    const { clock, db, deps, dir, keeper, record, store } = setup()
    await keeper.keep(record)
    const old = await store.digestOf(record)
    write(join(dir, 'a.md'), 'ran\n')
    await keeper.keep(record)
    const ran = await store.digestOf(record)
    db.sql.exec(
      `INSERT INTO requests (id, session_id, call_id, revision, plan, plan_hash, findings, ask_reason, review_required,
         status, agent_name, last_user_message, created_at)
       VALUES ('r', 's', 'c', 1, '{"skill":{"treeDigest":"${ran}"}}', '', '[]', '', 0, 'approved', '', '', 0)`,
    )
    clock.now = 1000 + (KEPT_DAYS + 1) * DAY
    write(join(dir, 'a.md'), 'now\n')
    await keeper.keep(record)
    await keeper.prune()
    const versions = await skillVersions(deps, record)
    expect(versions.map(({ digest }) => digest)).toEqual([await store.digestOf(record), ran])
    await expect(store.manifest(old)).rejects.toMatchObject({ code: 'not_found' })
    expect((await store.manifest(ran)).files).toHaveLength(3)
  })

  it('is given up oldest first above its megabytes, never what is of the last day', async () => {
    const { clock, deps, dir, keeper, record, store } = setup()
    const digests: string[] = []
    for (let n = 0; n < 3; n++) {
      clock.now = n * DAY
      write(join(dir, 'a.md'), `${n}\n`)
      await keeper.keep(record)
      digests.push(await store.digestOf(record))
    }
    const huge = {
      ...store,
      manifest: async (digest: string) => ({
        files: (await store.manifest(digest)).files.map((file) => ({
          ...file,
          size: (KEPT_MB * 1024 * 1024) / 4,
        })),
      }),
    }
    clock.now = 2 * DAY + 1
    await createVersionKeeper({ ...deps, store: huge }).prune()
    expect((await skillVersions(deps, record)).map(({ digest }) => digest)).toEqual([digests[2]])
  })

  it('is not begun for a skill of more than 20 MB', async () => {
    const { deps, dir, record } = setup()
    write(join(dir, 'big.bin'), Buffer.alloc(21 * 1024 * 1024))
    expect(await skillVersions(deps, record)).toEqual([])
  })
})

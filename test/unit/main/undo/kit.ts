import { createHash } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunPlan } from '@shared/domain/approval'
import type { ChangeSet } from '@shared/domain/run-changes'
import { createAudit } from '../../../../src/main/audit/audit'
import { queryAudit } from '../../../../src/main/db/audit-rows'
import { openDb } from '../../../../src/main/db/open'
import type { UndoLimits } from '../../../../src/main/undo/context'
import { createUndo, type Undo } from '../../../../src/main/undo/service'

/** The undo part on real rows and files; a run is whatever a test does between before and after. */
export interface UndoKit {
  root: string
  dataDir: string
  undo: Undo
  errors: string[]
  /** Does the work as a run would; gives the run's id. */
  run(work: () => unknown, runId?: string): Promise<string>
  /** What the agent is told of the last run. */
  told: Awaited<ReturnType<Undo['after']>>
  /** The row of a run, as the runs part writes it. */
  row(runId: string, status?: string): void
  end(runId: string): void
  /** A set as a kill in the middle of its undo leaves it. */
  reopen(setId: string): void
  plan: RunPlan
  set(runId: string): Promise<ChangeSet>
  digest(): string
  actions(): string[]
  /** Another program on the same data, after the first one has ended. */
  again(): Undo
  /** Another one while the first one lives. */
  beside(): Undo
  remove(): void
}

export function createUndoKit(limits: Partial<UndoLimits> = {}, clean?: (text: string) => string): UndoKit {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'satchel-undo-')))
  const [root, dataDir] = [join(home, 'project'), join(home, 'data')]
  mkdirSync(root)
  const db = openDb(join(dataDir, 'satchel.db'))
  const audit = createAudit({ db, now: Date.now })
  const errors: string[] = []
  const alive = new Set<string>()
  const create = (id: string) => {
    alive.add(id)
    return createUndo({
      db,
      dataDir,
      audit: audit.append,
      changed: () => undefined,
      ...(clean ? { clean } : {}),
      program: { id, isAlive: (other) => alive.has(other), isAlone: () => alive.size === 1 },
      now: Date.now,
      log: {
        info: () => undefined,
        warn: () => undefined,
        error: (message, error) => void errors.push(`${message}: ${String(error)}`),
      },
      limits,
    })
  }
  const undo = create('first')
  const plan = {
    workspace: root,
    cwd: root,
    sandbox: { backend: 'bwrap', writable: [root] },
  } as unknown as RunPlan
  let runs = 0
  const kit: UndoKit = {
    root,
    dataDir,
    undo,
    told: null,
    errors,
    plan,
    row(runId, status = 'running') {
      const request = db.sql.prepare(
        `INSERT INTO requests (id, session_id, call_id, revision, plan, plan_hash, findings, ask_reason, review_required,
           status, agent_name, last_user_message, created_at) VALUES (?, 's', ?, 1, '{}', '', '[]', '', 0, 'approved', '', '', 0)`,
      )
      request.run(`req-${runId}`, runId)
      const row = db.sql.prepare(
        `INSERT INTO runs (id, request_id, session_id, call_id, skill_name, script, tree_digest, plan_hash, argv, cwd, status,
           backend, capabilities, started_at) VALUES (?, ?, 's', 'c', 'jam', 'boil.sh', '', '', '[]', ?, ?, 'bwrap', '{}', ?)`,
      )
      row.run(runId, `req-${runId}`, root, status, Date.now())
    },
    end(runId) {
      db.sql.prepare(`UPDATE runs SET status = 'succeeded', ended_at = ? WHERE id = ?`).run(Date.now(), runId)
    },
    reopen(setId) {
      db.sql.prepare(`UPDATE change_sets SET state = 'open' WHERE id = ?`).run(setId)
    },
    async run(work, runId = `run-${(runs += 1)}`) {
      await undo.before(`req-${runId}`, plan, new AbortController().signal)
      kit.row(runId)
      await work()
      kit.end(runId)
      kit.told = await undo.after(`req-${runId}`, runId)
      return runId
    },
    async set(runId) {
      const [set] = await undo.view(runId)
      if (!set) throw new Error('nothing changed')
      return set
    },
    digest: () => digestOf(root),
    actions: () => queryAudit(db.sql, { limit: 200 }).map(({ action }) => action),
    again() {
      alive.delete('first')
      return create('second')
    },
    beside: () => create('beside'),
    remove() {
      db.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
  return kit
}

/** Files of the folder that runs of the kit in use work in. */
export function filesOf(current: () => UndoKit) {
  const at = (path: string) => join(current().root, path)
  return {
    at,
    write(path: string, text: string | Buffer, mode = 0o644): void {
      mkdirSync(join(at(path), '..'), { recursive: true })
      writeFileSync(at(path), text)
      chmodSync(at(path), mode)
    },
    text: (path: string) => readFileSync(at(path), 'utf8'),
    /** What the run with this id changed: "changed notes.md". */
    listed: async (runId: string) =>
      (await current().set(runId)).files.map(({ path, kind }) => `${kind} ${path}`),
  }
}

/** Names, kinds, permissions, contents and targets of all that is below a folder. */
export function digestOf(root: string): string {
  const hash = createHash('sha256')
  for (const line of linesOf(root, '')) hash.update(`${line}\n`)
  return hash.digest('hex')
}

/** The same, to be read. */
export function linesOf(root: string, path: string): string[] {
  const names = readdirSync(Buffer.from(join(root, path), 'latin1'), { encoding: 'buffer' })
  return names
    .map((name) => name.toString('latin1'))
    .sort()
    .flatMap((name) => {
      const full = path === '' ? name : `${path}/${name}`
      const at = Buffer.from(join(root, full), 'latin1')
      const stat = lstatSync(at)
      const mode = (stat.mode & 0o7777).toString(8)
      if (stat.isDirectory()) return [`${full}/ ${mode}`, ...linesOf(root, full)]
      if (stat.isSymbolicLink()) return [`${full} -> ${readlinkSync(at)}`]
      if (!stat.isFile()) return [`${full} special`]
      return [`${full} ${mode} ${createHash('sha256').update(readFileSync(at)).digest('hex').slice(0, 12)}`]
    })
}

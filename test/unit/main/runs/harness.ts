import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { AppError } from '../../../../src/shared/errors'
import type { RunPlan } from '../../../../src/shared/domain/approval'
import { openDb } from '../../../../src/main/db/open'
import type { Db } from '../../../../src/main/db/open'
import { sha256 } from '../../../../src/main/lib/hash'
import { planHash as hashPlan } from '../../../../src/main/lib/plan-hash'
import { createRuns } from '../../../../src/main/runs/service'
import type { RunAuditEvent, RunOutcome, Runs, RunsDeps, ScriptInput } from '../../../../src/main/runs/types'

/** One place for runs: a database, a workspace, snapshots, and a log of what was told. */
export interface Bench {
  dir: string
  workspace: string
  dataDir: string
  db: Db
  runs: Runs
  audit: RunAuditEvent[]
  errors: string[]
  /** Ids of runs in the order they were claimed. */
  claimed: string[]
  /** Stores one script as the whole skill `tool` and gives the input of a plan for it. */
  script(path: string, text: string | Uint8Array, more?: Partial<ScriptInput>): ScriptInput
  /** Plans, approves and executes a script. */
  run(
    path: string,
    text: string | Uint8Array,
    more?: Partial<ScriptInput>,
    signal?: AbortSignal,
  ): Promise<RunOutcome>
  /** Executes a plan under a new approval; `planHash` may lie. */
  execute(plan: RunPlan, options?: { planHash?: string; signal?: AbortSignal }): Promise<RunOutcome>
  /** Waits until the output of the newest run matches. */
  seen(pattern: RegExp): Promise<string>
  snapshotFile(input: ScriptInput): string
  close(): Promise<void>
}

let requests = 0

export function createBench(more: Partial<RunsDeps> = {}): Bench {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'runs-')))
  const workspace = join(dir, 'workspace')
  const dataDir = join(dir, 'data')
  mkdirSync(workspace)
  const db = openDb(join(dataDir, 'satchel.db'))
  const audit: RunAuditEvent[] = []
  const errors: string[] = []
  const claimed: string[] = []
  const snapshotDir = (digest: string) => join(dataDir, 'snapshots', digest)
  const runs = createRuns({
    db,
    dataDir,
    // The Node that runs the tests understands TypeScript; one of the system may be older.
    env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}`, HOME: process.env['HOME'] },
    snapshotDir,
    // A skill here is its one script, and its digest that of the script.
    verifySnapshot: async (digest) =>
      sha256(readFileSync(join(snapshotDir(digest), 'only-script'))) === digest,
    audit(event) {
      if (!db.sql.inTransaction) throw new Error('audit outside a transaction')
      audit.push(event)
    },
    now: () => 1_700_000_000_000,
    log: {
      info: () => undefined,
      warn: (message) => errors.push(message),
      error: (message, error) => errors.push(`${message}: ${String(error)}`),
    },
    changed: () => undefined,
    runAsRoot: process.getuid?.() === 0,
    graceMs: 300,
    ...more,
  })
  const bench: Bench = {
    dir,
    workspace,
    dataDir,
    db,
    runs,
    audit,
    errors,
    claimed,
    script(path, text, input = {}) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      const treeDigest = sha256(bytes)
      for (const name of [path, 'only-script']) {
        const file = join(snapshotDir(treeDigest), name)
        mkdirSync(dirname(file), { recursive: true })
        // Never again under a run that reads it.
        if (!existsSync(file)) writeFileSync(file, bytes)
      }
      return {
        skill: { name: 'tool', scope: 'personal', key: 'personal:/tool', treeDigest },
        script: { path, bytes, sha256: treeDigest },
        args: [],
        env: {},
        workdir: undefined,
        stdin: null,
        interactive: false,
        timeoutMs: 50_000,
        mounts: [],
        workspace,
        ...input,
      }
    },
    async run(path, text, input = {}, signal) {
      const plan = await runs.planScript(bench.script(path, text, input))
      return bench.execute(plan, signal ? { signal } : {})
    },
    execute(plan, options = {}) {
      const requestId = addRequest(db, plan)
      const ticket = {
        requestId,
        plan,
        planHash: options.planHash ?? hashPlan(plan),
        sessionId: 'ses_1',
        callId: 'call_1',
        claim(runId: string) {
          const { changes } = db.sql
            .prepare(`UPDATE requests SET used_at = 1 WHERE id = ? AND used_at IS NULL`)
            .run(requestId)
          if (changes !== 1) throw new AppError('already_decided', 'used')
          claimed.push(runId)
        },
      }
      return runs.execute(ticket, options.signal ?? new AbortController().signal)
    },
    async seen(pattern) {
      const signal = AbortSignal.timeout(20_000)
      while (claimed.length === 0) await new Promise((resolve) => setImmediate(resolve))
      let text = ''
      for await (const chunk of runs.output(claimed.at(-1)!, 0, signal)) {
        text += chunk.data
        if (pattern.test(text)) return text
      }
      throw new Error(`not seen in: ${text}`)
    },
    snapshotFile: (input) => join(snapshotDir(input.skill.treeDigest), input.script.path),
    async close() {
      await runs.close()
      db.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
  return bench
}

function addRequest(db: Db, plan: RunPlan): string {
  requests += 1
  const id = `req_${requests}`
  db.sql
    .prepare(
      `INSERT INTO requests (id, session_id, call_id, revision, plan, plan_hash, findings, ask_reason,
         review_required, status, agent_name, last_user_message, created_at)
       VALUES (?, 'ses_1', ?, 1, ?, '', '[]', '', 0, 'approved', 'agent', '', 1)`,
    )
    .run(id, `call_${requests}`, JSON.stringify(plan))
  return id
}

import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDb } from '../../../../src/main/db/open'
import { sha256 } from '../../../../src/main/lib/hash'
import { planHash as hashPlan } from '../../../../src/main/lib/plan-hash'
import { createRuns } from '../../../../src/main/runs/service'
import type { RunOutcome, Runs } from '../../../../src/main/runs/types'

/** The line that the host prints. */
export interface HostAnswer {
  outcomes: RunOutcome[]
  sandbox: ReturnType<Runs['sandbox']>
  uid: number
}

/**
 * A process of its own that runs one script as the app would, for tests that kill it or that need another person.
 * Arguments: data folder, workspace, "run" or "kill-me", the script. Prints one JSON line at the end.
 */
async function main(): Promise<void> {
  const [, , dataDir = '', workspace = '', mode = '', text = ''] = process.argv
  mkdirSync(workspace, { recursive: true })
  const db = openDb(join(dataDir, 'satchel.db'))
  const snapshotDir = (digest: string) => join(dataDir, 'snapshots', digest)
  const runs = createRuns({
    db,
    dataDir,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    snapshotDir,
    verifySnapshot: async (digest) => sha256(readFileSync(join(snapshotDir(digest), 'a.sh'))) === digest,
    audit: () => undefined,
    now: Date.now,
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (message, error) => console.error(message, error),
    },
    changed: () => undefined,
    runAsRoot: process.getuid?.() === 0,
    graceMs: 300,
  })
  await runs.probe()
  const count = mode === 'kill-me' ? 2 : 1
  const outcomes = await Promise.all(Array.from({ length: count }, (_, turn) => runOne(String(turn))))
  console.log(JSON.stringify({ outcomes, sandbox: runs.sandbox(), uid: process.getuid?.() }))
  await runs.close()
  db.close()

  async function runOne(turn: string) {
    const bytes = readFileSync(text)
    const treeDigest = sha256(bytes)
    const plan = await runs.planScript({
      skill: { name: 'tool', scope: 'personal', key: 'personal:/tool', treeDigest },
      script: { path: 'a.sh', bytes, sha256: treeDigest },
      args: [turn],
      env: {},
      workdir: undefined,
      stdin: null,
      interactive: false,
      timeoutMs: 60_000,
      mounts: [],
      workspace,
    })
    db.sql
      .prepare(
        `INSERT INTO requests (id, session_id, call_id, revision, plan, plan_hash, findings, ask_reason,
           review_required, status, agent_name, last_user_message, created_at)
         VALUES (?, 'ses_1', ?, 1, ?, '', '[]', '', 0, 'approved', 'agent', '', 1)`,
      )
      .run(`req_${turn}`, `call_${turn}`, JSON.stringify(plan))
    return runs.execute(
      {
        requestId: `req_${turn}`,
        plan,
        planHash: hashPlan(plan),
        sessionId: 'ses_1',
        callId: `call_${turn}`,
        claim: () => undefined,
      },
      new AbortController().signal,
    )
  }
}

void main()

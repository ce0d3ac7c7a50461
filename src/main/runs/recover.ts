import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { LeftRun } from '../db/run-rows'
import type { Context } from './context'
import { settleJournal } from './journal'
import { descendantsOf, killRuns, signal, startTimeOf } from './process-tree'

/** What an earlier process of the app left behind (`Runs.recover`). */
export function recover(context: Context): string[] {
  const { deps, rows } = context
  const left = rows.stillRunning().filter((run) => !context.running.has(run.id))
  for (const run of left) killTree(run)
  killRuns(new Set(left.map((run) => run.id)))
  for (const run of left) {
    deps.db.durable(() => {
      rows.finish(run.id, {
        status: 'interrupted',
        exitCode: null,
        signal: null,
        outputBytes: 0,
        truncated: false,
        endedAt: deps.now(),
      })
      deps.audit({
        actor: 'app',
        action: 'run.finished',
        sessionId: run.sessionId,
        target: run.script,
        data: { runId: run.id, status: 'interrupted', cause: 'restart' },
      })
    })
  }
  removeLeftFolders(context)
  for (const run of left) deps.changed(run.id)
  return left.map((run) => run.id)
}

/** The wrapper and all below it, if its pid still is that process. */
function killTree(run: LeftRun): void {
  if (run.pid === null || run.pidStart === null || startTimeOf(run.pid) !== run.pidStart) return
  for (const pid of [...descendantsOf(run.pid).reverse(), run.pid]) signal(pid, 'SIGKILL')
}

function removeLeftFolders(context: Context): void {
  const { deps, folder } = context
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || context.running.has(entry.name)) continue
    const dir = join(folder, entry.name)
    try {
      const moved = settleJournal(dir, join(deps.dataDir, 'quarantine', entry.name))
      if (moved.length > 0) deps.log.warn('Files of an interrupted run were moved away', { moved })
      rmSync(dir, { recursive: true, force: true })
    } catch (error) {
      deps.log.error('The files of an interrupted run could not be removed', error)
    }
  }
}

import { readdirSync, rmSync, statSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import type { LeftRun } from '../db/run-rows'
import type { Context } from './context'
import { KILLED } from './error-pipe'
import { outputDigests } from '../lib/output-digest'
import { settleJournal } from './journal'
import { keepLeftOutput } from './left-output'
import type { LeftOutput } from './left-output'
import { nameCleaner, secretsOfRun } from './lost-secrets'
import { startTimeOf } from '../lib/proc'
import { descendantsOf, killRuns, signal } from './process-tree'

/** What an earlier process of the app left behind (`Runs.recover`). */
export async function recover(context: Context): Promise<string[]> {
  const { deps, rows } = context
  const left = rows.stillRunning().filter((run) => !isAlive(context, run.id, run.sessionId))
  for (const run of left) killTree(run)
  killRuns(new Set(left.map((run) => run.id)))
  for (const run of left) {
    const { outputBytes, truncated, whole } = keep(context, run.id)
    // What is not whole yet is gone on with at the next start.
    const outputSha256 = whole ? outputDigests(context.folder)(run.id) : null
    deps.db.durable(() => {
      // Another program that starts now may have been first.
      if (rows.get(run.id)?.status !== 'running') return
      rows.finish(run.id, {
        status: 'interrupted',
        exitCode: null,
        signal: null,
        outputBytes,
        truncated,
        endedAt: deps.now(),
      })
      deps.audit({
        actor: 'app',
        action: 'run.finished',
        sessionId: run.sessionId,
        target: run.script,
        data: { runId: run.id, status: 'interrupted', cause: 'restart', outputBytes, outputSha256 },
      })
    })
  }
  await removeLeftFolders(context)
  context.limiter.sweep()
  for (const run of left) deps.changed(run.id)
  return left.map((run) => run.id)
}

/** A run of this program or of another one that lives. */
function isAlive({ deps, running }: Context, runId: string, sessionId: string | undefined): boolean {
  return running.has(runId) || (sessionId !== undefined && deps.usedElsewhere?.(sessionId) === true)
}

/** The wrapper and all below it, if its pid still is that process. */
function killTree(run: LeftRun): void {
  if (run.pid === null || run.pidStart === null || startTimeOf(run.pid) !== run.pidStart) return
  for (const pid of [...descendantsOf(run.pid).reverse(), run.pid]) signal(pid, 'SIGKILL')
}

/** Never throws: an output that can't be read must not keep the app from starting. */
function keep(context: Context, runId: string): LeftOutput {
  const { deps, folder } = context
  const problem = (error: unknown) =>
    deps.log.error('The output of an interrupted run could not be kept', error)
  try {
    return keepLeftOutput(folder, runId, problem, secretsOfRun(context, runId))
  } catch (error) {
    problem(error)
    return { outputBytes: 0, truncated: true, whole: false }
  }
}

/** A folder whose output could not be kept stays for the next start. */
async function removeLeftFolders(context: Context): Promise<void> {
  const { deps, folder, rows } = context
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || isAlive(context, entry.name, rows.get(entry.name)?.sessionId)) continue
    const dir = join(folder, entry.name)
    const clean = nameCleaner(secretsOfRun(context, entry.name))
    try {
      const quarantine = { dir: join(deps.dataDir, 'quarantine', entry.name), clean }
      const { moved, replaced, tooMany, closed } = await settleJournal(dir, quarantine, endOf(dir))
      if (tooMany || closed.length > 0)
        deps.log.warn('Not all that an interrupted run made was looked at', { closed })
      const away = [...moved, ...replaced]
      if (away.length > 0) deps.log.warn('Files of an interrupted run were moved away', { moved: away })
      if (keep(context, entry.name).whole) rmSync(dir, { recursive: true, force: true })
    } catch (error) {
      deps.log.error('The files of an interrupted run could not be removed', clean(String(error)))
    }
  }
}

/**
 * When a left run had ended, milliseconds: its guard noted that, or the computer was started since. Infinity: not known.
 * What a person makes between a crash and the next start is theirs.
 */
function endOf(dir: string): number {
  const noted = statSync(join(dir, `err${KILLED}`), { throwIfNoEntry: false })
  if (noted) return Math.floor(noted.mtimeMs)
  const booted = Date.now() - uptime() * 1000
  const journal = statSync(join(dir, 'journal.json'), { throwIfNoEntry: false })
  return journal && journal.mtimeMs < booted ? booted : Infinity
}

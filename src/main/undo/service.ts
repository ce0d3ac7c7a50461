import { join } from 'node:path'
import type { RunPlan } from '@shared/domain/approval'
import type { ChangeSet, ChangeTexts, UndoResult } from '@shared/domain/run-changes'
import { isNoSpace } from '@shared/errors'
import { runOfRequest } from '../db/change-rows'
import { createBlobs } from './blobs'
import { adoptBefore, listBefore, readBefore, removeBefore, writeBefore } from './before-file'
import { collect } from './collect'
import type { Context, UndoDeps, UndoLimits } from './context'
import { coverageOf, KEEP_LIMITS } from './keep'
import { LISTING_LIMITS } from './listing'
import { record, type ChangedPaths } from './record'
import { goOn, undo, type UndoInput } from './undo'
import { textsOf, viewOf } from './view'
import { look, lookOnce } from './watch'
import { coverageWords, NOT_COVERED } from './words'

/** What a review says of a run that has not begun. */
export interface UndoForecast {
  /** Files whose contents are kept; null: it is still being looked at. */
  kept: number | null
  /** What an undo would not cover. */
  notes: string[]
}

/** Files that runs change: seen, shown, taken back (X8, runtime.md 7). */
export interface Undo {
  /** A request waits: looks at what its run could change. Never waits, never throws. */
  prepare(request: { id: string; plan: RunPlan }): void
  /** null: the run could write nothing. */
  forecast(plan: RunPlan): UndoForecast | null
  /** Right before a run: what is there now, kept. Never throws: a run whose folder can't be looked at is not covered. */
  before(requestId: string, plan: RunPlan, signal: AbortSignal): Promise<void>
  /** The run did not begin after all. */
  forget(requestId: string): void
  /** Right after it: what it changed; null: that is not known. Never throws. */
  after(requestId: string, runId: string): Promise<ChangedPaths | null>
  view(runId: string): Promise<ChangeSet[]>
  texts(setId: string, n: number): ChangeTexts
  undo(input: UndoInput): Promise<UndoResult>
  /** Goes on with an undo that was broken off. */
  goOn(setId: string): Promise<UndoResult>
  /** At start: what runs changed that the app did not see the end of; contents that nobody needs are removed. */
  recover(): Promise<void>
  /** At quit, before the database closes. */
  close(): Promise<void>
}

/** For what changed between the request and the run. */
const SECOND_LOOK_MS = 2000

const LIMITS: UndoLimits = {
  listing: LISTING_LIMITS,
  keep: KEEP_LIMITS,
  changes: 10_000,
  afterBytes: 100_000_000,
  waitMs: 10_000,
  ageMs: 30 * 86_400_000,
  quota: 2_000_000_000,
}

export function createUndo(deps: UndoDeps): Undo {
  const context: Context = {
    deps,
    limits: { ...LIMITS, ...deps.limits },
    blobs: createBlobs(join(deps.dataDir, 'snapshots', 'files')),
    folder: join(deps.dataDir, 'undo', deps.program.id),
    latest: new Map(),
    taking: new Map(),
    hurry: new Map(),
    before: new Map(),
    closing: false,
    queue: Promise.resolve(),
  }
  return {
    prepare: ({ id, plan }) => prepare(context, id, plan),
    forecast: (plan) => forecast(context, plan),
    before: (requestId, plan, signal) => begin(context, { requestId, plan, signal }),
    forget: (requestId) => forget(context, requestId),
    after: (requestId, runId) => end(context, requestId, runId),
    view: (runId) => viewOf(context, runId),
    texts: (setId, n) => textsOf(context, setId, n),
    undo: (input) => inTurn(context, () => undo(context, input)),
    goOn: (setId) => inTurn(context, () => goOn(context, setId)),
    recover: () => inTurn(context, () => recover(context)),
    close: () => close(context),
  }
}

/** The folder that is looked at; null: the run can write nothing in it. */
function watched({ sandbox, workspace }: RunPlan): string | null {
  return sandbox.writable.length === 0 ? null : workspace
}

function prepare(context: Context, requestId: string, plan: RunPlan): void {
  const root = watched(plan)
  if (root === null) return
  const { deps } = context
  lookOnce(context, root).then(
    () => deps.changed({ requestId }),
    (error: unknown) =>
      deps.log.warn('A folder could not be looked at for undo', { root, error: String(error) }),
  )
}

function forecast({ latest }: Context, plan: RunPlan): UndoForecast | null {
  const root = watched(plan)
  if (root === null) return null
  const listing = latest.get(root)
  const notes = plan.sandbox.backend === 'none' ? [NO_SANDBOX, NOT_COVERED] : [NOT_COVERED]
  if (!listing) return { kept: null, notes }
  const coverage = coverageOf(listing)
  return { kept: coverage.kept, notes: [...coverageWords(coverage), ...notes] }
}

const NO_SANDBOX = 'Without a sandbox it can write everywhere, and only this folder is covered.'

async function begin(
  context: Context,
  { requestId, plan, signal }: { requestId: string; plan: RunPlan; signal: AbortSignal },
): Promise<void> {
  const root = watched(plan)
  if (root === null) return
  const until = performance.now() + context.limits.waitMs
  context.hurry.set(root, until)
  try {
    await Promise.race([context.queue, aborted(signal)])
    // The look that began with the request has most of the work behind it.
    await Promise.race([context.taking.get(root)?.catch(() => undefined), aborted(signal)])
    if (signal.aborted) return
    const isLate = () => signal.aborted || performance.now() > until + SECOND_LOOK_MS
    const listing = await look(context, root, isLate)
    context.before.set(requestId, listing)
    await writeBefore(context.folder, requestId, listing)
  } catch (error) {
    forget(context, requestId)
    notCovered(context, 'A run is not covered by undo', error)
  } finally {
    context.hurry.delete(root)
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function forget(context: Context, requestId: string): void {
  context.before.delete(requestId)
  removeBefore(context.folder, requestId)
}

async function end(context: Context, requestId: string, runId: string): Promise<ChangedPaths | null> {
  const before = context.before.get(requestId)
  if (!before) return null
  try {
    const changed = await record(context, { before, runId, requestId, late: false })
    context.deps.changed({ runId })
    forget(context, requestId)
    return changed
  } catch (error) {
    // On a full disk what there was before stays on disk: the next start looks again.
    context.before.delete(requestId)
    notCovered(context, 'What a run changed could not be written down', error)
    return null
  }
}

function notCovered({ deps }: Context, what: string, error: unknown): void {
  if (isNoSpace(error)) deps.log.warn(`${what}: the disk is full`)
  else deps.log.error(what, error)
}

function inTurn<T>(context: Context, work: () => Promise<T>): Promise<T> {
  const next = context.queue.then(work)
  context.queue = next.catch(() => undefined)
  return next
}

async function close(context: Context): Promise<void> {
  context.closing = true
  await Promise.allSettled([...context.taking.values(), context.queue])
}

async function recover(context: Context): Promise<void> {
  const { deps } = context
  adoptLeft(context)
  for (const requestId of listBefore(context.folder)) {
    const run = runOfRequest(deps.db.sql, requestId)
    if (context.closing) return
    if (context.before.has(requestId) || run?.status === 'running') continue
    try {
      await recoverOne(context, requestId, run?.id ?? null)
    } catch (error) {
      notCovered(context, 'What an interrupted run changed could not be found out', error)
    }
  }
  try {
    collect(context)
  } catch (error) {
    deps.log.error('Contents that are not needed any more could not be removed', error)
  }
}

function adoptLeft({ deps, folder }: Context): void {
  try {
    adoptBefore(folder, (program) => !deps.program.isAlive(program))
  } catch (error) {
    deps.log.error('What ended programs knew of their runs could not be taken over', error)
  }
}

async function recoverOne(context: Context, requestId: string, runId: string | null): Promise<void> {
  const before = runId === null ? null : await readBefore(context.folder, requestId)
  if (before && runId !== null) {
    await record(context, { before, runId, requestId, late: true })
    context.deps.changed({ runId })
  }
  removeBefore(context.folder, requestId)
}

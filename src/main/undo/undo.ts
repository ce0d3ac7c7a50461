import type { UndoResult } from '@shared/domain/run-changes'
import { AppError } from '@shared/errors'
import { endChangeSet, getChangeSet, insertChangeSet, runsSince, type ChangeSetRow } from '../db/change-rows'
import { isInside } from '../lib/contain'
import { newId } from '../lib/ids'
import { kindOf } from './compare'
import type { Context } from './context'
import { toRow } from './record'
import { slices } from '../lib/slices'
import { identityOf, isSame, shownPath, type FileState } from './state'
import { stateNow, takeBack, type Failure, type Step } from './take-back'
import { storedChanges, type StoredChange } from './view'
import { hiddenWords, lostWords } from './words'

export interface UndoInput {
  setId: string
  /**
   * Which changes; left out: all. `overwrite` is what a person saw in the place of a file that changed again since
   * (`ChangedFile.nowId`) and wants gone.
   */
  files?: readonly { n: number; overwrite?: string | undefined }[] | undefined
}

/**
 * Takes changes back. What would be written over is kept first, so that this can be undone too. Nothing is touched that
 * is not as the change left it, unless the person saw it and chose so. Throws `not_found`, `busy`, `stale`.
 */
export async function undo(context: Context, input: UndoInput): Promise<UndoResult> {
  const row = needSet(context, input.setId)
  if (row.state === 'open') {
    throw new AppError('stale', 'This undo was broken off. Continue it first.')
  }
  checkQuiet(context, row)
  const { steps, left } = await plan(context, row, input)
  if (steps.length === 0) return { setId: null, done: 0, left: left.map(shown) }
  const set: ChangeSetRow = {
    ...row,
    id: newId('set'),
    kind: 'undo',
    ofId: row.id,
    state: 'open',
    more: 0,
    git: 0,
    shared: false,
    late: false,
    expired: false,
    coverage: { kept: steps.length, notKept: {}, unreadFolders: 0, cut: false },
    createdAt: context.deps.now(),
  }
  open(context, set, steps)
  return carryOut(context, set, steps, left)
}

/** Goes on with an undo that a crash broke off. Throws as `undo`. */
export async function goOn(context: Context, setId: string): Promise<UndoResult> {
  const row = needSet(context, setId)
  if (row.state !== 'open') return { setId, done: 0, left: [] }
  checkQuiet(context, row)
  const steps = storedChanges(context, setId).map(({ n, path, before, after }) => ({
    n,
    path,
    from: before,
    to: after,
  }))
  return carryOut(context, row, steps, [])
}

function needSet({ deps }: Context, setId: string): ChangeSetRow {
  const row = getChangeSet(deps.db.sql, setId)
  if (!row) throw new AppError('not_found', 'These changes are not on record any more.')
  return row
}

/** Nothing is undone under the hands of a script. */
function checkQuiet({ deps }: Context, { root }: ChangeSetRow): void {
  const busy = runsSince(deps.db.sql, Number.MAX_SAFE_INTEGER).some(
    ({ cwd }) => isInside(root, cwd) || isInside(cwd, root),
  )
  if (busy)
    throw new AppError('busy', 'A script is running in this folder. Wait until it has ended, or stop it.')
}

interface Planned {
  steps: Step[]
  left: Failure[]
}

/** What is there now decides what is done. Contents that would be written over are kept. */
async function plan(context: Context, row: ChangeSetRow, { files }: UndoInput): Promise<Planned> {
  const planned: Planned = { steps: [], left: [] }
  const breathe = slices()
  const budget = { bytes: context.limits.keep.bytes }
  const chosen = chosenOf(storedChanges(context, row.id), files)
  for (const { change, overwrite } of chosen) {
    const hidden = hiddenWords(change.before, change.after)
    const outcome = hidden ?? stepFor(context, { row, change, overwrite, budget })
    if (typeof outcome === 'string') planned.left.push({ n: change.n, path: change.path, why: outcome })
    else if (outcome) planned.steps.push(outcome)
    await breathe()
  }
  return planned
}

interface Chosen {
  change: StoredChange
  overwrite: string | undefined
}

/** The folders that a chosen file was in, and what is in a chosen folder that must go, belong to it. */
function chosenOf(changes: readonly StoredChange[], files: UndoInput['files']): Chosen[] {
  if (!files) return changes.map((change) => ({ change, overwrite: undefined }))
  const wanted = new Map(files.map(({ n, overwrite }) => [n, overwrite]))
  const paths = changes.filter(({ n }) => wanted.has(n)).map(({ path }) => path)
  return changes
    .filter(({ n, path, before }) => {
      const isAbove = before?.type === 'folder' && paths.some((other) => other.startsWith(`${path}/`))
      return wanted.has(n) || isAbove
    })
    .map((change) => ({ change, overwrite: wanted.get(change.n) }))
}

interface Candidate {
  row: ChangeSetRow
  change: StoredChange
  overwrite: string | undefined
  budget: { bytes: number }
}

/** What to do, why nothing is done, or null where it is done already. */
function stepFor(context: Context, { row, change, overwrite, budget }: Candidate): Step | string | null {
  const { n, path, before, after } = change
  let there: ReturnType<typeof stateNow>
  try {
    there = stateNow(row.root, path)
  } catch {
    // Access is refused.
    return 'It can’t be read.'
  }
  const now = there?.state ?? null
  if (isSame(now, before)) return null
  if (!isSame(now, after) && identityOf(now) !== overwrite) return 'It changed again since.'
  const lost = kindOf(before, now) === 'mode' ? null : lostWords(before, row.expired)
  if (lost) return lost
  const from = keepNow(context, {
    now,
    bytes: there?.bytes ?? null,
    budget,
    isMode: kindOf(before, now) === 'mode',
  })
  return typeof from === 'string' ? from : { n, path, from, to: before }
}

function keepNow(
  { blobs }: Context,
  {
    now,
    bytes,
    budget,
    isMode,
  }: { now: FileState | null; bytes: Buffer | null; budget: Candidate['budget']; isMode: boolean },
): FileState | string | null {
  if (now?.type === 'special') return 'A special file can not be made again, so it is left.'
  if (now?.type !== 'file' || isMode) return now
  if (now.hash === null || !bytes) return 'It is too large to keep a copy of it first. Delete it yourself.'
  if (bytes.length > budget.bytes)
    return 'Over the limit of what is kept for one undo. Undo the rest in a second step.'
  budget.bytes -= bytes.length
  if (!blobs.has(now.hash)) blobs.put(now.hash, bytes)
  return { ...now, kept: true, notKept: null }
}

function open({ deps }: Context, set: ChangeSetRow, steps: readonly Step[]): void {
  const rows = steps.map(({ n, path, from, to }) =>
    toRow({ path, kind: kindOf(from, to), before: from, after: to }, n),
  )
  deps.db.durable(() => {
    insertChangeSet(deps.db.sql, set, rows)
    deps.audit({
      actor: 'person',
      action: 'run.undone',
      sessionId: null,
      target: set.root,
      data: {
        runId: set.runId,
        setId: set.id,
        of: set.ofId,
        files: steps.slice(0, 100).map(({ path }) => shownPath(path)),
        total: steps.length,
      },
    })
  })
}

async function carryOut(
  context: Context,
  set: ChangeSetRow,
  steps: readonly Step[],
  left: readonly Failure[],
): Promise<UndoResult> {
  const { deps, blobs } = context
  const place = { root: set.root, blobs, temporary: `.satchel-${set.id}` }
  const failures = await takeBack(place, steps)
  const failed = failures.map(({ n }) => n)
  deps.db.durable(() => endChangeSet(deps.db.sql, set.id, failed))
  deps.changed({ runId: set.runId })
  const done = steps.length - new Set(failed).size
  return { setId: done === 0 ? null : set.id, done, left: [...left, ...failures].map(shown) }
}

function shown({ n, path, why }: Failure): UndoResult['left'][number] {
  return { n, path: shownPath(path), why }
}

import type { ChangeKind, NotKept } from '@shared/domain/run-changes'
import {
  insertChangeSet,
  runOfRequest,
  runsSince,
  type ChangeRow,
  type ChangeSetRow,
} from '../db/change-rows'
import { isInside } from '../lib/contain'
import { newId } from '../lib/ids'
import { compare, gitChanges, suspects, type Change } from './compare'
import type { Context, UndoDeps } from './context'
import { chooseKept, coverageOf, keepChosen } from './keep'
import { listFolder, type Listing } from './listing'
import { nativePath, rawPath, shownPath, type FileState, type RawPath } from './state'
import { hidden, remember } from './watch'

/** What a run changed, for the model and the step. */
export interface ChangedPaths {
  files: { path: string; kind: ChangeKind }[]
  /** All of them, listed or not. */
  total: number
}

/** Writes down what differs since `before`; nothing when nothing does. Throws when the folder can't be looked at. */
export async function record(
  context: Context,
  { before, runId, requestId, late }: { before: Listing; runId: string; requestId: string; late: boolean },
): Promise<ChangedPaths> {
  const { deps, limits } = context
  const after = await listFolder(before.root, hidden(context, before.root), limits.listing)
  await readSuspects(context, before, after)
  remember(context, after)
  const all = compare(before, after).map((change) => withoutSecrets(change, deps.clean))
  const git = gitChanges(before, after)
  const changes = all.slice(0, limits.changes)
  const row: ChangeSetRow = {
    id: newId('set'),
    kind: 'run',
    runId,
    ofId: null,
    root: before.root,
    state: 'done',
    coverage: coverageOf(before),
    more: all.length - changes.length,
    git,
    shared: isShared(context, { root: before.root, runId, since: before.takenAt }),
    late,
    expired: false,
    createdAt: deps.now(),
  }
  if (all.length + git > 0) write(context, { row, changes, requestId })
  // A new folder is told by the files in it.
  const files = all.filter((change) => (change.after ?? change.before)?.type !== 'folder')
  const told = files.slice(0, limits.changes).map(({ path, kind }) => ({ path: shownPath(path), kind }))
  return { files: told, total: files.length }
}

function write(
  { deps }: Context,
  { row, changes, requestId }: { row: ChangeSetRow; changes: readonly Change[]; requestId: string },
): void {
  const run = runOfRequest(deps.db.sql, requestId)
  deps.db.durable(() => {
    insertChangeSet(deps.db.sql, row, changes.map(toRow))
    deps.audit({
      actor: 'app',
      action: 'run.changes',
      sessionId: run?.sessionId ?? null,
      target: run?.script ?? '',
      data: {
        runId: row.runId,
        setId: row.id,
        total: changes.length + row.more,
        git: row.git,
        shared: row.shared,
        files: changes.slice(0, 100).map(({ path, kind, before, after }) => ({
          path: shownPath(path),
          kind,
          before: before?.hash ?? null,
          after: after?.hash ?? null,
        })),
      },
    })
  })
}

/**
 * A script can make a name or a link of a secret's value. Neither is kept or told; such a file is marked, since it can't
 * be found again by what was noted.
 */
function withoutSecrets(change: Change, clean: UndoDeps['clean']): Change {
  if (!clean) return change
  const cleaned = (path: RawPath) => {
    const shown = shownPath(path)
    const out = clean(shown)
    return out === shown ? path : rawPath(out)
  }
  const { path, kind, before, after } = change
  const isNameless = cleaned(path) !== path
  const stateOf = (state: FileState | null): FileState | null => {
    if (!state) return null
    const target = state.target === null ? null : cleaned(state.target)
    const twin = state.twin === null ? null : cleaned(state.twin)
    const hidden = isNameless || target !== state.target
    return { ...state, target, twin, ...(hidden ? { hidden } : {}) }
  }
  return { path: cleaned(path), kind, before: stateOf(before), after: stateOf(after) }
}

export function toRow({ path, kind, before, after }: Change, n: number): ChangeRow {
  return {
    n,
    path: nativePath(path),
    kind,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
  }
}

/** Only what may have changed is read; the rest is known from before. */
async function readSuspects({ blobs, limits }: Context, before: Listing, after: Listing): Promise<void> {
  const unsure = suspects(before, after)
  const read: Listing = { ...after, entries: new Map() }
  for (const [path, state] of after.entries) {
    const was = before.entries.get(path)
    if (unsure.has(path)) read.entries.set(path, state)
    else if (was?.type === 'file')
      Object.assign(state, { hash: was.hash, kept: was.kept, notKept: was.notKept })
  }
  // What was too much to keep before is compared by its stamp.
  for (const [path, state] of read.entries) state.notKept ??= overLimit(before.entries.get(path)?.notKept)
  const keep = { ...limits.keep, bytes: limits.afterBytes }
  chooseKept(read, keep)
  await keepChosen(read, { blobs, limits: keep, previous: null, enough: () => false })
}

function overLimit(why: NotKept | null | undefined): NotKept | null {
  return why === 'limit' ? why : null
}

/** Whether another run was under way in the folder, also one of another program on the same data. */
function isShared(
  { deps }: Context,
  { root, runId, since }: { root: string; runId: string; since: number },
): boolean {
  return runsSince(deps.db.sql, since).some(
    ({ id, cwd }) => id !== runId && (isInside(root, cwd) || isInside(cwd, root)),
  )
}

import type { ChangedFile, ChangeSet, ChangeTexts } from '@shared/domain/run-changes'
import { AppError } from '@shared/errors'
import { changeSetsOf, changesOf, countChanges, getChangeSet, type ChangeSetRow } from '../db/change-rows'
import type { Context } from './context'
import { lookAt, nameOf, openParent } from './folder'
import { stampOf } from './listing'
import { slices } from '../lib/slices'
import { FileState, identityOf, shownPath, type RawPath } from './state'
import { stateNow } from './take-back'
import { hiddenWords, lostWords, setNotes } from './words'

/** Changes that a page gets; the rest is counted. */
const SHOWN = 500
/** Larger texts are not compared on screen. */
const TEXT_BYTES = 400_000

/** A row of a change, read. */
export interface StoredChange {
  n: number
  path: RawPath
  kind: ChangedFile['kind']
  before: FileState | null
  after: FileState | null
}

export function storedChanges({ deps }: Context, setId: string, limit?: number): StoredChange[] {
  return changesOf(deps.db.sql, setId, limit).map(({ n, path, kind, before, after }) => ({
    n,
    path: path.toString('latin1'),
    kind,
    before: stateOf(before),
    after: stateOf(after),
  }))
}

/** What a run changed and what was undone of it, each path beside what is there now. */
export async function viewOf(context: Context, runId: string): Promise<ChangeSet[]> {
  const sets: ChangeSet[] = []
  for (const row of changeSetsOf(context.deps.db.sql, runId)) sets.push(await setView(context, row))
  return sets
}

/** The texts of one change. Throws `not_found`. */
export function textsOf(context: Context, setId: string, n: number): ChangeTexts {
  const row = getChangeSet(context.deps.db.sql, setId)
  const change = row && storedChanges(context, setId).find((other) => other.n === n)
  if (!row || !change) throw new AppError('not_found', 'This change is not on record any more.')
  const before = sideOf(context, change.before)
  const after = sideOf(context, change.after)
  const there = attempt(() => stateNow(row.root, change.path))
  const now = there === 'unknown' ? UNKNOWN : sideOf(context, there?.state ?? null, there?.bytes)
  return {
    before: before.text,
    after: after.text,
    now: now.text,
    words: { before: before.words, after: after.words, now: now.words },
  }
}

async function setView(context: Context, row: ChangeSetRow): Promise<ChangeSet> {
  const breathe = slices()
  const files: ChangedFile[] = []
  for (const change of storedChanges(context, row.id, SHOWN)) {
    files.push(fileView(row, change))
    await breathe()
  }
  return {
    id: row.id,
    kind: row.kind,
    root: row.root,
    at: row.createdAt,
    state: row.state,
    files,
    total: countChanges(context.deps.db.sql, row.id) + row.more,
    notes: setNotes(row),
  }
}

function fileView(row: ChangeSetRow, { n, path, kind, before, after }: StoredChange): ChangedFile {
  const hidden = hiddenWords(before, after)
  const now = hidden === null ? attempt(() => identityNow(row.root, path, [before, after])) : 'unknown'
  return {
    n,
    path: shownPath(path),
    kind,
    type: (after ?? before)?.type ?? 'file',
    now: hidden === null ? placeOf(now, before, after) : 'hidden',
    nowId: now,
    lost: hidden ?? lostWords(before, row.expired),
  }
}

function placeOf(now: string, before: FileState | null, after: FileState | null): ChangedFile['now'] {
  if (now === identityOf(after)) return 'left'
  if (now === identityOf(before)) return 'before'
  return now === 'unknown' ? 'unknown' : 'other'
}

/** A file that was not touched since is not read again. */
function identityNow(root: string, path: RawPath, known: readonly (FileState | null)[]): string {
  const folder = openParent(root, path)
  if (!folder) return identityOf(null)
  try {
    const stat = lookAt(folder, nameOf(path))
    const same =
      stat?.isFile() && known.find((state) => state?.type === 'file' && state.stamp === stampOf(stat))
    if (same) return identityOf(same)
  } finally {
    folder.close()
  }
  return identityOf(stateNow(root, path)?.state ?? null)
}

function attempt<T>(work: () => T): T | 'unknown' {
  try {
    return work()
  } catch {
    // Access is refused: the page says that it is not known.
    return 'unknown'
  }
}

interface Side {
  text: string | null
  words: string
}

const UNKNOWN: Side = { text: null, words: 'can’t be read' }

function sideOf({ blobs }: Context, state: FileState | null, bytes?: Buffer | null): Side {
  if (!state) return { text: null, words: 'no file' }
  if (state.type === 'link') return { text: `→ ${shownPath(state.target ?? '')}\n`, words: '' }
  if (state.type !== 'file')
    return { text: null, words: state.type === 'folder' ? 'a folder' : 'a special file' }
  const contents = bytes ?? (state.hash === null ? null : blobs.get(state.hash))
  if (!contents) return { text: null, words: `${size(state.size)}, no copy was kept` }
  if (contents.length > TEXT_BYTES)
    return { text: null, words: `${size(state.size)}, too long to compare here` }
  const text = asText(contents)
  return { text, words: text === null ? `${size(state.size)}, no text` : '' }
}

function asText(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null // not UTF-8: shown by its size
  }
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

function stateOf(text: string | null): FileState | null {
  return text === null ? null : FileState.parse(JSON.parse(text))
}

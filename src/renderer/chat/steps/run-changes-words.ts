import type { ChangedFile, ChangeSet, UndoResult } from '@shared/domain/run-changes'
import { defineStrings } from '@shared/catalogue'
import { formatClock, formatNumber, plural } from '../../ui/format'

export const undoWords = defineStrings('run changes', {
  heading: (total: number) => `${plural(total, { one: 'file', other: 'files' })} changed while it ran`,
  undone: (set: ChangeSet) =>
    `Undone at ${formatClock(set.at)}: ${plural(set.total, { one: 'file', other: 'files' })}`,
  undoRun: 'Undo this run',
  undoUndo: 'Undo the undo',
  undoSome: (count: number) => `Undo ${plural(count, { one: 'file', other: 'files' })}`,
  nothingLeft: 'Nothing that the run left is there any more.',
  broken: 'This undo was broken off before its end. Files are either as they were or not yet touched.',
  goOn: 'Continue',
  wait: 'Files are being written. A moment.',
  choose: (path: string) => `Choose ${path}`,
  changedAgain: 'It changed again since the run, so it is left as it is. You can take it back all the same.',
  keep: 'Keep',
  compare: 'Compare',
  takeBack: 'Take back',
  diffOf: (path: string) => `What changed in ${path}`,
  diffNow: (path: string) => `What taking back would change in ${path}`,
  more: (count: number) => `${formatNumber(count)} more are not listed here.`,
  kind: {
    added: 'Added',
    changed: 'Changed',
    deleted: 'Deleted',
    mode: 'Permissions',
  } satisfies Record<ChangedFile['kind'], string>,
  kindOf: (kind: string, type: string) => `${kind} ${type}`,
  now: { before: 'taken back', other: 'changed again', unknown: 'can’t be read' },
  nothingDone: 'Nothing was changed.',
  done: (count: number) => `${plural(count, { one: 'file is', other: 'files are' })} as before the run.`,
  left: (did: string, count: number) =>
    `${did} ${plural(count, { one: 'file was', other: 'files were' })} left:`,
})

/** "Added", "Deleted link". */
export function kindWords({ kind, type }: ChangedFile): string {
  return type === 'file' || kind === 'mode'
    ? undoWords.kind[kind]
    : undoWords.kindOf(undoWords.kind[kind], type)
}

/** What became of it since; '' where it is as the run left it and can be taken back. */
export function nowWords({ now, lost, kind }: ChangedFile): string {
  if (now === 'before') return undoWords.now.before
  if (now === 'other') return undoWords.now.other
  if (now === 'hidden') return lost ?? ''
  if (now === 'unknown') return undoWords.now.unknown
  return lost && kind !== 'mode' ? lost : ''
}

/** Whether a click takes it back without another question. */
export function isOpenToUndo({ now, lost, kind }: ChangedFile): boolean {
  return now === 'left' && (lost === null || kind === 'mode')
}

/** What an undo did, one sentence. */
export function resultWords({ done, left }: UndoResult): string {
  const did = done === 0 ? undoWords.nothingDone : undoWords.done(done)
  return left.length === 0 ? did : undoWords.left(did, left.length)
}

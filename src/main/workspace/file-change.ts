import type { FileChange } from '@shared/domain/file-change'
import { AppError } from '@shared/errors'
import { lineDiff, type DiffLine } from '@shared/line-diff'
import { sha256 } from '../lib/hash'

/** Unchanged lines kept around a change. */
const AROUND = 3
/** A person must be able to look at all of it. */
const MAX_LINES = 5000
const MAX_CHARACTERS = 200_000

/** What writing `after` to a file would change. Throws `bad_input` when it is nothing, `too_large` when it is too much. */
export function fileChange(path: string, before: string | null, after: string): FileChange {
  if (before === after)
    throw new AppError('bad_input', `"${path}" has these contents already. Nothing was written.`)
  const diff = changedLines(lineDiff(before ?? '', after))
  const length = diff.reduce((sum, { text }) => sum + text.length, 0)
  if (diff.length > MAX_LINES || length > MAX_CHARACTERS) {
    throw new AppError(
      'too_large',
      `This changes too much of "${path}" at once for a person to look at. Make smaller changes, one after the other.`,
    )
  }
  return {
    path,
    mode: before === null ? 'create' : 'change',
    before: before === null ? null : stateOf(before),
    after: stateOf(after),
    diff,
  }
}

function changedLines(lines: readonly DiffLine[]): DiffLine[] {
  const keep = new Set<number>()
  lines.forEach((line, index) => {
    if (line.kind === 'same') return
    for (let at = index - AROUND; at <= index + AROUND; at += 1) keep.add(at)
  })
  return lines.filter((_, index) => keep.has(index))
}

function stateOf(text: string): FileChange['after'] {
  const bytes = Buffer.from(text)
  return { sha256: sha256(bytes), bytes: bytes.length }
}

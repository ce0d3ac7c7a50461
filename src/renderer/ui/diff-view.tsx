import { useMemo, useState } from 'react'
import { lineDiff } from '@shared/line-diff'
import { codeLines } from './code-lines'
import { diffRows } from './diff-rows'
import { LineList } from './line-list'
import type { FlagLevel, LineTarget } from './line-list'

export interface DiffViewProps {
  before: string
  after: string
  path: string
  label: string
  /** Lines of the text after the change. */
  flags?: ReadonlyMap<number, FlagLevel>
  wrap?: boolean
  target?: LineTarget | undefined
}

/** What changed between two texts, line by line, with signs and not only colours. */
export function DiffView({ before, after, path, label, flags, wrap = false, target }: DiffViewProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const diff = useMemo(() => lineDiff(before, after), [before, after])
  const sides = useMemo(
    () => ({ before: codeLines(before, path), after: codeLines(after, path) }),
    [before, after, path],
  )
  const rows = useMemo(
    () => diffRows({ diff, ...sides, open, ...(flags ? { flags } : {}) }),
    [diff, sides, open, flags],
  )
  return (
    <LineList
      rows={rows}
      label={label}
      wrap={wrap}
      target={target}
      onUnfold={(key) => setOpen((old) => new Set(old).add(key))}
    />
  )
}

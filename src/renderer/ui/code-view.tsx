import { useMemo } from 'react'
import { codeLines } from './code-lines'
import { LineList } from './line-list'
import type { FlagLevel, LineRow, LineTarget } from './line-list'

export interface CodeViewProps {
  text: string
  /** Its ending picks the colours. */
  path: string
  /** Accessible name: "Whole script". */
  label: string
  /** 1-based lines that get a bar at the left, with the level that colours it. */
  flags?: ReadonlyMap<number, FlagLevel>
  wrap?: boolean
  target?: LineTarget | undefined
}

/** A text file as it is: numbered, coloured, nothing hidden in it. Long files are drawn as far as they are seen. */
export function CodeView({ text, path, label, flags, wrap = false, target }: CodeViewProps) {
  const lines = useMemo(() => codeLines(text, path), [text, path])
  const rows = useMemo(
    () =>
      lines.map((tokens, index): LineRow => {
        const flag = flags?.get(index + 1)
        const row: LineRow = { key: String(index), number: index + 1, kind: 'same', tokens }
        return flag ? { ...row, flag } : row
      }),
    [lines, flags],
  )
  return <LineList rows={rows} label={label} wrap={wrap} target={target} />
}

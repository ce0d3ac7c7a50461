import type { ReactNode } from 'react'
import { INVISIBLE_RANGES } from '@shared/visible-text'

/**
 * Controls but tab and line ends, and everything that shows nothing or reorders. Shown by number, so that what is
 * read is what is there (MD-6). The selector that makes a character an emoji stays: emoji are ordinary in texts.
 */
const HIDDEN_RANGES = [[0x00, 0x08], [0x0b, 0x0c], [0x0e, 0x1f], ...INVISIBLE_RANGES] as const
const hex = (n: number) => `\\u{${n.toString(16)}}`
const HIDDEN = new RegExp(
  `(?!\\ufe0f)[${HIDDEN_RANGES.map(([from, to]) => `${hex(from)}-${hex(to)}`).join('')}]`,
  'gu',
)

/** One stretch of text; `hidden` ones stand for one character that can't be seen. */
export interface TextPiece {
  text: string
  hidden: boolean
}

/** Splits text at invisible characters, each replaced by `⟦U+202E⟧`. */
export function revealPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let from = 0
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), hidden: false })
    pieces.push({ text: codePointName(match[0]), hidden: true })
    from = match.index + match[0].length
  }
  if (from < text.length) pieces.push({ text: text.slice(from), hidden: false })
  return pieces
}

/** The same as one string. */
export function reveal(text: string): string {
  return revealPieces(text)
    .map((piece) => piece.text)
    .join('')
}

/** Text from a file, a script or an argument, with nothing hidden in it. */
export function VisibleText({ text }: { text: string }): ReactNode {
  const pieces = revealPieces(text)
  if (pieces.every((piece) => !piece.hidden)) return text
  let offset = 0
  return pieces.map((piece) => {
    const key = offset
    offset += piece.text.length
    return piece.hidden ? (
      <span key={key} className="inv">
        {piece.text}
      </span>
    ) : (
      piece.text
    )
  })
}

function codePointName(char: string): string {
  return `⟦U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟧`
}

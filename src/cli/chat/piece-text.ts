import { visibleText } from '@shared/visible-text'

/**
 * Text that arrives in pieces, as it may go to a terminal: every character that acts on it, hides or reorders is
 * written out. What may belong together with the next piece is kept back until `end`.
 */
export interface PieceText {
  push(piece: string): string
  end(): string
}

/** Half a character, a carriage return before a line feed, an emoji or accents that are not complete. */
const OPEN_END = /[^\x20-\x7e\n\t]{1,16}$/u

export function createPieceText(): PieceText {
  let kept = ''
  return {
    push(piece) {
      const text = kept + piece
      kept = OPEN_END.exec(text)?.[0] ?? ''
      return safe(text.slice(0, text.length - kept.length))
    },
    end() {
      const rest = safe(kept)
      kept = ''
      return rest
    },
  }
}

function safe(text: string): string {
  return visibleText(text.replaceAll('\r\n', '\n'), '\n\t')
}

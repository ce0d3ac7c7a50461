/**
 * Text as it is compared in searches: without case and accents, and exactly as long as it was, so that a place in the
 * folded text is the same place in the original. What has no single folded character stays as it is.
 */
export function foldText(text: string): string {
  return isAscii(text) ? text.toLowerCase() : text.replace(/[A-Z]+|[^\0-\x7f]/gu, foldPiece)
}

/** True for a text of ASCII alone, as most are: it needs no Unicode patterns. */
export function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- all of ASCII
  return /^[\0-\x7f]*$/.test(text)
}

const folded = new Map<string, string>()
const MAX_KNOWN = 5000

function foldPiece(piece: string): string {
  if (piece.charCodeAt(0) < 128) return piece.toLowerCase()
  const known = folded.get(piece)
  if (known !== undefined) return known
  const base = piece.normalize('NFD').replace(/\p{M}+/gu, '')
  const lower = base.toLowerCase()
  const result = lower.length === piece.length ? lower : piece
  if (folded.size < MAX_KNOWN) folded.set(piece, result)
  return result
}

/** How a stretch of output looks: names of colours, never values from the script. */
export interface Style {
  color?: string
  bold?: boolean
  dim?: boolean
  italic?: boolean
  underline?: boolean
  inverse?: boolean
}

export type Piece =
  | { t: 'text'; text: string }
  | { t: 'style'; codes: number[] }
  /** Control characters and the few sequences that move the cursor. */
  | { t: 'return' | 'newline' | 'backspace' | 'tab' | 'eraseLine' | 'clear' }
  | { t: 'up' | 'column'; n: number }

export interface Scan {
  pieces: Piece[]
  /** Begin of a sequence whose end has not arrived: comes before the next chunk. */
  rest: string
}

const SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- ESC is what it looks for
  /\u001b(?:\[([0-?]*)[ -/]*([@-~])|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)|[ -/]*[0-Z\\`-~])/y
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const PLAIN = /[^\u0000-\u001f\u007f\u009b]+/y
/** A sequence that is longer than this and not finished is given up: the script can't hold text back. */
const MAX_REST = 4096

const COLORS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

/** Cuts output into text and what it may ask of the screen. Everything else is dropped; nothing is ever answered (AP-6). */
export function scan(input: string): Scan {
  const pieces: Piece[] = []
  let at = 0
  while (at < input.length) {
    const plain = matchAt(PLAIN, input, at)
    if (plain) {
      pieces.push({ t: 'text', text: plain[0] })
      at += plain[0].length
      continue
    }
    if (input[at] !== '\u001b') {
      const control = controlPiece(input.charCodeAt(at))
      if (control) pieces.push(control)
      at += 1
      continue
    }
    const found = matchAt(SEQUENCE, input, at)
    if (found) {
      const piece = sequencePiece(found[1], found[2])
      if (piece) pieces.push(piece)
      at += found[0].length
    } else if (input.length - at < MAX_REST) {
      return { pieces, rest: input.slice(at) }
    } else {
      at += 1
    }
  }
  return { pieces, rest: '' }
}

/** Changes a style by the numbers of one SGR sequence; unknown ones change nothing. */
export function applyCodes(style: Style, codes: readonly number[]): Style {
  let next = style
  for (let i = 0; i < codes.length; i += 1) {
    const code = codes[i] ?? 0
    if (code === 38 || code === 48) {
      const { color, used } = extendedColor(codes.slice(i + 1))
      if (code === 38 && color) next = { ...next, color }
      i += used
    } else {
      next = applyCode(next, code)
    }
  }
  return next
}

const TURN_ON: Record<number, Style> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
}
const TURN_OFF: Record<number, (keyof Style)[]> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  39: ['color'],
}

function applyCode(style: Style, code: number): Style {
  if (code === 0) return {}
  const on = TURN_ON[code]
  if (on) return { ...style, ...on }
  const off = TURN_OFF[code]
  if (off) return without(style, off)
  if (code >= 30 && code <= 37) return { ...style, color: COLORS[code - 30] ?? 'white' }
  if (code >= 90 && code <= 97)
    return { ...style, color: code === 90 ? 'gray' : (COLORS[code - 90] ?? 'white') }
  return style
}

function without(style: Style, keys: readonly (keyof Style)[]): Style {
  const next = { ...style }
  for (const key of keys) delete next[key]
  return next
}

/** `5;n` or `2;r;g;b`, brought to the nearest of our colours. */
function extendedColor(codes: readonly number[]): { color: string | undefined; used: number } {
  if (codes[0] === 5) return { color: indexedColor(codes[1] ?? 0), used: 2 }
  if (codes[0] === 2) return { color: nearest(codes[1] ?? 0, codes[2] ?? 0, codes[3] ?? 0), used: 4 }
  return { color: undefined, used: 0 }
}

function indexedColor(n: number): string {
  if (n < 8) return COLORS[n] ?? 'white'
  if (n < 16) return n === 8 ? 'gray' : (COLORS[n - 8] ?? 'white')
  if (n >= 232) return n < 244 ? 'gray' : 'white'
  const level = (v: number) => (v === 0 ? 0 : 55 + v * 40)
  const i = n - 16
  return nearest(level(Math.floor(i / 36)), level(Math.floor(i / 6) % 6), level(i % 6))
}

/** Which of the eight hues a colour is closest to: our own palette keeps it readable on every theme. */
function nearest(r: number, g: number, b: number): string {
  const max = Math.max(r, g, b)
  const min = Math.min(r, g, b)
  if (max - min < 40) return max < 150 ? 'gray' : 'white'
  const on = (v: number) => v > (max + min) / 2
  const index = (on(r) ? 1 : 0) + (on(g) ? 2 : 0) + (on(b) ? 4 : 0)
  return COLORS[index] ?? 'white'
}

function controlPiece(code: number): Piece | undefined {
  if (code === 0x0d) return { t: 'return' }
  if (code === 0x0a) return { t: 'newline' }
  if (code === 0x08) return { t: 'backspace' }
  return code === 0x09 ? { t: 'tab' } : undefined
}

function sequencePiece(params: string | undefined, final: string | undefined): Piece | undefined {
  if (final === undefined || params === undefined) return undefined
  const codes = params.split(/[;:]/).map((part) => Math.min(9999, Number(part) || 0))
  const first = codes[0] ?? 0
  if (final === 'm') return { t: 'style', codes }
  if (final === 'K') return { t: 'eraseLine' }
  if (final === 'J') return first >= 2 ? { t: 'clear' } : undefined
  if (final === 'A' || final === 'F') return { t: 'up', n: Math.max(1, first) }
  return final === 'G' ? { t: 'column', n: Math.max(1, first) } : undefined
}

function matchAt(pattern: RegExp, input: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(input)
}

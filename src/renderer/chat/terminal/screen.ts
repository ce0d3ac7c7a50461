import { applyCodes, scan } from './ansi'
import type { Piece, Style } from './ansi'

export type Channel = 'out' | 'err'

export interface Span {
  text: string
  style: Style
}

/** One line of output. A changed line is a new object, so that only it is drawn again. */
export interface Line {
  /** Number since the start of the run: stays the same when older lines are dropped. */
  n: number
  channel: Channel
  spans: Span[]
}

export interface Screen {
  write(channel: Channel, data: string): void
  /** The kept lines, oldest first; an empty last one is left out. */
  lines(): Line[]
  /** Lines printed so far, kept or not. */
  count(): number
  /** Kept text without colours, for the clipboard. */
  text(): string
}

interface State {
  lines: Line[]
  /** Place of the cursor: index into `lines`, and column. */
  row: number
  column: number
  nextNumber: number
  style: Record<Channel, Style>
  rest: Record<Channel, string>
}

/** Lines kept in the window; the whole output is on disk. */
export const MAX_LINES = 5000
/** A longer line is broken, so that one line can't hold the page up. */
const MAX_COLUMNS = 4000
const TAB = 8

/**
 * Turns a run's output into lines: colours, carriage return, backspace, erase and cursor-up as progress bars use
 * them. It only ever reads: questions a terminal would answer are dropped (AP-6).
 */
export function createScreen(): Screen {
  const state: State = {
    lines: [],
    row: -1,
    column: 0,
    nextNumber: 1,
    style: { out: {}, err: {} },
    rest: { out: '', err: '' },
  }
  return {
    write: (channel, data) => write(state, channel, data),
    lines: () => visible(state),
    count: () => state.nextNumber - 1 - (state.lines.length - visible(state).length),
    text: () =>
      visible(state)
        .map((line) => line.spans.map((span) => span.text).join(''))
        .join('\n'),
  }
}

function write(state: State, channel: Channel, data: string): void {
  const { pieces, rest } = scan(state.rest[channel] + data)
  state.rest[channel] = rest
  if (pieces.length > 0) switchChannel(state, channel)
  for (const piece of pieces) apply(state, channel, piece)
}

/** Output of the other stream never shares a line. */
function switchChannel(state: State, channel: Channel): void {
  const line = state.lines[state.row]
  if (!line) return newLine(state, channel)
  if (line.channel === channel) return undefined
  state.row = state.lines.length - 1
  const last = state.lines[state.row]
  if (last && last.spans.length === 0) setLine(state, { ...last, channel })
  else newLine(state, channel)
  state.column = 0
  return undefined
}

function apply(state: State, channel: Channel, piece: Piece): void {
  switch (piece.t) {
    case 'text':
      return print(state, channel, piece.text)
    case 'style':
      state.style[channel] = applyCodes(state.style[channel], piece.codes)
      return undefined
    case 'newline':
      return down(state, channel)
    case 'return':
      state.column = 0
      return undefined
    case 'backspace':
      state.column = Math.max(0, state.column - 1)
      return undefined
    case 'tab':
      return print(state, channel, ' '.repeat(TAB - (state.column % TAB)))
    case 'up':
      state.row = Math.max(0, state.row - piece.n)
      return undefined
    case 'column':
      state.column = Math.min(MAX_COLUMNS, piece.n) - 1
      return undefined
    case 'eraseLine':
      return cutLine(state)
    case 'clear':
      return down(state, channel)
  }
}

function print(state: State, channel: Channel, text: string): void {
  let left = text
  while (left.length > 0) {
    const room = MAX_COLUMNS - state.column
    const piece = left.slice(0, room)
    const line = state.lines[state.row]
    if (!line) return
    setLine(state, {
      ...line,
      spans: put(line.spans, state.column, { text: piece, style: state.style[channel] }),
    })
    state.column += piece.length
    left = left.slice(piece.length)
    if (left.length > 0) down(state, channel)
  }
}

/** Puts a span at a column: at the end as a rule, over what is there after a carriage return. */
export function put(spans: readonly Span[], column: number, span: Span): Span[] {
  const before = cut(spans, 0, column)
  const width = lengthOf(before)
  const padding = width < column ? [{ text: ' '.repeat(column - width), style: {} }] : []
  return merge([...before, ...padding, span, ...cut(spans, column + span.text.length, Infinity)])
}

/** The part of spans between two columns. */
function cut(spans: readonly Span[], from: number, to: number): Span[] {
  const result: Span[] = []
  let at = 0
  for (const span of spans) {
    const text = span.text.slice(Math.max(0, from - at), Math.max(0, to - at))
    if (text) result.push(text === span.text ? span : { text, style: span.style })
    at += span.text.length
  }
  return result
}

function merge(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of spans) {
    const last = result.at(-1)
    if (last && last.style === span.style)
      result[result.length - 1] = { text: last.text + span.text, style: span.style }
    else result.push(span)
  }
  return result
}

function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + span.text.length, 0)
}

function cutLine(state: State): void {
  const line = state.lines[state.row]
  if (line) setLine(state, { ...line, spans: cut(line.spans, 0, state.column) })
}

function down(state: State, channel: Channel): void {
  state.column = 0
  if (state.row < state.lines.length - 1) state.row += 1
  else newLine(state, channel)
}

function newLine(state: State, channel: Channel): void {
  state.lines.push({ n: state.nextNumber, channel, spans: [] })
  state.nextNumber += 1
  if (state.lines.length > MAX_LINES) state.lines.splice(0, state.lines.length - MAX_LINES)
  state.row = state.lines.length - 1
  state.column = 0
}

function setLine(state: State, line: Line): void {
  state.lines[state.row] = line
}

function visible(state: State): Line[] {
  const last = state.lines.at(-1)
  return last && last.spans.length === 0 ? state.lines.slice(0, -1) : state.lines.slice()
}

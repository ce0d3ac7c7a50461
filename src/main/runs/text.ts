import { markHidden } from './hidden-text'

/** Output as a model gets it: what a person would have read, head and tail of it. */
export interface Excerpt {
  text: string
  truncated: boolean
}

/** AP-8: bytes and lines that go to the model. */
const MODEL_BYTES = 50_000
const MODEL_LINES = 2000

/** Characters kept raw of each end: colours and progress bars take space that the model's text doesn't. */
const RAW_END = 256_000
/** Small pieces are joined up to this size: a script that prints byte by byte must not make a long list. */
const PIECE = 4096

/** Collects one channel of a run in bounded memory. */
export interface Collector {
  push(text: string): void
  excerpt(): Excerpt
}

/** `clean`: takes out what must not be seen of the text as a person would have read it. */
export function createCollector(clean: (text: string) => string = (text) => text): Collector {
  let head = ''
  let tail: string[] = []
  let tailLength = 0
  let droppedBytes = 0
  return {
    push(text) {
      const room = Math.max(0, RAW_END - head.length)
      head += text.slice(0, room)
      const more = text.slice(room)
      if (more === '') return
      const last = tail.at(-1)
      if (last !== undefined && last.length < PIECE) tail[tail.length - 1] = last + more
      else tail.push(more)
      tailLength += more.length
      while (tail[0] !== undefined && tailLength - tail[0].length >= RAW_END) {
        droppedBytes += Buffer.byteLength(tail[0])
        tailLength -= tail[0].length
        tail = tail.slice(1)
      }
    },
    excerpt() {
      const rest = tail.join('')
      if (droppedBytes === 0) return cutMiddle(clean(asSeen(head + rest)), '', 0)
      return cutMiddle(clean(asSeen(head)), clean(asSeen(rest)), droppedBytes)
    },
  }
}

/**
 * Keeps both ends within the limits and says how many bytes are missing between them. `tail` follows `head` after
 * `missing` bytes; with nothing missing it is empty.
 */
function cutMiddle(head: string, tail: string, missing: number): Excerpt {
  const whole = head + tail
  if (missing === 0 && Buffer.byteLength(whole) <= MODEL_BYTES && countLines(whole) <= MODEL_LINES) {
    return { text: whole, truncated: false }
  }
  const first = firstPart(head, MODEL_BYTES / 2, MODEL_LINES / 2)
  const last = lastPart(missing === 0 ? head.slice(first.length) : tail, MODEL_BYTES / 2, MODEL_LINES / 2)
  const omitted = missing + Buffer.byteLength(whole) - Buffer.byteLength(first) - Buffer.byteLength(last)
  const gap = first.endsWith('\n') || first === '' ? '' : '\n'
  return { text: `${first}${gap}[… ${omitted} bytes omitted …]\n${last}`, truncated: true }
}

function firstPart(text: string, bytes: number, lines: number): string {
  let cut = fitting(text, bytes)
  const atLine = nthLineEnd(text, lines)
  if (atLine >= 0) cut = Math.min(cut, atLine)
  return text.slice(0, isSplitPair(text, cut) ? cut - 1 : cut)
}

function lastPart(text: string, bytes: number, lines: number): string {
  let size = 0
  let count = 0
  let start = text.length
  while (start > 0) {
    const step = isSplitPair(text, start - 1) ? 2 : 1
    const piece = text.slice(start - step, start)
    if (piece === '\n' && start < text.length) count += 1
    size += Buffer.byteLength(piece)
    if (size > bytes || count >= lines) break
    start -= step
  }
  return text.slice(start)
}

/** Length of the longest beginning that has at most so many bytes. */
function fitting(text: string, bytes: number): number {
  let low = 0
  let high = Math.min(text.length, bytes)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (Buffer.byteLength(text.slice(0, middle)) <= bytes) low = middle
    else high = middle - 1
  }
  return low
}

function nthLineEnd(text: string, lines: number): number {
  let at = -1
  for (let line = 0; line < lines; line += 1) {
    at = text.indexOf('\n', at + 1)
    if (at < 0) return -1
  }
  return at + 1
}

function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return text.endsWith('\n') || text === '' ? lines : lines + 1
}

function isSplitPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}

/** Escape sequences: CSI, then OSC, DCS, SOS, PM and APC with their text, then the short ones. */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex -- these characters are what is looked for
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c|$)|\u001b[ -/]*[0-~]|\u001b/g

// oxlint-disable-next-line no-control-regex -- these characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

/**
 * Text as it would stand on a terminal after the last byte: colours gone, hidden text between marks, what a carriage return or backspace
 * overwrote replaced, each line for itself. Movements between lines are dropped: their text stays in order.
 */
export function asSeen(text: string): string {
  if (!CONTROL.test(text)) return text
  return markHidden(text)
    .split('\n')
    .map((line) => (CONTROL.test(line) ? lineAsSeen(line) : line))
    .join('\n')
}

function lineAsSeen(line: string): string {
  const cells: string[] = []
  let column = 0
  let from = 0
  for (const match of line.matchAll(ESCAPES)) {
    column = write(cells, column, line.slice(from, match.index))
    column = control(cells, column, match[0])
    from = match.index + match[0].length
  }
  write(cells, column, line.slice(from))
  return cells.join('')
}

function write(cells: string[], start: number, text: string): number {
  let column = start
  for (const char of text) {
    if (char === '\r') column = 0
    else if (char === '\b') column = Math.max(0, column - 1)
    else if (char === '\t' || !CONTROL.test(char)) {
      while (cells.length < column) cells.push(' ')
      cells[column] = char
      column += 1
    }
  }
  return column
}

/** No real line is wider; a script that moves the cursor further must not cost memory or time. */
const WIDE = 2000

/** The sequences that change what stands in the line; all others change nothing. */
function control(cells: string[], column: number, sequence: string): number {
  // oxlint-disable-next-line no-control-regex -- these characters are what is looked for
  const parts = /^(?:\u001b\[|\u009b)(\d{0,4})([KGCD])$/.exec(sequence)
  if (!parts) return column
  const count = parts[1] === '' ? null : Number(parts[1])
  if (parts[2] === 'G') return Math.max(0, (count ?? 1) - 1)
  if (parts[2] === 'C') return Math.max(column, Math.min(column + (count ?? 1), WIDE))
  if (parts[2] === 'D') return Math.max(0, column - (count ?? 1))
  if (count === 2) cells.length = 0
  else if (count === 1) cells.fill(' ', 0, Math.min(column + 1, WIDE))
  else cells.length = Math.min(cells.length, column)
  return column
}

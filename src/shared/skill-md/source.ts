import { closingFence, openingFence } from './fences'

/** One line of a file as it is written. Offsets into the text. */
export interface RawLine {
  start: number
  /** Behind its last character, before its line end. */
  end: number
  /** Start of the next line. */
  next: number
}

/** A SKILL.md as it is written, with the places at which an edit can splice. Offsets are in characters. */
export interface SkillSource {
  text: string
  /** Behind the byte order mark, if any. */
  start: number
  lines: RawLine[]
  /** Line of the opening fence from 0; -1 when there is no frontmatter. */
  open: number
  /** Line of the closing fence from 0; -1 when there is none. */
  close: number
  /** `\n`, `\r\n` or `\r`: that of the opening fence, else of the first line. */
  eol: string
  /** What the parser sees between the fences: \n as line end, no control characters. */
  yaml: string
  /** Where a place of `yaml` stands in the text. */
  at(offset: number): number
}

/** Characters that are left out of frontmatter before it is parsed (`format.md` 2.5, quirk 7). Line ends are \n by then. */
// oxlint-disable-next-line no-control-regex -- these characters are what is looked for
export const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
const CONTROL = new RegExp(CONTROL_CHARACTERS.source)

export function readSource(text: string): SkillSource {
  const start = text.startsWith('\uFEFF') ? 1 : 0
  const lines = splitLines(text, start)
  const plain = lines.map((line) => text.slice(line.start, line.end))
  const open = openingFence(plain)
  const close = open === -1 ? -1 : closingFence(plain, open + 1)
  const { yaml, places } = cleanYaml(text, close === -1 ? [] : lines.slice(open + 1, close))
  const end = close === -1 ? start : lines[close]!.start
  return {
    text,
    start,
    lines,
    open,
    close,
    eol: eolOf(text, lines[Math.max(open, 0)]),
    yaml,
    at: (offset) => places[offset] ?? end,
  }
}

/** Line ends at a place of the text: those of the line it stands in, else of the file. */
export function eolAt(source: SkillSource, offset: number): string {
  const line = source.lines.find(({ start, next }) => offset >= start && offset < next)
  return line && line.next > line.end ? source.text.slice(line.end, line.next) : source.eol
}

function eolOf(text: string, line: RawLine | undefined): string {
  return (line && text.slice(line.end, line.next)) || '\n'
}

/** As the parser does, a single \r ends a line too. An empty line behind the last line end counts. */
function splitLines(text: string, from: number): RawLine[] {
  const lines: RawLine[] = []
  const ends = /\r\n?|\n/g
  ends.lastIndex = from
  let start = from
  for (let found = ends.exec(text); found; found = ends.exec(text)) {
    lines.push({ start, end: found.index, next: ends.lastIndex })
    start = ends.lastIndex
  }
  lines.push({ start, end: text.length, next: text.length })
  return lines
}

function cleanYaml(text: string, lines: readonly RawLine[]): { yaml: string; places: number[] } {
  const places: number[] = []
  let yaml = ''
  for (const [index, line] of lines.entries()) {
    if (index > 0) {
      yaml += '\n'
      places.push(lines[index - 1]!.end)
    }
    for (let at = line.start; at < line.end; at += 1) {
      if (CONTROL.test(text[at]!)) continue
      yaml += text[at]!
      places.push(at)
    }
  }
  if (lines.length > 0) places.push(lines.at(-1)!.end)
  return { yaml, places }
}

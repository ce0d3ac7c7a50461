import type { Diagnostic } from '../domain/skill'
import { hasDocumentEnd } from './document-end'
import { missingFence } from './fences'
import { readYaml } from './read-yaml'
import { LEFT_OUT } from './repair'
import { CONTROL_CHARACTERS, readSource } from './source'
import type { SkillSource } from './source'
import { parseYamlMap } from './yaml-map'

/** A whole file with its repairs written out. */
export interface RepairedText {
  text: string
  /** What was changed, one sentence each. */
  changes: string[]
}

interface Step {
  text: string
  change: string
}

/**
 * The one-click fix of a file that is only read after a repair, or not at all for a slip that has one cure: what the
 * parser reads is then what stands there, for every other tool too. All other bytes stay. Null when there is nothing to
 * repair or no cure. Fields that can't be read become comments, so that nothing is lost.
 */
export function repairedText(text: string): RepairedText | null {
  const changes: string[] = []
  let now = text
  for (const fix of [closed, withoutBlankLine, atLineStart, withoutControls, notHeadings, unescaped]) {
    const step = fix(readSource(now))
    if (!step) continue
    now = step.text
    changes.push(step.change)
  }
  const source = readSource(now)
  if (source.close === -1) return null
  const { map, parsed, diagnostics } = readYaml(source.yaml, source.open + 2)
  if (!map) return null
  if (parsed !== source.yaml) {
    now = writeOut(source, parsed)
    changes.push(...diagnostics.filter(({ code }) => REPAIRS.includes(code)).map(changeOf))
  }
  return changes.length > 0 && readsWell(now) ? { text: now, changes } : null
}

const REPAIRS = ['yaml-repaired', 'field-left-out', 'document-end']

function readsWell(text: string): boolean {
  const source = readSource(text)
  return source.close !== -1 && parseYamlMap(source.yaml, source.open + 2).ok
}

/** Quirk 12 of `format.md` 2.5. */
function closed(source: SkillSource): Step | null {
  if (source.open === -1 || source.close !== -1) return null
  const { text, lines, eol } = source
  const plain = lines.map(({ start, end }) => text.slice(start, end))
  const line = missingFence(plain, source.open)
  const isLast = line >= lines.length && plain.at(-1) !== ''
  const place = isLast ? text.length : lines[line - 1]!.start
  const before = place > 0 && !/[\r\n]/.test(text[place - 1]!) ? eol : ''
  const fence = `${before}---${eol}`
  return {
    text: text.slice(0, place) + fence + text.slice(place),
    change: `Closed the frontmatter before line ${isLast ? line + 1 : line}.`,
  }
}

/** Quirk 10. */
function withoutBlankLine({ text, start, open, lines }: SkillSource): Step | null {
  if (open !== 1) return null
  return {
    text: text.slice(0, start) + text.slice(lines[1]!.start),
    change: 'Deleted the blank line before the frontmatter.',
  }
}

/** Quirk 11; the opening fence too. */
function atLineStart({ text, open, close, lines }: SkillSource): Step | null {
  let now = text
  for (const at of [close, open]) {
    const line = lines[at]
    if (line) now = now.slice(0, line.start) + now.slice(line.start).replace(/^[^\S\r\n]+/, '')
  }
  return now === text ? null : { text: now, change: 'Moved the "---" lines to the start of their lines.' }
}

/** Quirk 7. */
function withoutControls({ text, open, close, lines }: SkillSource): Step | null {
  if (close === -1) return null
  const parts = lines.slice(open + 1, close).map(({ start, end, next }) => {
    return text.slice(start, end).replace(CONTROL_CHARACTERS, '') + text.slice(end, next)
  })
  const now = text.slice(0, lines[open]!.next) + parts.join('') + text.slice(lines[close]!.start)
  return now === text
    ? null
    : { text: now, change: 'Deleted invisible control characters in the frontmatter.' }
}

/** Quirk 6: fields that an editor turned into headings, where nothing else gives them. */
function notHeadings({ text, open, close, lines, yaml }: SkillSource): Step | null {
  const missing = ['name', 'description'].filter((key) => !new RegExp(`^${key}[ \\t]*:`, 'm').test(yaml))
  if (close === -1 || missing.length === 0) return null
  const signs = missing.includes('description') ? '#{1,6}' : '#{2,6}'
  const heading = new RegExp(`^[ \\t]*${signs}[ \\t]*(?=(?:${missing.join('|')})[ \\t]*:)`)
  const parts = lines.slice(open + 1, close).map(({ start, next }) => {
    return text.slice(start, next).replace(heading, '')
  })
  const now = text.slice(0, lines[open]!.next) + parts.join('') + text.slice(lines[close]!.start)
  return now === text ? null : { text: now, change: 'Deleted the "#" signs that made comments of fields.' }
}

const ESCAPES = /\\([_[\]*#<>()!.`~-])/g
/** Where the rest can be read, only the lines of fields with an escaped name. */
const ESCAPED_KEY_LINES = /^[\w.-]*\\[_.-][\w.\\-]*[ \t]*:.*$/gm

/** Quirk 6: `\_`, `\[` and their like, which Markdown knows and YAML does not. */
function unescaped({ text, open, close, lines, yaml }: SkillSource): Step | null {
  if (close === -1) return null
  const start = lines[open]!.next
  const end = lines[close]!.start
  const escaped = readYaml(yaml, 1).map ? ESCAPED_KEY_LINES : /[^]+/g
  const between = text.slice(start, end).replace(escaped, (part) => part.replace(ESCAPES, '$1'))
  const now = text.slice(0, start) + between + text.slice(end)
  return now === text
    ? null
    : { text: now, change: 'Deleted backslashes that Markdown needs and YAML does not.' }
}

/** Lines that the repair changed; those it left out stay as comments, those it joined into another go. */
function writeOut(source: SkillSource, repaired: string): string {
  const { text, lines, open, close } = source
  const written = source.yaml.split('\n')
  let leftOut = false
  const parts = repaired.split('\n').map((line, at) => {
    const { start, end, next } = lines[open + 1 + at]!
    const eol = text.slice(end, next)
    if (line === written[at]) {
      if (line.trim() !== '') leftOut = false
      return text.slice(start, next)
    }
    if (line === '' && hasDocumentEnd(written[at]!)) return eol
    if (line !== '') leftOut = line === LEFT_OUT
    if (line !== '' && !leftOut) return line + eol
    return leftOut ? asComment(written[at]!) + eol : ''
  })
  return text.slice(0, lines[open]!.next) + parts.join('') + text.slice(lines[close]!.start)
}

/** One that begins as a field that every skill has would be taken for a field behind a heading's sign (quirk 6). */
function asComment(line: string): string {
  return /^\s*(?:name|description)\s*:/.test(line) ? `# left out: ${line}` : `# ${line}`
}

function changeOf({ code, message }: Diagnostic): string {
  if (code === 'document-end') return 'Emptied a line that ended the fields early.'
  const name = /^"([^"]*)"/.exec(message)?.[1] ?? ''
  return code === 'field-left-out'
    ? `Turned "${name}" into a comment, because it can't be read.`
    : `Put "${name}" in quotes.`
}

import { AppError } from '../errors'
import { parseYamlMap } from './yaml-map'

/** How a scalar is written. */
export type ScalarStyle = 'plain' | 'single' | 'double'

export interface BlockStyle {
  mode: '|' | '>'
  /** Spaces in front of each line. */
  indent: number
  /** Characters after which a folded line is broken. */
  width: number
}

const MAX_DEPTH = 16
/** Longer lists are written one item a line. */
const MAX_FLOW = 80
/** Words and numbers that an older YAML reads as something else than a text (`yes`, `12:30`, `2026-01-01`). */
const AMBIGUOUS = /^(?:y|n|yes|no|on|off|[-+.\d][-+.,:_\da-fxotz]*)$/i
const SIMPLE_KEY = /^[A-Za-z_][\w.-]*$/
const SIMPLE_ITEM = /^[A-Za-z_][\w./-]*$/
// oxlint-disable-next-line no-control-regex -- these characters are what is looked for
const NOT_PRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ud800-\udfff]/
const ESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff]/g

/** Refuses what no frontmatter can hold: anything but texts, finite numbers, true, false, null, lists and maps. */
export function checkPlainData(value: unknown, depth = 0): void {
  if (depth > MAX_DEPTH) throw new AppError('bad_input', 'The value is nested too deep. Write it flatter.')
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return
  if (typeof value === 'number' && Number.isFinite(value)) return
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) checkPlainData(item, depth + 1)
    return
  }
  if (typeof value !== 'object') {
    throw new AppError('bad_input', 'A field holds text, a number, true, false, a list or fields of its own.')
  }
  for (const [key, item] of Object.entries(value)) {
    checkKey(key)
    checkPlainData(item, depth + 1)
  }
}

/** Refuses names that no field can have. */
export function checkKey(key: string): void {
  if (key.trim() !== '' && key !== '__proto__' && key.length <= 200) return
  throw new AppError('bad_input', `"${key.slice(0, 40)}" can't be the name of a field. Use another name.`)
}

export function renderKey(key: string): string {
  return SIMPLE_KEY.test(key) && isPlainText(key) ? key : quoteDouble(key)
}

/** A scalar on one line, in the wanted style where the value allows it, else in double quotes. */
export function renderScalar(value: string | number | boolean | null, style: ScalarStyle): string {
  if (typeof value !== 'string') return Object.is(value, -0) ? '-0' : String(value)
  if (style === 'plain' && isPlainText(value)) return value
  if (style === 'single' && !NOT_PRINTABLE.test(withoutPairs(value)))
    return `'${value.replaceAll("'", "''")}'`
  return quoteDouble(value)
}

/** Any value on one line: lists and maps in brackets. `quoted`: every text in double quotes, as in JSON. */
export function renderFlow(value: unknown, quoted = false): string {
  if (Array.isArray(value)) {
    return `[${(value as unknown[]).map((item) => renderFlow(item, quoted)).join(', ')}]`
  }
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(
      ([key, item]) => `${renderFlow(key, quoted)}: ${renderFlow(item, quoted)}`,
    )
    return `{${pairs.join(', ')}}`
  }
  if (typeof value !== 'string') return renderScalar(value as number | boolean | null, 'plain')
  return quoted ? quoteDouble(value) : flowText(value)
}

/** A list or map as lines of their own, with \n between them; null where it is short enough for brackets. */
export function renderLines(value: unknown, indent: number): string | null {
  const pad = ' '.repeat(indent)
  if (Array.isArray(value)) {
    return value.length === 0
      ? null
      : (value as unknown[]).map((item) => `${pad}- ${inline(item)}`).join('\n')
  }
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return null
  const lines = Object.entries(value).map(([key, item]) => {
    const below = isShortList(item) ? null : renderLines(item, indent + 2)
    return `${pad}${renderKey(key)}:${below === null ? ` ${inline(item)}` : `\n${below}`}`
  })
  return lines.join('\n')
}

/** True for a list that a person would write in brackets. */
export function isShortList(value: unknown): boolean {
  if (!Array.isArray(value)) return false
  return value.every((item) => typeof item !== 'object') && renderFlow(value).length <= MAX_FLOW
}

/** A text as a block scalar, header and lines; null where a block can't hold it exactly. */
export function renderBlock(value: string, style: BlockStyle): string | null {
  const text = value.replace(/\n$/, '')
  const chomp = value.endsWith('\n') ? '' : '-'
  if (
    text === '' ||
    /^[ \t\n]|\n$/.test(text) ||
    NOT_PRINTABLE.test(withoutPairs(text.replaceAll('\n', '')))
  ) {
    return null
  }
  const lines = style.mode === '|' ? text.split('\n') : foldLines(text, style.width)
  if (!lines || lines.some((line) => line !== '' && line.trim() === '')) return null
  const pad = ' '.repeat(style.indent)
  return [`${style.mode}${chomp}`, ...lines.map((line) => (line === '' ? '' : pad + line))].join('\n')
}

/** A line break in the text is an empty line in a folded scalar. Null for spaces that folding would not keep. */
function foldLines(text: string, width: number): string[] | null {
  const lines: string[] = []
  for (const [index, paragraph] of text.split('\n').entries()) {
    if (/^[ \t]| $| {2}/.test(paragraph)) return null
    if (index > 0) lines.push('')
    if (paragraph === '') continue
    let line = ''
    for (const word of paragraph.split(' ')) {
      const longer = line === '' ? word : `${line} ${word}`
      if (line !== '' && longer.length > width) {
        lines.push(line)
        line = word
      } else line = longer
    }
    lines.push(line)
  }
  return lines
}

function inline(value: unknown): string {
  if (typeof value === 'object' && value !== null) return renderFlow(value)
  return renderScalar(value as string | number | boolean | null, 'plain')
}

function flowText(text: string): string {
  return SIMPLE_ITEM.test(text) && isPlainText(text) ? text : quoteDouble(text)
}

function quoteDouble(text: string): string {
  return JSON.stringify(text).replace(
    ESCAPED,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** True where the text, written as it is, is read as the same text by every YAML. */
function isPlainText(text: string): boolean {
  if (AMBIGUOUS.test(text) || NOT_PRINTABLE.test(withoutPairs(text))) return false
  const read = parseYamlMap(`k: ${text}`, 1)
  return read.ok && read.map.values['k'] === text
}

/** Without characters that two code units make up, so that a single half stands out. */
function withoutPairs(text: string): string {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '')
}

import { choiceFlags } from './choice-fields'
import { fastYamlMap } from './fast-yaml'
import { createFieldReader, mapIn, valueOf } from './field-reader'
import { description, handle, labelOf } from './portable-fields'

/** What a list needs to know of a skill. Its texts hold on to nothing but themselves. */
export interface Front {
  name: string
  label: string
  description: string
  disableModelInvocation: boolean
  userInvocable: boolean
  priority: number
  /** There is no description. */
  broken: boolean
}

export interface FrontOptions {
  folderName: string
  /** `head` is the whole file. */
  complete: boolean
}

const NEWLINE = 10
const RETURN = 13
const SPACE = 32
const TAB = 9
const DASH = 45

/**
 * Reads name, description and flags from the first bytes of a SKILL.md, 4 kB for most. `need-more`: the frontmatter does
 * not end within `head`. `not-plain`: only `parseSkillMd` can tell, be it odd, repairable, broken or limited to
 * some agents. Everything else is
 * what `parseSkillMd` says of these fields; whether the rest of a longer file is text shows when it is read whole.
 * Does without the YAML library, so a first look at thousands of skills never loads it.
 */
export function readFront(head: Uint8Array, options: FrontOptions): Front | 'need-more' | 'not-plain' {
  const found = findFrontmatter(head, options.complete)
  if (typeof found === 'string') return found
  const yaml = yamlOf(head, found, options.complete)
  const map = yaml === null ? null : fastYamlMap(yaml.replaceAll('\r\n', '\n'), 2)
  if (!map) return 'not-plain'
  const reader = createFieldReader(map)
  if (mapIn(valueOf(reader, 'scope')) || mapIn(valueOf(reader, 'description'))) return 'not-plain'
  const label = labelOf(reader)
  // A name that stands behind "##", if it does, is for the whole reader to tell.
  if (label === '' && yaml!.includes('##')) return 'not-plain'
  const name = handle(reader, label, options.folderName)
  const text = description(reader)
  return {
    name: flat(name),
    label: flat(label),
    description: flat(text),
    ...choiceFlags(reader),
    broken: text === '',
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null // not UTF-8: `decodeSkillMd` says where
  }
}

/**
 * The text between the fences; null when it, or the rest of a complete file, is no text. That is all that
 * `decodeSkillMd` refuses: what begins with a fence is UTF-16 only if it holds zeros.
 */
function yamlOf(head: Uint8Array, { start, end }: Between, complete: boolean): string | null {
  if (!complete) return decode(head.subarray(start, end))
  const text = head.includes(0) ? null : decode(head)
  // Where every character is one byte, places are the same in both.
  return text?.length === head.length ? text.slice(start, end) : text && decode(head.subarray(start, end))
}

/** Bytes between the fences, without the end of the last line. */
interface Between {
  start: number
  end: number
}

/** Only fences at the start of their lines, the first on line 1: everything else is `not-plain`. */
function findFrontmatter(head: Uint8Array, complete: boolean): Between | 'need-more' | 'not-plain' {
  const from = markLength(head)
  const missing = complete ? 'not-plain' : 'need-more'
  const open = head.indexOf(NEWLINE, from)
  if (open === -1) return missing
  if (fenceAt(head, from, open) !== 'fence') return 'not-plain'
  for (let start = open + 1; start < head.length;) {
    const found = head.indexOf(NEWLINE, start)
    const end = found === -1 ? head.length : found
    const kind = found === -1 && !complete ? 'text' : fenceAt(head, start, end)
    if (kind === 'odd') return 'not-plain'
    if (kind === 'fence') return { start: open + 1, end: lineEnd(head, open + 1, start - 1) }
    start = end + 1
  }
  return missing
}

/** Bytes of the byte order mark, if there is one. */
function markLength(head: Uint8Array): number {
  return head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0
}

/** Where the text of the last line ends: before its \n or \r\n. */
function lineEnd(head: Uint8Array, from: number, newline: number): number {
  if (newline <= from) return from
  return head[newline - 1] === RETURN ? newline - 1 : newline
}

/** A line of three dashes with white space behind them; with white space before them too it is `odd`. */
function fenceAt(head: Uint8Array, start: number, end: number): 'fence' | 'odd' | 'text' {
  let dashes = start
  while (dashes < end && isBlank(head[dashes]!)) dashes += 1
  let at = dashes
  while (at < end && head[at] === DASH) at += 1
  if (at - dashes !== 3) return 'text'
  while (at < end && isBlank(head[at]!)) at += 1
  if (at < end) return 'text'
  return dashes === start ? 'fence' : 'odd'
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === RETURN
}

/** A copy: a part of a string keeps the whole of it in memory (`performance.md` 0, decision 5). */
export function flat(text: string): string {
  return ` ${text}`.slice(1)
}

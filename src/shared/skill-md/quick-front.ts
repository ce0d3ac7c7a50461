import { unescaped } from './fast-scalar'
import { ORDINARY } from './fast-yaml'
import { plainKey } from './field-reader'
import { flat } from './front'
import type { Front } from './front'
import { handleFor } from './portable-fields'

/** What is found on the way. */
interface Found {
  label: string
  description: string
  disableModelInvocation: boolean
  userInvocable: boolean
}

const KEY = '[A-Za-z][\\w.-]{0,99}'
/** Lines that begin with a letter; no comment, no colon that would end a key. */
const PLAIN_LINE = '[A-Za-z](?:[^\\n:#]|:(?![ \\n])|(?<! )#)*'
const PLAIN = `${PLAIN_LINE}(?:\\n +${PLAIN_LINE})*`
const DOUBLE = '"((?:[^"\\\\\\n]|\\\\["\\\\/nt])*)"'
const SINGLE = "'((?:[^'\\n]|'')*)'"
/** Lines that are all indented alike, none of which could be a fence. */
const BLOCK = '[|>]-?\\n( +)[^ \\n-][^\\n]*(?:\\n\\6[^ \\n-][^\\n]*)*'
/** Never ends with a space, so that there is one way only to match a text. */
const SCALAR = '(?:[A-Za-z0-9](?:[\\w ./-]*[\\w./-])?|"[^"\\\\\\n]*"|\'[^\'\\n]*\')'
const LIST = `\\[ *(?:${SCALAR}(?: *, *${SCALAR})*)? *\\]`
const SMALL = `(?:${SCALAR}|${LIST})`
/** Numbers of the groups of `FIELD`. */
const [KEY_AT, PLAIN_AT, DOUBLE_AT, SINGLE_AT, BLOCK_AT, PASSED_AT] = [1, 2, 3, 4, 5, 7]
/** A list, or a map of one level, of lines. */
const BELOW = `\\n( *)- ${SMALL}(?:\\n\\8- ${SMALL})*|\\n( +)${KEY}: ${SMALL}(?:\\n\\9${KEY}: ${SMALL})*`
/**
 * One field up to the start of the next: its key, and a text in one of the ways in which it is written, or what is only
 * passed by: a number, lists and maps.
 */
const FIELD = new RegExp(
  `(${KEY}):(?: +(?:(${PLAIN})|${DOUBLE} *|${SINGLE} *|(${BLOCK}))|( +(?:${LIST}|\\{[^\\n]*\\}|[0-9][0-9.]*) *|${BELOW}))\\n(?! )`,
  'y',
)
const OPEN = '---\n'
const DASH = 45
const CLOSE = /---[ \t]*\n/y
const ASCII = /^[\n -~]*$/
/** What YAML takes for something else, spaces behind it included. */
const NO_TEXT = /^(?:[Nn]ull|NULL|[Tt]rue|TRUE|[Ff]alse|FALSE) *$/
/** Fields that decide too and are left to the field readers, in the form in which keys are compared. */
const DECIDING = new Set([
  'name',
  'description',
  'disablemodelinvocation',
  'userinvocable',
  'priority',
  'scope',
])
/** So many fields are compared with each other. */
const MAX_FIELDS = 12
/** Characters that are looked at; a few hundred do for nearly all. */
export const QUICK_TEXT = 1024

/**
 * Reads the frontmatter that nearly all skills have, from the first characters of a SKILL.md that is text, with a few calls
 * for each field: what `readFront` gives, or null wherever that is needed. Other bytes than UTF-8 may stand in `text` as
 * U+FFFD.
 */
export function quickFront(text: string, folderName: string): Front | null {
  const found = fieldsOf(text.includes('\r') ? text.replaceAll('\r\n', '\n') : text)
  if (!found) return null
  const { disableModelInvocation, userInvocable } = found
  const description = flat(found.description)
  const name = flat(handleFor(found.label, folderName))
  const label = found.label === name ? name : flat(found.label)
  return { name, label, description, disableModelInvocation, userInvocable, priority: 0, broken: false }
}

function fieldsOf(text: string): Found | null {
  if (!text.startsWith(OPEN) || text.length > QUICK_TEXT) return null
  const found = { label: '', description: '', disableModelInvocation: false, userInvocable: true }
  const keys: string[] = []
  let at = OPEN.length
  while (text.charCodeAt(at) !== DASH) {
    FIELD.lastIndex = at
    const match = FIELD.exec(text)
    if (!match || !take(found, keys, match)) return null
    at = FIELD.lastIndex
  }
  if (found.label === '' || found.description === '') return null
  CLOSE.lastIndex = at
  return CLOSE.test(text) && isOrdinary(text.slice(OPEN.length, at)) ? found : null
}

function isOrdinary(yaml: string): boolean {
  return ASCII.test(yaml) || (ORDINARY.test(yaml) && !yaml.includes('\ufffd'))
}

/** False where it is not to be understood here. */
function take(found: Found, keys: string[], match: RegExpExecArray): boolean {
  const key = match[KEY_AT]!
  if (keys.length === MAX_FIELDS || keys.includes(key)) return false
  keys.push(key)
  if (key === 'name') found.label = textOf(match)
  else if (key === 'description') found.description = textOf(match)
  else if (key === 'disable-model-invocation' || key === 'user-invocable') return takeFlag(found, key, match)
  else return !DECIDING.has(plainKey(key)) && isSound(match[PASSED_AT])
  return true
}

function takeFlag(found: Found, key: string, match: RegExpExecArray): boolean {
  const plain = match[PLAIN_AT]
  if (key === 'user-invocable') found.userInvocable = plain === 'true'
  else found.disableModelInvocation = plain === 'true'
  return plain === 'true' || plain === 'false'
}

/** Empty where it is no text, or one that YAML takes for something else. */
function textOf(match: RegExpExecArray): string {
  const plain = match[PLAIN_AT]
  if (plain !== undefined) {
    if (NO_TEXT.test(plain)) return ''
    return plain.includes('\n') ? plain.trimEnd().replace(/ *\n +/g, ' ') : plain.trimEnd()
  }
  const double = match[DOUBLE_AT]
  if (double !== undefined) return unescaped(double).trim()
  const single = match[SINGLE_AT]
  if (single !== undefined) return single.replaceAll("''", "'").trim()
  const block = match[BLOCK_AT]
  return block === undefined ? '' : blockText(block, match[BLOCK_AT + 1]!)
}

function blockText(block: string, indent: string): string {
  const lines = block.slice(block.indexOf('\n') + 1 + indent.length)
  return lines.replaceAll(`\n${indent}`, block.startsWith('|') ? '\n' : ' ').trim()
}

/** True for what YAML takes: a map in braces that is JSON as well, and no map that could have a key twice. */
function isSound(passed: string | undefined): boolean {
  // One colon at most: nearly always.
  if (!passed || passed.indexOf(':') === passed.lastIndexOf(':')) return !passed?.includes('{')
  const keys = passed.match(/[\w./-]+(?="?:)/g)
  if (keys && new Set(keys).size < keys.length) return false
  const map = passed.trim()
  return !map.startsWith('{') || isJson(map)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // the YAML reader says what it is
  }
}

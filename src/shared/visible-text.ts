/** One code point that a reader can't see, with how often it occurs: `{ code: 'U+202E', count: 1 }`. */
export interface HiddenCharacter {
  code: string
  count: number
}

/**
 * Makes every character that hides, reorders or imitates others visible: C0 controls as pictures (␛), everything
 * else as ⟦U+XXXX⟧ (AP-5, attack cases U1 to U7 and A29). Characters in `keep`, such as a tab, stay as they are.
 */
export function visibleText(text: string, keep = ''): string {
  if (PLAIN.test(text)) return text
  const out: string[] = []
  let last = ''
  let repeats = 0
  const flush = (): void => {
    if (repeats > 0) out.push(repeats === 1 ? `⟦${last}⟧` : `⟦${last} ×${repeats}⟧`)
    repeats = 0
  }
  for (const { char, point, odd } of characters(text)) {
    const shown = keep.includes(char) ? char : (picture(point) ?? (odd || isImitation(point) ? null : char))
    if (shown !== null) {
      flush()
      out.push(shown)
      continue
    }
    const code = codeName(point)
    if (code !== last) flush()
    last = code
    repeats += 1
  }
  flush()
  return out.join('')
}

/** Longest name or title in a line of ours, in characters. */
const MAX_LINE = 200

/**
 * Text of a person, a skill, a file or a model as part of one line of ours: no line ends, nothing that hides or turns
 * the words around it, and no more than `max` characters of it.
 */
export function visibleLine(text: string, max = MAX_LINE): string {
  const line = text.trim().replace(/\s*[\r\n]+\s*/g, ' ')
  const shown = visibleText(cutText(line, max))
  return shown.length > max || line.length > max ? `${cutText(shown, max)}…` : shown
}

/** The beginning of a text, never half of a character. */
export function cutText(text: string, max: number): string {
  const cut = text.slice(0, max)
  return /[\uD800-\uDBFF]$/.test(cut) && cut.length < text.length ? cut.slice(0, -1) : cut
}

/**
 * The characters of a file that a reader can't see, most frequent first. Tabs, line ends, a byte order mark at the
 * very start, and what emoji and joining scripts need are ordinary and not counted.
 */
export function hiddenCharacters(text: string): HiddenCharacter[] {
  if (PLAIN_FILE.test(text)) return []
  const counts = new Map<number, number>()
  let seen = 0
  for (const match of text.matchAll(CANDIDATE)) {
    for (const point of hiddenIn(text, match[0], match.index)) counts.set(point, (counts.get(point) ?? 0) + 1)
    seen += 1
    if (seen >= MAX_COUNTED) break
  }
  return [...counts]
    .map(([point, count]) => ({ code: codeName(point), count }))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1))
}

/** Words that mix Latin letters with look-alikes of other alphabets, or hold full-width path characters. */
export function lookAlikes(text: string): string[] {
  if (PLAIN_FILE.test(text)) return []
  const found = new Set<string>()
  for (const match of text.matchAll(WORD)) {
    const word = match[0]
    if (!ASCII_WORD.test(word) && imitates(word)) found.add(word.slice(0, 80))
    if (found.size >= 100) break
  }
  return [...found]
}

/**
 * An argument vector as lines for people: the program and its script first, then one flag with its value, or one
 * argument, per line. Words are quoted as a shell would need it, and every odd character is revealed.
 */
export function displayArgv(argv: readonly string[]): string[][] {
  const lines: string[][] = []
  let takesValue = argv.length > 0
  argv.forEach((arg, index) => {
    const flag = index > 0 && /^--?[A-Za-z]/.test(arg)
    const current = lines.at(-1)
    if (current && takesValue && !flag) {
      current.push(shellWord(arg))
      takesValue = false
      return
    }
    lines.push([shellWord(arg)])
    takesValue = index === 0 || (flag && !arg.includes('='))
  })
  return lines
}

/** One argument as a shell would need it written, odd characters revealed. */
export function shellWord(arg: string): string {
  const shown = visibleText(arg)
  if (arg !== '' && !NEEDS_QUOTES.test(arg)) return shown
  return `'${shown.replaceAll("'", String.raw`'\''`)}'`
}

interface Character {
  char: string
  point: number
  index: number
  /** Invisible here: not part of an emoji or of a joining script. */
  odd: boolean
}

const PLAIN = /^[\x20-\x7e]*$/
const PLAIN_FILE = /^[\x20-\x7e\t\n]*$/
const ASCII_WORD = /^[\x21-\x7e]*$/
const WORD = /[\p{L}\p{M}\p{N}_.\-/\\⁄∕․⧵﹒﹨．／＼]{1,200}/gu
const NEEDS_QUOTES = /[\s"'`$&|;<>()*?[\]{}~#!\\^\p{Cc}]/u
/** Counting stops here: enough to say "many", and time stays bounded. */
const MAX_COUNTED = 10_000
const COMBINING = /^\p{M}$/u
const EMOJI_BEFORE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}0-9#*\u{1F1E6}-\u{1F1FF}]$/u
const PICTOGRAPHIC = /^\p{Extended_Pictographic}/u
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}]$/u
/** More marks than this on one letter is decoration or an attack (U6). */
const MAX_MARKS = 4

/** Ranges of code points that show nothing or reorder their neighbours; pairs of first and last. */
export const INVISIBLE_RANGES: readonly (readonly [number, number])[] = [
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
]

/** Spaces that are not the space, path characters of other blocks, private use, and our own marks. */
const IMITATIONS: readonly (readonly [number, number])[] = [
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2024, 0x2024],
  [0x202f, 0x202f],
  [0x2044, 0x2044],
  [0x205f, 0x205f],
  [0x2215, 0x2215],
  [0x2400, 0x2421],
  [0x2800, 0x2800],
  [0x27e6, 0x27e7],
  [0x29f5, 0x29f5],
  [0x3000, 0x3000],
  [0xe000, 0xf8ff],
  [0xfe52, 0xfe52],
  [0xfe68, 0xfe68],
  [0xff0e, 0xff0f],
  [0xff3c, 0xff3c],
]

/** What may be hidden: every range of `INVISIBLE_RANGES`, the controls but tab and line feed, and towers of marks. */
const CANDIDATE = new RegExp(
  `[\\0-\\x08\\x0B-\\x1F${INVISIBLE_RANGES.map(([a, b]) => String.raw`\u{${a.toString(16)}}-\u{${b.toString(16)}}`).join('')}]` +
    String.raw`|\p{M}{5,2000}`,
  'gu',
)

function* characters(text: string): Generator<Character> {
  let index = 0
  let before = ''
  let marks = 0
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0
    const after = index + char.length
    let odd = false
    if (point > 0x7e) {
      marks = COMBINING.test(char) ? marks + 1 : 0
      const ordinary = isOrdinaryJoin(point, before, text.slice(after, after + 2))
      odd = (within(INVISIBLE_RANGES, point) && !ordinary) || marks > MAX_MARKS
    } else marks = 0
    yield { char, point, index, odd }
    before = char
    index = after
  }
}

/** An emoji's presentation selector or joiner, or a joiner inside a script that needs one. */
function isOrdinaryJoin(point: number, before: string, next: string): boolean {
  if (point === 0xfe0f || point === 0xfe0e) return EMOJI_BEFORE.test(before)
  if (point !== 0x200d && point !== 0x200c) return false
  if (JOINING.test(before)) return true
  const afterEmoji = EMOJI_BEFORE.test(before) || before === '\u{FE0F}'
  return point === 0x200d && afterEmoji && PICTOGRAPHIC.test(next)
}

/** The hidden code points of one candidate: a single character, or a tower of combining marks. */
function hiddenIn(text: string, candidate: string, index: number): number[] {
  const point = candidate.codePointAt(0) ?? 0
  if (COMBINING.test(String.fromCodePoint(point)) && !within(INVISIBLE_RANGES, point)) {
    return Array.from(candidate, (char) => char.codePointAt(0) ?? 0).slice(MAX_MARKS)
  }
  if (isControl(point)) return isLineSpace(text, index, point) ? [] : [point]
  if (point === 0xfeff && index === 0) return []
  const after = index + candidate.length
  const before = lastCharacter(text.slice(Math.max(0, index - 2), index))
  return isOrdinaryJoin(point, before, text.slice(after, after + 2)) ? [] : [point]
}

/** The text without its hidden characters, but for those that `stays` fits. Where one ends a line a space stands. */
export function withoutHidden(text: string, stays: RegExp): string {
  return text.replace(CANDIDATE, (candidate: string, index: number) => {
    if (stays.test(candidate)) return candidate
    const hidden = hiddenIn(text, candidate, index)
    if (hidden.length === 0) return candidate
    if (/[\u2028\u2029]/.test(candidate)) return ' '
    return Array.from(candidate).slice(0, -hidden.length).join('')
  })
}

function lastCharacter(text: string): string {
  const low = text.charCodeAt(text.length - 1)
  return low >= 0xdc00 && low <= 0xdfff ? text : text.slice(-1)
}

function within(ranges: readonly (readonly [number, number])[], point: number): boolean {
  for (const [first, last] of ranges) if (point >= first && point <= last) return true
  return false
}

function isImitation(point: number): boolean {
  return point > 0x7e && within(IMITATIONS, point)
}

function isControl(point: number): boolean {
  return point < 0x20 || point === 0x7f
}

/** A tab, a line feed, or a carriage return before a line feed. */
function isLineSpace(text: string, index: number, point: number): boolean {
  return point === 0x09 || point === 0x0a || (point === 0x0d && text.charCodeAt(index + 1) === 0x0a)
}

/** U+2400 and after are drawings of the controls. */
function picture(point: number): string | null {
  if (point < 0x20) return String.fromCodePoint(0x2400 + point)
  return point === 0x7f ? '␡' : null
}

function codeName(point: number): string {
  return `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
}

const LATIN = /[A-Za-z]/
const FOREIGN = /[\p{Script=Cyrillic}\p{Script=Cherokee}ΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορτυχικ]/u
const OTHER_LATIN = /[\u{FF21}-\u{FF3A}\u{FF41}-\u{FF5A}\u{1D400}-\u{1D6A5}]/u
const PATH_LIKE = /[⁄∕․⧵﹒﹨．／＼]/u

function imitates(word: string): boolean {
  if (PATH_LIKE.test(word) || OTHER_LATIN.test(word)) return true
  return word.split(/[.\-/\\]/).some((part) => LATIN.test(part) && FOREIGN.test(part))
}

/**
 * Roughly how many tokens a model counts in a text. Pure, one pass, no vocabulary: it sums what a word, a number, a run
 * of punctuation or a letter of another script costs on average (`docs/performance.md`, "The estimate of tokens", has
 * how the weights were found and the error against a real tokenizer: on SKILL.md files the median is 3 %, nine of ten
 * are within 8 %, the largest 12 %). Never negative; 0 only for the empty text.
 */
export function estimateTokens(text: string): number {
  let cost = 0
  let run = 0
  let before = 0
  let kindBefore: number = SPACE
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const kind = code < 128 ? ASCII[code]! : kindOf(code)
    if (kind === LOWER && kindBefore === LOWER) {
      if (++run > 4) cost += 20
      continue
    }
    run = continues(kind, kindBefore) ? run + 1 : 1
    cost += kind >= OTHER ? EACH[kind]! : costOf(kind, kindBefore, run, code === before)
    before = code
    kindBefore = kind
  }
  return Math.max(Math.ceil(cost / 100), Math.min(text.length, 1))
}

const SPACE = 0
const NEWLINE = 1
const LOWER = 2
const UPPER = 3
const DIGIT = 4
const PUNCTUATION = 5
/** From here on each character has one cost, whatever stands before it. */
const OTHER = 6
const ACCENTED = 7
const ALPHABET = 8
const KANA_HANGUL = 9
const HAN = 10
const WIDE = 11
const ETHIOPIC = 12

/** Hundredths of a token for one character of the kinds from `OTHER` on. */
const EACH = [0, 0, 0, 0, 0, 0, 100, 75, 37, 64, 72, 80, 220]

/** Kinds of characters beyond ASCII by the first code of each range; a range ends where the next begins. */
const RANGES: readonly (readonly [from: number, kind: number])[] = [
  [0x80, OTHER],
  [0xc0, ACCENTED],
  [0x250, OTHER],
  [0x300, ACCENTED],
  [0x370, ALPHABET], // Greek, Cyrillic, Hebrew, Arabic, the scripts of India, Thai
  [0xe80, OTHER],
  [0x1100, KANA_HANGUL],
  [0x1200, ETHIOPIC],
  [0x1400, OTHER],
  [0x1e00, ACCENTED],
  [0x1f00, ALPHABET],
  [0x2000, OTHER],
  [0x3000, WIDE],
  [0x3040, KANA_HANGUL],
  [0x3200, WIDE],
  [0x3400, HAN],
  [0xa000, OTHER],
  [0xac00, KANA_HANGUL],
  [0xd800, OTHER], // halves of pairs: a character above U+FFFF counts as two
  [0xf900, HAN],
  [0xfb00, OTHER],
  [0xff00, WIDE],
  [0xfff0, OTHER],
]

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => asciiKind(String.fromCharCode(code)))

function asciiKind(char: string): number {
  if (/[a-z]/.test(char)) return LOWER
  if (/[A-Z]/.test(char)) return UPPER
  if (/[0-9]/.test(char)) return DIGIT
  if (/[\r\n]/.test(char)) return NEWLINE
  return /[ \t]/.test(char) ? SPACE : PUNCTUATION
}

function kindOf(code: number): number {
  let low = 0
  let high = RANGES.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (RANGES[middle]![0] <= code) low = middle
    else high = middle - 1
  }
  return RANGES[low]![1]
}

/** Whether a character belongs to the run before it: "camelCase" is two runs, "HTMLText" one. */
function continues(kind: number, before: number): boolean {
  return kind === before || (kind === LOWER && (before === UPPER || before === ACCENTED))
}

/** Hundredths of a token that an ASCII character adds as the `run`th of its run. */
function costOf(kind: number, before: number, run: number, same: boolean): number {
  if (kind === LOWER || kind === UPPER) return letterCost(kind, before, run)
  if (kind === PUNCTUATION) return run === 1 ? 56 : same ? 9 : 58
  if (kind === DIGIT) return run % 3 === 1 ? 171 : 0
  if (kind === NEWLINE) return run === 1 ? 45 : 0
  return run === 2 ? 29 : 0
}

/** A word is nearly one token up to four letters; words glued to something cost more, and so do capitals. */
function letterCost(kind: number, before: number, run: number): number {
  if (run === 1) return before === SPACE || before === NEWLINE ? 84 : 101
  return (run > 4 ? 20 : 0) + (kind === UPPER ? 8 : 0)
}

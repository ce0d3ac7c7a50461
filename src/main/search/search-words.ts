import { foldText, isAscii } from '@shared/fold-text'
import { parseSkillQuery } from '@shared/skill-query'

/** One thing that must be found: a word, or words one after another. */
export interface Term {
  /** Folded, letters and digits only; at least one. */
  tokens: readonly string[]
  /** The last token may be the start of a longer word. */
  open: boolean
}

/** What a query asks of the texts; its operators are no part of it. */
export interface SearchTerms {
  terms: readonly Term[]
  excluded: readonly Term[]
}

const MAX_TERMS = 16
const MAX_TOKENS = 16
/** Runs of what the tokenizer of SQLite (`unicode61`) takes as a word. */
const TOKEN = /[\p{L}\p{N}]+/gu
/** The same in folded ASCII: patterns of Unicode classes take long to compile. */
const PLAIN_TOKEN = /[a-z0-9]+/g
/** Scripts without spaces between words: each character is indexed as a word, and a word is a phrase of them. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu
/** Marks to compose, and all scripts from Greek on: below them nothing changes. */
const COMPOSABLE = /[\u0300-\uffff]/
const ANY_UNSPACED = new RegExp(UNSPACED.source, 'u')
/** Zero width space: a separator to the tokenizer, nothing to the eye. */
const GAP = '\u200b'

/** The words, phrases and excluded words of what was typed. Empty for a query of operators only. */
export function searchTerms(query: string): SearchTerms {
  const { words, phrases, excluded } = parseSkillQuery(query)
  return {
    terms: [...words.map((word) => term(word, true)), ...phrases.map((phrase) => term(phrase, false))]
      .filter(hasTokens)
      .slice(0, MAX_TERMS),
    excluded: excluded
      .map((word) => term(word, true))
      .filter(hasTokens)
      .slice(0, MAX_TERMS),
  }
}

/** Folded words, each after one space: ` pdf forms`. So ` pdf` is found where a word starts. */
export function spacedWords(text: string): string {
  return tokensOf(text)
    .map((token) => ` ${token}`)
    .join('')
}

/** All terms, the last word as the start of one. The first answer to a query. */
export function allOf(terms: readonly Term[]): string {
  const last = isOneLetter(terms) ? -1 : terms.findLastIndex(({ open }) => open)
  return terms.map((each, at) => expression(each, at === last)).join(' AND ')
}

/** Any term, each word as the start of one. */
export function anyOf(terms: readonly Term[]): string {
  const whole = isOneLetter(terms)
  return terms.map((each) => expression(each, each.open && !whole)).join(' OR ')
}

/** A letter alone starts some word of every text: in full texts it stands for itself. */
function isOneLetter(terms: readonly Term[]): boolean {
  const [token = '', more] = terms.length === 1 ? terms[0]!.tokens : ['', '']
  return more === undefined && token.length === 1 && !isUnspaced(token)
}

/** What is stored for the tokenizer: composed characters, and a gap around those that are words of their own. */
export function indexable(text: string): string {
  if (!COMPOSABLE.test(text)) return text
  const composed = text.normalize('NFC')
  return ANY_UNSPACED.test(composed) ? composed.replace(UNSPACED, `${GAP}$&${GAP}`) : composed
}

/** The text that was stored, to be shown. */
export function shown(stored: string): string {
  return stored.includes(GAP) ? stored.replaceAll(GAP, '') : stored
}

/** True where a word need not start after a separator. */
export function isUnspaced(token: string): boolean {
  return !isAscii(token) && ANY_UNSPACED.test(token)
}

function term(text: string, open: boolean): Term {
  return { tokens: tokensOf(text).slice(0, MAX_TOKENS), open }
}

function hasTokens({ tokens }: Term): boolean {
  return tokens.length > 0
}

function tokensOf(text: string): string[] {
  if (isAscii(text)) return text.toLowerCase().match(PLAIN_TOKEN) ?? []
  return foldText(text.normalize('NFC')).match(TOKEN) ?? []
}

/** Tokens hold letters and digits only: nothing in them can mean something to FTS5. */
function expression({ tokens }: Term, prefix: boolean): string {
  return `"${indexable(tokens.join(' '))}"${prefix ? '*' : ''}`
}

import { foldText } from '@shared/fold-text'
import { isUnspaced, shown } from './search-words'

/** Before and after each found word of a snippet. Indexed texts never hold them (`index-write.ts`). */
const MARK_START = '\ue000'
const MARK_END = '\ue001'

/** Characters before and after the first find. */
const BEFORE = 50
const AFTER = 110
/** Further than this a start of a line or word is not looked for. */
const REACH = 20
/** Characters that are looked at first: in most texts the first word is among them. */
const HEAD = 4096

export interface SnippetRules {
  /** One of these must be there; all tokens by default. */
  need?: readonly string[]
  /** A find inside a word counts where there is none at the start of one. */
  inside?: boolean
}

/**
 * The words around the first find, on one line, with every find between `MARK_START` and `MARK_END` and `…` where the
 * text goes on. `tokens` are folded; one that comes first is looked for first. Null when none of them is there.
 */
export function snippetOf(
  stored: string,
  tokens: readonly string[],
  { need = tokens, inside = false }: SnippetRules = {},
): string | null {
  const text = shown(stored)
  const folded = foldedFor(text, need)
  const wordStart = findFirst(folded, need, true)
  const at = wordStart ?? (inside ? findFirst(folded, need, false) : null)
  if (at === null) return null
  const from = startOf(text, at)
  const to = endOf(text, at)
  const marked = markIn(text, folded, { from, to, tokens, atStarts: wordStart !== null })
  return `${from > 0 ? '…' : ''}${marked.replace(/\s+/gu, ' ').trim()}${to < text.length ? '…' : ''}`
}

/** The folded text, or its head where the first find and the whole snippet are in that. */
function foldedFor(text: string, need: readonly string[]): string {
  if (text.length <= HEAD) return foldText(text)
  const head = foldText(text.slice(0, HEAD))
  const at = findFirst(head, need.slice(0, 1), true)
  return at !== null && at < HEAD - AFTER - REACH ? head : foldText(text)
}

interface Window {
  from: number
  to: number
  tokens: readonly string[]
  atStarts: boolean
}

function markIn(text: string, folded: string, { from, to, tokens, atStarts }: Window): string {
  let marked = ''
  let done = from
  while (done < to) {
    const next = nextFind(folded, tokens, { at: done, to, atStarts })
    if (!next) break
    marked += `${text.slice(done, next.at)}${MARK_START}${text.slice(next.at, next.end)}${MARK_END}`
    done = next.end
  }
  return marked + text.slice(done, to)
}

/** The nearest find; of two at the same place the longer. */
function nextFind(
  folded: string,
  tokens: readonly string[],
  { at: from, to, atStarts }: { at: number; to: number; atStarts: boolean },
): { at: number; end: number } | null {
  let best: { at: number; end: number } | null = null
  for (const token of tokens) {
    const at = findToken(folded, token, { from, atStarts })
    if (at === null || at + token.length > to) continue
    const end = at + token.length
    if (!best || at < best.at || (at === best.at && end > best.end)) best = { at, end }
  }
  return best
}

/** Of the first token that is there at all. */
function findFirst(folded: string, tokens: readonly string[], atStarts: boolean): number | null {
  for (const token of tokens) {
    const at = findToken(folded, token, { from: 0, atStarts })
    if (at !== null) return at
  }
  return null
}

function findToken(
  folded: string,
  token: string,
  { from, atStarts }: { from: number; atStarts: boolean },
): number | null {
  let at = folded.indexOf(token, from)
  if (!atStarts || isUnspaced(token)) return at < 0 ? null : at
  while (at > 0 && endsInWord(folded, at)) at = folded.indexOf(token, at + 1)
  return at < 0 ? null : at
}

/** The folded text before a place ends inside a word. Its ASCII letters are small ones. */
function endsInWord(folded: string, at: number): boolean {
  const code = folded.charCodeAt(at - 1)
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
  return WORD.test(folded.slice(Math.max(0, at - 2), at))
}

/** A text that ends inside a word. Two units, for characters beyond the first plane. */
const WORD = /[\p{L}\p{N}]$/u

function startOf(text: string, at: number): number {
  const from = Math.max(0, at - BEFORE)
  if (from === 0) return 0
  const space = text.slice(from, Math.min(from + REACH, at)).search(/\s/u)
  return whole(text, space < 0 ? from : from + space + 1)
}

function endOf(text: string, at: number): number {
  const to = Math.min(text.length, at + AFTER)
  if (to === text.length) return to
  const space = text.slice(to, to + REACH).search(/\s/u)
  return whole(text, space < 0 ? to : to + space)
}

/** Never between the two halves of one character. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}

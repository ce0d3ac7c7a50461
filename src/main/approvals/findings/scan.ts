import type { Language, Pattern } from './rule'

/** A text prepared for the rules: whole-line comments and line continuations are blanked at the same offsets. */
export interface Source {
  language: Language
  /** What the expressions see. */
  code: string
  /** The text as it is: line numbers count its lines. */
  text: string
}

/** Where a pattern matched: the first line, from 1, and how many lines did (counted up to `MAX_LINES`). */
export interface Hits {
  line: number
  lines: number
}

/** Counting stops here: the finding then says "100 or more". */
export const MAX_LINES = 100

/** Prepares a script. The language comes from the file's ending, else from the first line, else it is a shell script. */
export function prepareSource(path: string, text: string): Source {
  const language = languageOf(path, text)
  const joined = joinLines(text, language)
  const comment = commentOf(language, joined)
  return { language, code: comment ? joined.replace(comment, blank) : joined, text }
}

/** All lines on which a pattern matches, in time linear in the text. */
export function findHits(source: Pick<Source, 'code' | 'text'>, pattern: Pattern): Hits | null {
  const first = pattern instanceof RegExp ? pattern : pattern.first
  const seen = { from: 0, firstAt: -1, lines: 0 }
  for (let tried = 0; seen.lines < MAX_LINES; tried += 1) {
    first.lastIndex = seen.from
    const match = first.exec(source.code)
    if (!match) break
    const after = match.index + match[0].length
    const end = lineEnd(source.code, after)
    const hit = tried >= MAX_TRIED || continues(pattern, source.code, after, end)
    if (hit && seen.firstAt < 0) seen.firstAt = match.index
    if (hit) seen.lines += 1
    seen.from = hit || !isNear(pattern) ? end + 1 : Math.max(after, match.index + 1)
  }
  return seen.firstAt < 0 ? null : { line: lineNumber(source.text, seen.firstAt), lines: seen.lines }
}

/** After so many candidates the next one counts as a hit: no honest script has them, and time stays bounded. */
const MAX_TRIED = 2_500
const NEAR = 240

const ENDINGS: Readonly<Record<string, Language>> = {
  sh: 'sh',
  bash: 'sh',
  zsh: 'sh',
  ksh: 'sh',
  py: 'py',
  js: 'js',
  mjs: 'js',
  cjs: 'js',
  ts: 'js',
  mts: 'js',
  cts: 'js',
  rb: 'rb',
  pl: 'pl',
  pm: 'pl',
  php: 'php',
}
const SHEBANGS: readonly (readonly [RegExp, Language])[] = [
  [/python/, 'py'],
  [/node|deno|bun|tsx/, 'js'],
  [/ruby/, 'rb'],
  [/perl/, 'pl'],
  [/php/, 'php'],
]

function languageOf(path: string, text: string): Language {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const ending = ENDINGS[name.slice(name.lastIndexOf('.') + 1).toLowerCase()]
  if (ending) return ending
  const firstLine = text.slice(0, 200).split('\n', 1)[0] ?? ''
  if (!firstLine.startsWith('#!')) return 'sh'
  return SHEBANGS.find(([test]) => test.test(firstLine))?.[1] ?? 'sh'
}

/** Whole-line comments; null where such a line may be code (a here-document, a template, PHP's `?>`). */
function commentOf(language: Language, text: string): RegExp | null {
  if (language === 'py') return HASH_COMMENT
  if (language === 'php') return null
  if (language === 'js') return text.includes('`') ? null : SLASH_COMMENT
  return text.includes('<<') ? null : HASH_COMMENT
}

const HASH_COMMENT = /^[ \t]{0,200}#[^\n]*$/gm
const SLASH_COMMENT = /^[ \t]{0,200}\/\/[^\n]*$/gm

function blank(text: string): string {
  return ' '.repeat(text.length)
}

function lineEnd(code: string, from: number): number {
  const end = code.indexOf('\n', from)
  return end < 0 ? code.length : end
}

function isNear(pattern: Pattern): pattern is { first: RegExp; near: RegExp } {
  return 'near' in pattern
}

/** Tests the second half of a pattern on what follows the first. */
function continues(pattern: Pattern, code: string, after: number, end: number): boolean {
  if (pattern instanceof RegExp) return true
  const second = isNear(pattern) ? pattern.near : pattern.later
  second.lastIndex = 0
  return second.test(code.slice(after, isNear(pattern) ? Math.min(end, after + NEAR) : end))
}

/** Lines that a shell reads as one, with the newline blanked at its place. */
function joinLines(text: string, language: Language): string {
  const joined = text.replaceAll('\\\r\n', '   ').replaceAll('\\\n', '  ')
  return language === 'sh' ? joined.replace(OPEN_PIPE, (part) => part.replaceAll('\n', ' ')) : joined
}

const OPEN_PIPE = /(?:\||&&)[ \t]{0,20}\n/g

function lineNumber(code: string, index: number): number {
  let line = 1
  for (let at = code.indexOf('\n'); at >= 0 && at < index; at = code.indexOf('\n', at + 1)) line += 1
  return line
}

/** What stands around each text of the pseudo-locale, so that one that is not of the catalogue shows. */
export const MARKS = ['«', '»'] as const

/** How much longer than English a text may become (ux.md 5.8). */
const LONGER = 0.4
/** Letters of one word that only fills. */
const FILL = 6
const PLAIN = 'aceinouyACEINOUY'
const ACCENTED = 'áçéíñóúýÁÇÉÍÑÓÚÝ'
/** A text that is marked already, and may hold another. */
const MARKED = '«(?:[^«»]|«[^«»]*»)*»'

/**
 * Whether texts are to be marked: only a test says so, by a property that its debugger gives the page before the app's
 * code is loaded. No setting, file or address does.
 */
export function isPseudoLocale(): boolean {
  return (globalThis as { satchelLocale?: unknown }).satchelLocale === 'pseudo'
}

/** The same texts with accents, longer and in marks; what is put into a text keeps its bytes. */
export function inPseudoLocale<T>(words: T): T {
  return marked(words) as T
}

function marked(words: unknown): unknown {
  if (typeof words === 'string') return markedText(words, [])
  if (typeof words === 'function') return markedFunction(words as (...values: unknown[]) => unknown)
  if (Array.isArray(words)) return words.map(marked)
  if (words === null || typeof words !== 'object') return words
  return Object.fromEntries(Object.entries(words).map(([name, value]) => [name, marked(value)]))
}

function markedFunction(say: (...values: unknown[]) => unknown): (...values: unknown[]) => unknown {
  return (...values) => {
    const said = say(...values)
    return typeof said === 'string' ? markedText(said, textsIn(values)) : marked(said)
  }
}

/** The texts among parameters, in lists and objects too. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(textsIn)
}

function markedText(text: string, kept: readonly string[]): string {
  const [, before = '', inner = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? []
  // With a group the parts that are kept stand at the odd places.
  const parts = inner.split(keeping(kept))
  const own = parts.filter((_, at) => at % 2 === 0).join('')
  if (!/\p{L}/u.test(own)) return text
  const shown = parts.map((part, at) => (at % 2 === 0 ? accented(part) : part)).join('')
  return `${before}${MARKS[0]}${shown}${filling(Math.ceil(own.length * LONGER))}${MARKS[1]}${after}`
}

function keeping(kept: readonly string[]): RegExp {
  const longestFirst = [...new Set(kept)].sort((one, other) => other.length - one.length)
  const texts = longestFirst.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'))
  return new RegExp(`(${[...texts, MARKED].join('|')})`, 's')
}

function accented(text: string): string {
  return text.replaceAll(/[aceinouy]/gi, (letter) => ACCENTED[PLAIN.indexOf(letter)]!)
}

/** That many letters: short ones as the end of the last word, else as words of their own. */
function filling(letters: number): string {
  if (letters <= FILL) return 'ó'.repeat(letters)
  return ` ${'ó'.repeat(FILL)}${filling(letters - FILL)}`
}

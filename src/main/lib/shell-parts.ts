/**
 * The parts of a shell command, each as its words: what stands between `;`, `&&`, `||`, `|`, `&` and line ends. Null
 * when it can't be said with certainty which programs would run: substitutions, groups, here-documents, comments,
 * unfinished quotes. Redirections stay words of their part.
 */
export function shellParts(command: string): string[][] | null {
  const state: State = { text: command.replaceAll('\\\n', ''), at: 0, word: null, words: [], parts: [] }
  while (state.at < state.text.length) {
    if (!step(state)) return null
  }
  endPart(state)
  return state.parts
}

interface State {
  text: string
  at: number
  /** null between words; a word may be empty when it was quoted. */
  word: string | null
  words: string[]
  parts: string[][]
}

/** False when the rest is not certain. */
function step(state: State): boolean {
  const { text, at } = state
  const char = text[at]!
  const next = text[at + 1] ?? ''
  if (char === "'" || char === '"') return quoted(state, char)
  if (char === '\\') return next !== '' && add(state, next, 2)
  if (isUncertain(state, char, next)) return false
  const redirect = /^(?:&>>?|[<>]&|>\||>>|[<>])/.exec(text.slice(at, at + 3))?.[0]
  if (redirect) return add(state, redirect, redirect.length)
  if (/[;&|\n]/.test(char)) {
    endPart(state)
    state.at += 1
    return true
  }
  if (/[ \t\r]/.test(char)) {
    endWord(state)
    state.at += 1
    return true
  }
  return add(state, char, 1)
}

function isUncertain({ word }: State, char: string, next: string): boolean {
  if (/[`(){}]/.test(char)) return true
  if (char === '$') return /[('"{]/.test(next)
  if (char === '#') return word === null
  return char === '<' && next === '<'
}

function quoted(state: State, mark: string): boolean {
  const end = mark === "'" ? state.text.indexOf("'", state.at + 1) : endOfDouble(state.text, state.at + 1)
  if (end === -1) return false
  const inside = state.text.slice(state.at + 1, end)
  return add(state, mark === '"' ? inside.replace(/\\(["\\$`])/g, '$1') : inside, inside.length + 2)
}

/** -1 when the quote is not closed, or something in it would be carried out. */
function endOfDouble(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at]
    if (char === '\\') at += 1
    else if (char === '"') return at
    else if (char === '`' || (char === '$' && /[({]/.test(text[at + 1] ?? ''))) return -1
  }
  return -1
}

function add(state: State, text: string, length: number): true {
  state.word = (state.word ?? '') + text
  state.at += length
  return true
}

function endWord(state: State): void {
  if (state.word !== null) state.words.push(state.word)
  state.word = null
}

function endPart(state: State): void {
  endWord(state)
  if (state.words.length > 0) state.parts.push(state.words)
  state.words = []
}

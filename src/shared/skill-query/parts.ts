/** A piece of a query: a word, a phrase, or `operator:value`, each with a `-` before it or not. */
export interface QueryPart {
  negated: boolean
  /** As typed, without the colon; empty for words and phrases. */
  operator: string
  value: string
  /** The value stood in double quotes. */
  quoted: boolean
}

/** `-`, then `letters:`, then a quoted text (which may lack its end) or everything up to the next white space. */
const PART = /(-?)(?:(\p{L}+):)?(?:"((?:[^"\\]|\\[\s\S]?)*)"?|(\S+))/gu
/** `from:` that is not finished. */
const BARE = /^(\p{L}+):$/u

/** Words alone, as nearly always: they need no pattern of Unicode classes, which takes long to compile. */
const PLAIN = /^[A-Za-z0-9\s]*$/

/** In the order typed. Inside quotes a backslash takes the next character as it is. Curly quotes count as straight. */
export function splitQuery(text: string): QueryPart[] {
  if (PLAIN.test(text)) return (text.match(/\S+/g) ?? []).map(plainWord)
  const straight = text.replace(/[“”„]/gu, '"')
  return [...straight.matchAll(PART)].map(([, dash = '', operator = '', inQuotes, plain = '']) => {
    const negated = dash !== ''
    if (inQuotes !== undefined) return { negated, operator, value: unescape(inQuotes), quoted: true }
    const bare = operator === '' ? BARE.exec(plain)?.[1] : undefined
    if (bare !== undefined) return { negated, operator: bare, value: '', quoted: false }
    return { negated, operator, value: plain, quoted: false }
  })
}

function plainWord(value: string): QueryPart {
  return { negated: false, operator: '', value, quoted: false }
}

function unescape(text: string): string {
  return text.replace(/\\([\s\S])/g, '$1')
}

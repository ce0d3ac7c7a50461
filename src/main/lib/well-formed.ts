/** The text with every half of a surrogate pair replaced: providers refuse a request that holds one. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/** A plain JSON value with all its texts well-formed. */
export function wellFormedJson<T>(value: T): T {
  const json = JSON.stringify(value)
  // Only a lone half is written as an escape.
  if (json === undefined || !/\\ud[89a-f]/.test(json)) return value
  return JSON.parse(json, (_key, item: unknown) => (typeof item === 'string' ? wellFormed(item) : item)) as T
}

/** At most `max` code units from the start, never half of a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}

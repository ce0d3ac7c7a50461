/**
 * One text for one value: keys sorted by code unit, no white space, as RFC 8785 asks for the JSON that occurs here
 * (strings, integers, booleans, null, arrays, plain objects). Two different values never share a text, so a hash
 * of it binds every field. Throws a TypeError on what JSON can't hold (undefined, NaN, functions).
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError('canonicalJson: not a finite number')
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object') {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
  }
  throw new TypeError(`canonicalJson: ${typeof value} is not JSON`)
}

import { writtenKey } from './editing'
import { mapIn } from './field-reader'

/** `metadata.author` is a path unless the file has a field of just that name. */
export function pathOf(values: Record<string, unknown>, key: string): string[] {
  const whole = writtenKey(values, key)
  if (whole !== undefined) return [whole]
  const path = key.split('.')
  if (path.length === 1 || path.includes('')) return [key]
  return [writtenKey(values, path[0]!) ?? path[0]!, ...path.slice(1)]
}

/** Undefined when there is no such field. */
export function valueAt(values: Record<string, unknown>, path: readonly string[]): unknown {
  let value: unknown = values
  for (const part of path) {
    const map = mapIn(value)
    value = map && Object.hasOwn(map, part) ? map[part] : undefined
  }
  return value
}

/** The values with one of them changed; maps on the way are made where there are none. */
export function withValue(values: Record<string, unknown>, path: readonly string[], value: unknown) {
  const [head, ...rest] = path
  if (rest.length === 0) return { ...values, [head!]: value }
  const below: Record<string, unknown> = withValue(mapIn(valueAt(values, [head!])) ?? {}, rest, value)
  return { ...values, [head!]: below }
}

/** The values without one of them. */
export function withoutValue(
  values: Record<string, unknown>,
  path: readonly string[],
): Record<string, unknown> {
  const [head, ...rest] = path
  const { [head!]: own, ...others } = values
  const below = rest.length > 0 ? mapIn(own) : null
  return below ? { ...values, [head!]: withoutValue(below, rest) } : others
}

/** Maps are the same in any order of their keys. */
export function isSame(
  a: unknown,
  b: unknown,
  sameText: (a: string, b: string) => boolean = Object.is,
): boolean {
  if (typeof a === 'string' && typeof b === 'string') return sameText(a, b)
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, at) => isSame(item, b[at], sameText))
  }
  const [left, right] = [mapIn(a), mapIn(b)]
  if (!left || !right) return Object.is(a, b)
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(left[key], right[key], sameText))
  )
}

/** A block scalar ends with a line end that nobody typed. */
export function sameButLineEnds(a: string, b: string): boolean {
  return a.replace(/\n+$/, '') === b.replace(/\n+$/, '')
}

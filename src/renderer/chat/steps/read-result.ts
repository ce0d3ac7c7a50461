/** Careful readers for what tools return: it is data of another side, its shape is checked where it is used. */
export type Fields = Record<string, unknown>

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Strings of a list, or of one string. */
export function texts(value: unknown): string[] {
  return (typeof value === 'string' ? [value] : list(value)).filter((item) => typeof item === 'string')
}

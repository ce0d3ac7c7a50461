const MOST = 100_000

/** An amount in US dollars as it was typed, in whole cents; null for an empty field, undefined for what is none. */
export function dollarsOf(text: string): number | null | undefined {
  const plain = text.trim().replace(/^\$/, '').replace(',', '.')
  if (plain === '') return null
  if (!/^\d+(?:\.\d*)?$|^\.\d+$/.test(plain)) return undefined
  return Math.min(MOST, Math.round(Number(plain) * 100) / 100)
}

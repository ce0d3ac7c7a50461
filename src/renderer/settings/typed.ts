import { words } from './model-strings'

/** What was typed into a field of the settings: a value to save, or a sentence on why it is none. */
export type Typed<T> = { value: T } | { problem: string }

export interface NumberRange {
  min: number
  max: number
  /** As it stands behind the number: "ms". */
  unit: string
  /** How many digits after the point it may have; none when left out. */
  digits?: number
}

const MOST_DOLLARS = 100_000

/** A number in its range, with as many digits after the point as it may have. */
export function numberIn(text: string, { min, max, unit, digits = 0 }: NumberRange): Typed<number> {
  const value = rounded(Number(text), digits)
  if (text.trim() === '' || !Number.isFinite(value)) {
    return { problem: words.typed.enterANumberFrom(min, max) }
  }
  if (value > max) return { problem: words.typed.atMost(max, unit) }
  if (value < min) return { problem: words.typed.atLeast(min, unit) }
  return { value }
}

/** A share of one as per cent with one digit after the point: 0.02 is 2. */
export function percentOf(share: number): number {
  return rounded(share * 100, 1)
}

/** An amount in US dollars, in whole cents; null for an empty field. */
export function dollarsIn(text: string): Typed<number | null> {
  const plain = text.trim().replace(/^\$/, '').replace(',', '.')
  if (plain === '') return { value: null }
  if (!/^\d+(?:\.\d*)?$|^\.\d+$/.test(plain)) return { problem: words.typed.enterAnAmountSuch }
  const value = Math.round(Number(plain) * 100) / 100
  return value > MOST_DOLLARS ? { problem: words.typed.atMostUs(MOST_DOLLARS) } : { value }
}

/** Address of a proxy as model calls can use one; empty for none. */
export function proxyIn(text: string): Typed<string> {
  const value = text.trim()
  if (value === '') return { value }
  const url = URL.canParse(value) ? new URL(value) : null
  if (url && /^https?:$/.test(url.protocol) && url.hostname !== '') return { value }
  return { problem: words.typed.enterAnAddressThat }
}

/** The whole path of a file; empty for none. What is in the file is for main to check. */
export function pathIn(text: string): Typed<string> {
  const value = text.trim()
  if (value === '' || /^(?:\/|[a-z]:[\\/]|\\\\)/i.test(value)) return { value }
  return { problem: words.typed.enterTheWholePath }
}

function rounded(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits
}

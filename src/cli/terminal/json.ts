import { INVISIBLE_RANGES } from '@shared/visible-text'

/** What `--json` prints: the envelope of `runtime.md` 3. `result` only with success, the rest only without. */
export interface Envelope {
  success: boolean
  result?: unknown
  error?: string
  error_code?: string
  /** Milliseconds. */
  duration_ms: number
  tokens_used: number
  cost_usd: number
  cached: boolean
  retry_count: number
}

type Told = Pick<Envelope, 'duration_ms'> & Partial<Envelope>

/** One line with one object. Characters that nobody sees are written as \uXXXX: the data is the same. */
export function envelopeLine(told: Told): string {
  const { duration_ms, ...rest } = told
  const envelope: Envelope = {
    success: rest.error_code === undefined,
    ...rest,
    duration_ms: Math.round(duration_ms),
    tokens_used: rest.tokens_used ?? 0,
    cost_usd: rest.cost_usd ?? 0,
    cached: false,
    retry_count: 0,
  }
  return `${safeJson(envelope)}\n`
}

const HIDDEN = new RegExp(
  `[${INVISIBLE_RANGES.map(([a, b]) => String.raw`\u{${a.toString(16)}}-\u{${b.toString(16)}}`).join('')}]`,
  'gu',
)

/** JSON without control, bidi and invisible characters, however they came into the data. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(HIDDEN, (char) =>
    Array.from({ length: char.length }, (_unit, at) => escaped(char.charCodeAt(at))).join(''),
  )
}

function escaped(unit: number): string {
  return String.raw`\u${unit.toString(16).padStart(4, '0')}`
}

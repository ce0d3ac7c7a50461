import { plainKey } from './field-reader'

/** Fields of skills and agents that limit what may be done: left out, one would limit nothing. In plain form. */
const LIMITING_FIELDS: ReadonlySet<string> = new Set(
  ['allowed-tools', 'disallowed-tools', 'scope', 'tools', 'skills', 'limits'].map(plainKey),
)

/** True for a field, in any spelling, without which a skill or an agent could do more. */
export function isLimiting(key: string): boolean {
  return LIMITING_FIELDS.has(plainKey(key))
}

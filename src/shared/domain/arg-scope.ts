import { z } from 'zod'

/** Which arguments an allowing rule takes: these, other values of the same flags, or any (`ux.md` 3.2). */
export const ArgScope = z.enum(['exact', 'flags', 'anyArgs'])
export type ArgScope = z.infer<typeof ArgScope>

/** For how long a rule holds; null: until what it names changes. */
export const RuleDays = z.union([z.literal(30), z.literal(90)]).nullable()
export type RuleDays = z.infer<typeof RuleDays>

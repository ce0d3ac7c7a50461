import { z } from 'zod'
import type { WireError } from '../errors'

/** The three methods that an Electron port, a DOM port and a worker port have in common. */
export interface Port {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onClose(listener: () => void): void
}

/** Events that may be under way before the reader has acknowledged any. */
export const CREDITS = 32
/** Characters of JSON that one request may hold (`security.md` 2.1, point 17: 1 MB). */
export const MAX_REQUEST = 1_000_000

/** What the page may send. Anything else is dropped. */
export const Request = z.discriminatedUnion('t', [
  z.strictObject({
    t: z.literal('call'),
    id: z.number().int(),
    name: z.string().max(64),
    input: z.unknown(),
  }),
  z.strictObject({
    t: z.literal('open'),
    id: z.number().int(),
    name: z.string().max(64),
    input: z.unknown(),
  }),
  z.strictObject({ t: z.literal('credit'), id: z.number().int(), n: z.number().int().min(1).max(CREDITS) }),
  z.strictObject({ t: z.literal('close'), id: z.number().int() }),
])
export type Request = z.infer<typeof Request>

/** What main answers. */
export type Response =
  | { t: 'result'; id: number; value: unknown }
  | { t: 'error'; id: number; error: WireError }
  | { t: 'event'; id: number; value: unknown }
  | { t: 'end'; id: number; error?: WireError }

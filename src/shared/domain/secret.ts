import { z } from 'zod'
import { Sha256 } from './file-change'

/** AP-4 refuses some of these besides; main says so. */
export const SecretName = z
  .string()
  .regex(/^[A-Z_][A-Z0-9_]*$/)
  .max(200)

/** A skill may have the secret, as long as none of its files changes. */
export const SecretGrant = z.object({
  skillKey: z.string(),
  skillName: z.string(),
  treeDigest: Sha256,
  /** Milliseconds since 1970. */
  at: z.number(),
})
export type SecretGrant = z.infer<typeof SecretGrant>

/** A secret as a page sees it: never its value (security.md 4.1). */
export const SecretView = z.object({
  name: SecretName,
  note: z.string(),
  /** `memory`: until Satchel is closed. `env`: the app's own variable, read when a run begins. */
  source: z.enum(['keychain', 'memory', 'env']),
  /** The last four characters of a value that is long enough for that. */
  last4: z.string().nullable(),
  /** Name of the app's variable. */
  variable: z.string().nullable(),
  state: z.enum(['ready', 'missing', 'unreadable']),
  createdAt: z.number(),
  lastUsedAt: z.number().nullable(),
  grants: z.array(SecretGrant),
})
export type SecretView = z.infer<typeof SecretView>

export const SecretInput = z.object({
  name: SecretName,
  note: z.string().max(500),
  value: z.discriminatedUnion('store', [
    z.object({ store: z.enum(['keychain', 'memory']), value: z.string().max(65_536) }),
    z.object({ store: z.literal('env'), variable: z.string().min(1).max(200) }),
    /** Only the note changes. */
    z.object({ store: z.literal('keep') }),
  ]),
})
export type SecretInput = z.infer<typeof SecretInput>

/** A secret that a skill asks for by name, beside what it gets. Asking grants nothing. */
export const SecretWish = z.object({
  name: z.string(),
  /** `refused`: no run may get a variable of that name. `other`: it was given for other contents of the skill. */
  state: z.enum(['given', 'not-given', 'other', 'missing', 'refused']),
})
export type SecretWish = z.infer<typeof SecretWish>

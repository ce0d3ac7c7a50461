import { z } from 'zod'
import { RunEnvironment } from './approval'

/** Packages that were prepared for the scripts of a skill with exactly these contents (ADR 0037). */
export const PreparedEnvironment = RunEnvironment.extend({
  /** Its folder's own name: what removing it says. */
  id: z.string(),
  /** `Preparation.key`. */
  key: z.string(),
  skillKey: z.string(),
  skillName: z.string(),
  treeDigest: z.string(),
  bytes: z.number().int().nonnegative(),
  /** Milliseconds since 1970. */
  at: z.number(),
  usedAt: z.number(),
})
export type PreparedEnvironment = z.infer<typeof PreparedEnvironment>

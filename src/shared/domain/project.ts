import { z } from 'zod'

/** A folder that a person opened. Its skills are inert until it is trusted (F6). */
export const Project = z.object({
  /** Real path. */
  dir: z.string(),
  name: z.string(),
  trusted: z.boolean(),
  /** False when the folder was deleted or can't be read. */
  exists: z.boolean(),
  /** How many skills the folder brings. */
  skills: z.number().int().nonnegative(),
  /** The file in which it tells agents how to work in it, if it has one. */
  instructions: z.string().nullable(),
  openedAt: z.number(),
})
export type Project = z.infer<typeof Project>

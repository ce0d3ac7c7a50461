import { z } from 'zod'

/** What a person put in the place of what a call asks for, before answering it: *Edit and run* (`approvals.md` 7). */
export const CallEdit = z.strictObject({
  /** Of a script, in place of all of its arguments. */
  args: z.array(z.string().max(100_000)).max(10_000).optional(),
  /** Of a free command, its whole text. */
  command: z.string().min(1).max(64_000).optional(),
  /** Whether it runs as a full-screen program. */
  fullScreen: z.boolean().optional(),
  /** Of a script: the packages that it names are prepared first, as a request of its own. */
  prepare: z.literal(true).optional(),
})
export type CallEdit = z.infer<typeof CallEdit>

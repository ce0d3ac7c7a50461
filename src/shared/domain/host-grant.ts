import { z } from 'zod'

/** A host that the scripts of a skill may reach, with the contents that it was given for. */
export const HostGrant = z.object({
  /** As `name:port`, or `*.name:port` for all names below one. */
  host: z.string(),
  skillKey: z.string(),
  skillName: z.string(),
  treeDigest: z.string(),
  /** Milliseconds since 1970. */
  at: z.number(),
})
export type HostGrant = z.infer<typeof HostGrant>

/** A host that a skill asks for, beside what it gets. Asking gives nothing. */
export const HostWish = z.object({
  /** In its one spelling, or what the skill wrote where that names no host. */
  host: z.string(),
  /**
   * `other`: it was given for other contents of the skill. `refused`: it names no host that can be allowed. `policy`: the
   * organisation does not allow it. `unavailable`: this computer can't hold a run to some hosts.
   */
  state: z.enum(['given', 'not-given', 'other', 'refused', 'policy', 'unavailable']),
})
export type HostWish = z.infer<typeof HostWish>

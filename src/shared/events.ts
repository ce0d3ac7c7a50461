import { z } from 'zod'

/** "Something changed": the receiver fetches what it shows. Rows in main are the truth. */
export const AppEvent = z.discriminatedUnion('t', [
  z.object({ t: z.literal('skills.changed') }),
  /** What was typed and not saved is more or less than before. */
  z.object({ t: z.literal('drafts.changed') }),
  z.object({ t: z.literal('agents.changed') }),
  z.object({ t: z.literal('sessions.changed') }),
  z.object({ t: z.literal('approvals.changed'), sessionId: z.string() }),
  z.object({ t: z.literal('rules.changed') }),
  z.object({ t: z.literal('runs.changed'), runId: z.string() }),
  z.object({ t: z.literal('settings.changed') }),
  z.object({ t: z.literal('mcp.changed') }),
  z.object({ t: z.literal('projects.changed') }),
  /** Entries were added to the record; told at most a few times in a second. */
  z.object({ t: z.literal('audit.changed') }),
  z.object({
    t: z.literal('notice'),
    level: z.enum(['info', 'warning', 'error']),
    /** What happened and what to do. */
    message: z.string(),
    /** The chat that it is about, where it is shown there alone. */
    sessionId: z.string().optional(),
    /** The chat that a person talks in whose turn ended at a limit of its agent. */
    limitOf: z.string().optional(),
    /** What it is about: a later notice about the same takes its place. */
    about: z.string().optional(),
  }),
  /** A menu item or a key of the native menu asks the page to do something. */
  z.object({
    t: z.literal('command'),
    name: z.string(),
    /** The waiting request that it is about, where a notification was clicked. */
    requestId: z.string().optional(),
  }),
])
export type AppEvent = z.infer<typeof AppEvent>

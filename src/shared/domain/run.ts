import { z } from 'zod'

/** What a run that may reach hosts did with its network. Names that were refused are what the script wrote. */
export const NetworkRecord = z.object({
  reached: z.array(z.object({ host: z.string(), address: z.string(), times: z.number().int().positive() })),
  refused: z.array(z.object({ host: z.string(), why: z.string(), times: z.number().int().positive() })),
  /** Connections that are not listed. */
  more: z.number().int().positive().optional(),
})
export type NetworkRecord = z.infer<typeof NetworkRecord>

export const RunStatus = z.enum([
  'running',
  'succeeded',
  'failed',
  'timed_out',
  'killed',
  'interrupted',
  'sandbox_failed',
])
export type RunStatus = z.infer<typeof RunStatus>

/** One execution of one script. `requestId` is never empty: the database refuses an unapproved run. */
export const Run = z.object({
  id: z.string(),
  requestId: z.string(),
  sessionId: z.string(),
  callId: z.string(),
  skillName: z.string(),
  script: z.string(),
  treeDigest: z.string(),
  argv: z.array(z.string()),
  cwd: z.string(),
  status: RunStatus,
  backend: z.string(),
  exitCode: z.number().int().nullable(),
  signal: z.string().nullable(),
  /** Bytes printed, kept or not. */
  outputBytes: z.number().int().nonnegative(),
  truncated: z.boolean(),
  interactive: z.boolean(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
})
export type Run = z.infer<typeof Run>

/** A piece of a run's output. `offset` counts characters of the log from 0; opening again at an offset continues. */
export const OutputChunk = z.object({
  offset: z.number().int().nonnegative(),
  channel: z.enum(['out', 'err']),
  data: z.string(),
  /** A terminal had it before: what it asks was answered, and is not answered again. */
  again: z.literal(true).optional(),
})
export type OutputChunk = z.infer<typeof OutputChunk>

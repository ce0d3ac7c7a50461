import { z } from 'zod'

/** Lower-case hex. */
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const FileState = z.object({ sha256: Sha256, bytes: z.number().int().nonnegative() })

/** What a call changes in one file: shown in the request, and kept on the call (R19). */
export const FileChange = z.object({
  /** Relative to the workspace, with /. */
  path: z.string(),
  mode: z.enum(['create', 'change']),
  /** null: there was no such file. */
  before: FileState.nullable(),
  after: FileState,
  /** The changed lines with a few around them, as `lineDiff` numbers them; a jump of the numbers is a gap. */
  diff: z.array(
    z.object({
      kind: z.enum(['same', 'add', 'del']),
      before: z.number().int().positive().optional(),
      after: z.number().int().positive().optional(),
      text: z.string(),
    }),
  ),
})
export type FileChange = z.infer<typeof FileChange>

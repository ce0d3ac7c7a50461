import { z } from 'zod'
import { setFileRead } from '../../db/file-read-rows'
import { sha256 } from '../../lib/hash'
import { succeeded } from '../turn/envelope'
import { isText, mediaType, RANGE, textResult } from './file-result'
import { fileTarget, readTarget, shownPath, type FileTarget } from './file-target'
import { defineTool, type ToolContext, type ToolOutcome } from './tool'

const MAX_FILE = 10_000_000

const Input = z.object({
  file_path: z
    .string()
    .min(1)
    .max(4096)
    .describe('Relative to the project, or /.sandbox/skills/<name>/<path>.'),
  ...RANGE,
})

/** Reads without asking: what stands in the workspace is there for the agent (`approvals.md` 5). */
export const readFileTool = defineTool(
  {
    name: 'Read',
    description:
      'Reads a text file of the project or of an active skill, up to 16 kB or 1,000 lines at a time. Of other files it gives type and size.',
    input: Input,
  },
  read,
)

async function read(context: ToolContext, input: z.output<typeof Input>): Promise<ToolOutcome> {
  const target = await fileTarget(context, input.file_path)
  const bytes = await readTarget(context, target, MAX_FILE)
  const path = shownPath(target)
  const envelope = isText(bytes)
    ? textResult(path, bytes, input)
    : succeeded({ path, media_type: mediaType(path), size: bytes.length })
  return { kind: 'result', envelope, record: () => note(context, target, bytes) }
}

/** Which bytes the agent has seen: only those may be edited. */
function note({ deps, session, call }: ToolContext, target: FileTarget, bytes: Uint8Array): void {
  const digest = sha256(bytes)
  if (target.kind === 'workspace')
    setFileRead(deps.db.sql, session.id, { path: target.place.path, sha256: digest })
  const data = target.kind === 'skill' ? { digest: target.skill.digest } : { sha256: digest }
  deps.audit.append({
    actor: 'agent',
    action: target.kind === 'skill' ? 'skill.read' : 'file.read',
    sessionId: session.id,
    target: target.kind === 'skill' ? `${target.skill.name}/${target.path}` : target.place.path,
    data: { ...data, step: call.step },
  })
}

import { z } from 'zod'
import type { ActiveSkill } from '@shared/domain/session'
import { containRelative } from '@shared/paths'
import { failed, succeeded } from '../turn/envelope'
import { activeSkill, isInert, noActiveSkill } from './active'
import { binaryResult, isText, RANGE, textResult } from './file-result'
import { defineTool, type ToolContext, type ToolOutcome } from './tool'

const MAX_FILES = 200

const Input = z.object({
  path: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('Relative to the skill. Left out: the list of its files.'),
  skill: z.string().max(200).optional().describe('An active skill; left out: the one loaded last.'),
  ...RANGE,
  offset: RANGE.offset.describe('First line, from 1; of the list the first file.'),
})

/** Reads from the snapshot that was loaded, never from the live folder (AP-12). */
export const readTool = defineTool(
  {
    name: 'skills_read',
    description: 'Reads a file of an active skill, or lists its files. Up to 16 kB or 1,000 lines at a time.',
    input: Input,
  },
  read,
)

async function read(context: ToolContext, input: z.output<typeof Input>): Promise<ToolOutcome> {
  const { deps, session } = context
  const skill = activeSkill(session, input.skill)
  if (!skill) return noActiveSkill(session, input.skill)
  if (isInert(deps, session, skill.key)) {
    const error = `The project is not trusted any more, so "${skill.name}" can't be read. Tell the person.`
    return { kind: 'result', envelope: failed('not_trusted', error) }
  }
  const { files } = await deps.store.manifest(skill.digest)
  if (input.path === undefined) return listFiles(context, { skill, files, first: input.offset })
  const path = containRelative(input.path)
  const file = files.find((candidate) => candidate.path === path)
  if (!file) {
    const near = files
      .filter((candidate) => base(candidate.path) === base(path))
      .map((candidate) => candidate.path)
    const hint =
      near.length > 0
        ? ` Did you mean ${near.slice(0, 3).join(', ')}?`
        : ' Call skills_read without a path for the list.'
    return { kind: 'result', envelope: failed('not_found', `"${skill.name}" has no file "${path}".${hint}`) }
  }
  const bytes = await deps.store.read(skill.digest, path)
  const envelope = isText(bytes) ? textResult(path, bytes, input) : binaryResult(path, bytes)
  return { kind: 'result', envelope, record: () => note(context, skill, path) }
}

interface List {
  skill: ActiveSkill
  files: readonly { path: string; size: number }[]
  /** From 1. */
  first: number
}

/** `not_shown`: how many come after these; `next_offset`: where they begin. */
function listFiles(context: ToolContext, { skill, files, first }: List): ToolOutcome {
  if (first > Math.max(files.length, 1)) {
    const error = `The list of "${skill.name}" ends with file ${files.length}; "offset" is ${first}.`
    return { kind: 'result', envelope: failed('bad_input', error) }
  }
  const end = first - 1 + MAX_FILES
  const shown = files.slice(first - 1, end).map(({ path, size }) => ({ path, size }))
  const more = files.length - end
  const envelope = succeeded({
    files: shown,
    ...(more > 0 ? { not_shown: more, next_offset: end + 1 } : {}),
  })
  return { kind: 'result', envelope, record: () => note(context, skill, '') }
}

function note({ deps, session, call }: ToolContext, skill: ActiveSkill, path: string): void {
  deps.audit.append({
    actor: 'agent',
    action: 'skill.read',
    sessionId: session.id,
    target: `${skill.name}/${path}`,
    data: { digest: skill.digest, step: call.step },
  })
}

function base(path: string): string {
  return path.split('/').at(-1)?.toLowerCase() ?? ''
}

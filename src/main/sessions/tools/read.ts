import { z } from 'zod'
import type { ActiveSkill } from '@shared/domain/session'
import { containRelative } from '@shared/paths'
import { cutText } from '../../lib/well-formed'
import { failed, succeeded } from '../envelope'
import { activeSkill, isInert, noActiveSkill } from './active'
import { defineTool, type ToolContext, type ToolOutcome } from './tool'

const MAX_TEXT = 1_000_000
const MAX_BINARY = 256_000
const MAX_CALL = 16_000
const MAX_LINES = 1000
const MAX_FILES = 200

const Input = z.object({
  path: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe('Relative to the skill. Left out: the list of its files.'),
  skill: z.string().max(200).optional().describe('An active skill; left out: the one loaded last.'),
  offset: z.number().int().min(1).default(1).describe('First line, from 1.'),
  limit: z.number().int().min(1).max(MAX_LINES).default(MAX_LINES).describe('Number of lines.'),
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
  if (input.path === undefined) return listFiles(context, skill, files)
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

function listFiles(
  context: ToolContext,
  skill: ActiveSkill,
  files: readonly { path: string; size: number }[],
): ToolOutcome {
  const shown = files.slice(0, MAX_FILES).map(({ path, size }) => ({ path, size }))
  const more = files.length - shown.length
  const envelope = succeeded({ files: shown, ...(more > 0 ? { not_shown: more } : {}) })
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

function textResult(path: string, bytes: Uint8Array, range: { offset: number; limit: number }) {
  if (bytes.length > MAX_TEXT) {
    return failed(
      'too_large',
      `"${path}" has ${bytes.length} bytes; text over 1 MB is not read. Run a script on it instead.`,
    )
  }
  const lines = new TextDecoder().decode(bytes).split('\n')
  if (lines.at(-1) === '') lines.pop()
  const first = Math.min(range.offset, Math.max(lines.length, 1))
  const content = takeLines(lines.slice(first - 1, first - 1 + range.limit))
  return succeeded({
    path,
    content: content.text,
    from_line: first,
    to_line: first + Math.max(content.count, 1) - 1,
    total_lines: lines.length,
    size: bytes.length,
  })
}

/** Whole lines up to the limit of a call; one line that is longer by itself is cut, and says so. */
function takeLines(lines: readonly string[]): { text: string; count: number } {
  let text = ''
  let count = 0
  for (const line of lines) {
    if (count > 0 && text.length + line.length + 1 > MAX_CALL) break
    text += `${line}\n`
    count += 1
  }
  if (text.length > MAX_CALL + 1) text = `${cutText(text, MAX_CALL)}\n… (this line is longer than 16 kB)`
  return { text, count }
}

function binaryResult(path: string, bytes: Uint8Array) {
  const media_type = mediaType(path)
  if (bytes.length > MAX_BINARY) return succeeded({ path, media_type, size: bytes.length })
  const content = Buffer.from(bytes).toString('base64')
  return succeeded({ path, media_type, encoding: 'base64', content, size: bytes.length })
}

function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false // not UTF-8: sent as bytes
  }
}

const MEDIA: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  zip: 'application/zip',
}

function mediaType(path: string): string {
  return MEDIA[path.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
}

function base(path: string): string {
  return path.split('/').at(-1)?.toLowerCase() ?? ''
}

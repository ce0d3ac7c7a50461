import { z } from 'zod'
import type { Envelope } from '@shared/domain/session'
import type { Scope } from '@shared/domain/skill'
import { moreLine, type CatalogueLine } from '../instructions/catalogue'
import { READ_ON } from '../tools/file-result'
import { escapeTags, plainLine } from '../instructions/escape'
import { defineStyleTool, loadCall, type CallFacts, type Style } from './style'

const Name = z.string().min(1).max(200).describe('Name of the skill')

const readSkill = defineStyleTool({
  name: 'agent_skill_read',
  over: ['skills_load'],
  describe: 'Loads an agent skill: its frontmatter and its instructions.',
  input: z.object({ name: Name }),
  toCore: ({ name }) => loadCall(name),
  shape: ({ skill }) => ({
    skill: skill && {
      scope: scopeName(skill),
      directoryName: skill.folder,
      frontmatter: frontmatterOf(skill.frontmatter, skill),
      body: skill.body,
    },
  }),
  seen: successOrError,
  holdsBody: true,
})

const readFile = defineStyleTool({
  name: 'agent_skill_read_file',
  over: ['skills_read'],
  describe: 'Reads a file inside the folder of a skill that was read. Up to 16 kB or 1,000 lines at a time.',
  input: z.object({
    name: Name,
    filePath: z.string().min(1).max(4096).describe('Relative to the skill'),
    offset: z.number().int().min(1).optional().describe('First line, from 1'),
    limit: z.number().int().min(1).max(1000).optional().describe('Number of lines'),
    char_offset: READ_ON.char_offset.optional(),
  }),
  toCore: ({ name, filePath, ...range }) => ({
    tool: 'skills_read',
    input: { skill: name, path: filePath, ...range },
  }),
  shape: ({ result }) => fileResult(result),
  seen: successOrError,
})

/** S3: a block in the instructions that says how to load; results are unions of success and error. */
export const agentSkillReadStyle: Style = {
  id: 'agent-skill-read',
  listIn: 'instructions',
  list: writeList,
  rules: [
    'Skills: before a complex task, look in agent-skills whether one fits. Call agent_skill_read before you use a skill, and',
    'follow its body. Where the body links to a file, read it with agent_skill_read_file when you need it. Where the body or a',
    'code block names a script of the skill, run it with skills_run_script; do not read a script first. Paths are relative',
    'to the skill, with forward slashes.',
  ].join('\n'),
  tools: [readSkill, readFile],
  replaces: { skills_load: 'agent_skill_read', skills_read: 'agent_skill_read_file' },
}

/** The words of S3, "System prompt injection". */
function writeList(lines: readonly CatalogueLine[], omitted: number): string {
  const written = lines.map(({ name, description, scope, inProject = false }) => {
    const text = escapeTags(plainLine(description))
    const where = scope === undefined ? '' : `(scope: ${scopeName({ scope, inProject })})`
    return `- ${escapeTags(plainLine(name))}${[text === '' ? '' : `: ${text}`, where].join(' ').trimEnd()}`
  })
  return [
    '<agent-skills>',
    'Available agent skills (call tools to load):',
    ...written,
    ...moreLine(omitted),
    '',
    'To load a skill:',
    '- agent_skill_read({ name: "<skill-name>" })',
    '',
    'To read referenced files inside a skill directory:',
    '- agent_skill_read_file({ name: "<skill-name>", filePath: "references/whatever.txt" })',
    '</agent-skills>',
  ].join('\n')
}

/** S3 knows two roots: the project's, with the shared folders and plugins in it, and the person's. */
function scopeName({ scope, inProject }: { scope: Scope; inProject: boolean }): 'project' | 'global' {
  return scope === 'project' || inProject ? 'project' : 'global'
}

/** Unknown keys are left out, as in S3; name and description as they are used here. */
function frontmatterOf(
  { license, compatibility, metadata }: Record<string, unknown>,
  { name, description }: { name: string; description: string },
) {
  return { name, description, license, compatibility, metadata }
}

function fileResult(result: CallFacts['result']) {
  const { content, encoding, media_type, size, from_line, to_line, total_lines, next_char_offset } = result
  const isText = typeof from_line === 'number' && typeof to_line === 'number'
  return {
    content: typeof content === 'string' ? content : '',
    lines_read: isText ? to_line - from_line + 1 : 0,
    file_size: size,
    truncated: isText
      ? to_line < Number(total_lines) || next_char_offset !== undefined
      : typeof content !== 'string',
    ...(isText ? {} : { media_type, encoding }),
  }
}

function successOrError({ success, result, error }: Envelope): unknown {
  return success ? { success, ...(result as object) } : { success, error: error ?? '' }
}

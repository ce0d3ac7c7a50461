import { z } from 'zod'
import { moreLine, type CatalogueLine } from '../instructions/catalogue'
import { escapeTags, plainLine } from '../instructions/escape'
import { READ_ON } from '../tools/file-result'
import type { Envelope } from '@shared/domain/session'
import { splitDiff } from '../tools/proposed-files'
import { defineStyleTool, loadCall, resultOrError, type CallFacts, type Style } from './style'

const Id = z.string().min(1).max(200).describe('The id of the skill, as the list writes it')

const listSkills = defineStyleTool({
  name: 'list_skills',
  over: ['skills_list'],
  describe: 'Returns the catalogue of skills with descriptions. query filters by name, tags and description.',
  input: z.object({ query: z.string().max(1000).default('').describe('Words to look for') }),
  toCore: ({ query }) => ({ tool: 'skills_list', input: query === '' ? {} : { query } }),
  shape: ({ result }) => ({
    ...result,
    skills: listOf(result['skills']).map((skill) => ({
      skill_id: skill['id'] ?? skill['name'],
      description: skill['description'],
    })),
  }),
  seen: resultOrError,
})

const readSkill = defineStyleTool({
  name: 'read_skill',
  over: ['skills_load'],
  describe: 'Returns the full instructions of a skill. Call it before you use the skill.',
  input: z.object({ skill_id: Id }),
  toCore: ({ skill_id }, skills) => loadCall(skills.nameOf(skill_id)),
  shape: ({ skill, input }) => {
    if (!skill) return ''
    const { skill_id } = input as { skill_id: string }
    const hint = `This skill requires: ${skill.requires.join(', ')}. Load it first if you haven't already.`
    return [
      skill.body,
      `Skill loaded: ${skill_id} (approx. ${skill.tokens} tokens)`,
      ...(skill.requires.length > 0 ? [hint] : []),
    ].join('\n\n')
  },
  seen: textOrError,
  holdsBody: true,
})

const readResource = defineStyleTool({
  name: 'read_skill_resource',
  over: ['skills_read'],
  describe: 'Returns one file of a skill that was read: a template, a reference, a checklist.',
  input: z.object({
    skill_id: Id,
    path: z.string().min(1).max(4096).describe('Relative to the skill'),
    offset: READ_ON.offset.optional(),
    char_offset: READ_ON.char_offset.optional(),
  }),
  toCore: ({ skill_id, ...part }, skills) => ({
    tool: 'skills_read',
    input: { skill: skills.nameOf(skill_id), ...part },
  }),
  shape: ({ result }) => resourceText(result),
  shapeError: ({ envelope }) =>
    envelope.error_code === 'path_escape' ? 'Path traversal detected' : (envelope.error ?? ''),
  seen: textOrError,
})

const proposeUpdate = defineStyleTool({
  name: 'propose_skill_update',
  over: ['skills_propose_update'],
  describe: 'Proposes a change of a skill. A person decides; nothing is changed until then.',
  input: z.object({
    skill_id: Id,
    diff: z.string().min(1).max(200_000).describe('The change, as a unified diff'),
    justification: z.string().min(1).max(10_000).describe('Why it is needed'),
  }),
  toCore: ({ skill_id, diff, justification }, skills) => ({
    tool: 'skills_propose_update',
    input: { name: skills.nameOf(skill_id), justification, files: splitDiff(diff) },
  }),
  shape: ({ result }) => result,
  seen: resultOrError,
})

/** S2: a list of ids in the instructions; bodies and files are texts. The id is the name of the skill's folder. */
export const readSkillStyle: Style = {
  id: 'read-skill',
  listIn: 'instructions',
  list: writeList,
  rules: [
    'Skills: before a complex task, look under [Available Skills] whether one fits. Call read_skill before you use a skill,',
    'and follow its text. Where the text links to a file, read it with read_skill_resource when you need it. Where the text',
    'or a code block names a script of the skill, run it with skills_run_script; do not read a script first. Paths are',
    'relative to the skill, with forward slashes.',
  ].join('\n'),
  tools: [listSkills, readSkill, readResource, proposeUpdate],
  replaces: {
    skills_list: 'list_skills',
    skills_load: 'read_skill',
    skills_read: 'read_skill_resource',
    skills_propose_update: 'propose_skill_update',
  },
}

function writeList(lines: readonly CatalogueLine[], omitted: number): string {
  const written = lines.map(({ id, name, description }) => {
    const text = escapeTags(plainLine(description))
    const code = escapeTags(plainLine(id ?? name)).replaceAll('`', '')
    return `• \`${code}\`${text === '' ? '' : ` — ${text}`}`
  })
  return [
    '[Available Skills]',
    ...written,
    ...moreLine(omitted, 'list_skills'),
    '',
    'Use read_skill(skill_id) to load full instructions.',
  ].join('\n')
}

function resourceText(result: CallFacts['result']): string {
  const { content, encoding, media_type, size, from_line, to_line, total_lines } = result
  if (typeof content !== 'string') return `(${String(media_type)}, ${String(size)} bytes, too large to show)`
  if (encoding === 'base64') return `(${String(media_type)}, base64) ${content}`
  const isCut = typeof to_line === 'number' && typeof total_lines === 'number' && to_line < total_lines
  if (!isCut) return content
  const which = from_line === 1 ? `the first ${to_line}` : `${String(from_line)} to ${to_line}`
  return `${content}\n(cut: ${total_lines} lines, these are ${which}; the next is offset ${to_line + 1})`
}

function textOrError(envelope: Envelope): unknown {
  return envelope.success ? envelope.result : (envelope.error ?? '')
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? (value as Record<string, unknown>[]) : []
}

import { z } from 'zod'
import { cutText } from '../../lib/well-formed'
import { weakMemo } from '../../lib/weak-memo'
import type { SkillRecord } from '../../skills/record'
import { failed, succeeded } from '../turn/envelope'
import { plainLine } from '../instructions/escape'
import { skillIds } from '../styles/ids'
import { relevanceOf, usableHere, usableSkills } from '../instructions/usable-skills'
import { defineTool, type ToolContext, type ToolOutcome } from './tool'

const MAX_LISTED = 100
/** Long descriptions would fill the answer: all of it comes with the skill. */
const MAX_DESCRIPTION = 300

const Input = z.object({
  query: z.string().max(1000).default('').describe('Words to look for; left out: all skills by name.'),
  limit: z.number().int().min(1).max(MAX_LISTED).default(20).describe('At most this many.'),
})

/** Finds skills that the model may load in this chat (R8); the same ones that the catalogue is made of. */
export const listTool = defineTool(
  {
    name: 'skills_list',
    description:
      'Finds skills by words of their name, tags and description; best match first. Without query: all, by name.',
    input: Input,
  },
  async (context, input) => list(context, input),
)

function list({ deps, session }: ToolContext, input: z.output<typeof Input>): ToolOutcome {
  const skills = usableSkills(deps, session)
  if (skills.length === 0) return { kind: 'result', envelope: failed('not_found', NONE) }
  const query = input.query.trim()
  const found = query === '' ? skills.map((_, at) => at) : find({ deps, session }, query)
  const ids = skillIds(skills)
  const active = new Set(session.activeSkills.map(({ key }) => key))
  const shown = found.slice(0, input.limit).flatMap((at) => {
    const skill = skills[at]
    if (!skill) return []
    const { name, scope, description, tokens, key } = skill
    const id = ids[at] === name ? {} : { id: ids[at] }
    const line = plainLine(description)
    const text = line.length > MAX_DESCRIPTION ? `${cutText(line, MAX_DESCRIPTION)}…` : line
    return [{ name, scope, description: text, tokens: tokens.body, active: active.has(key), ...id }]
  })
  const hint = hintOf(found.length, shown.length, skills.length)
  return {
    kind: 'result',
    envelope: succeeded({ skills: shown, total: found.length, ...(hint === '' ? {} : { hint }) }),
  }
}

const NONE = 'There are no skills in this chat. Go on without one, and tell the person if you need one.'

/** Places in the list of usable skills: those whose name or tag holds the query, then by how well they fit. */
function find({ deps, session }: Pick<ToolContext, 'deps' | 'session'>, query: string): number[] {
  const skills = usableSkills(deps, session)
  const wanted = query.toLowerCase()
  const holds = (text: string) => text.includes(wanted)
  const scores = relevanceOf(usableHere(deps, session)).score(query)
  const found: number[] = []
  foldedNames(skills).forEach((names, at) => {
    if (names.some(holds)) scores[at]! += 1000
    if (scores[at]! > 0) found.push(at)
  })
  return found.sort((a, b) => scores[b]! - scores[a]! || a - b)
}

/** Name and tags of each skill in small letters; the list stays the same one while no skill changes. */
const foldedNames = weakMemo((skills: readonly SkillRecord[]) =>
  skills.map(({ name, tags }) => [name, ...tags].map((text) => text.toLowerCase())),
)

function hintOf(found: number, shown: number, all: number): string {
  if (found === 0)
    return `Nothing fits these words. Try others, or leave query out to see all ${all} by name.`
  return found > shown ? `${found - shown} more: use other words or a larger limit.` : ''
}

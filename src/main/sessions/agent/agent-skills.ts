import type { Diagnostic } from '@shared/domain/skill'
import { foldName } from '@shared/skill-md/skill-name'
import { problem } from '@shared/skill-md/problem'
import type { SkillRecord } from '../../skills/record'
import type { Registry } from '../../skills/registry/registry'

/** What an agent's `uses_skills` means here: the skills, in its order, and what is to be said of the others. */
export interface AgentSkills {
  records: SkillRecord[]
  problems: Diagnostic[]
}

/** Who asks for them, and where. */
export interface AsksForSkills {
  projectDir: string | null
  agent: string
  usesSkills: readonly string[]
  /** As many may be active. */
  max: number
}

/**
 * Missing and unusable ones, names with more than one copy, and those over the limit are told; the agent starts all the
 * same (`runtime.md` 5).
 */
export function agentSkills(
  registry: Pick<Registry, 'resolve' | 'copies'>,
  { projectDir, agent, usesSkills, max }: AsksForSkills,
): AgentSkills {
  const found: AgentSkills = { records: [], problems: [] }
  for (const name of usesSkills) {
    const resolved = registry.resolve(projectDir, name, agent)
    if (!resolved.ok) {
      const message = `It always uses "${name}", which is not there for it: ${resolved.message}`
      const fix = `Correct the name, or take it out of "uses_skills".`
      found.problems.push(problem('warning', 'uses-skill-missing', message, { fix }))
      continue
    }
    const { record } = resolved
    if (found.records.some((other) => foldName(other.name) === foldName(record.name))) continue
    if (found.records.length >= max) {
      const message = `"${name}" is not loaded: at most ${max} skills can be active.`
      const fix = 'Use fewer skills, or raise the limit.'
      found.problems.push(problem('warning', 'uses-skill-over-limit', message, { fix }))
      continue
    }
    found.records.push(record)
    found.problems.push(...shadowing(registry, projectDir, record))
  }
  return found
}

function shadowing(
  registry: Pick<Registry, 'copies'>,
  projectDir: string | null,
  { name, key, location }: SkillRecord,
): Diagnostic[] {
  const others = registry.copies(projectDir, name).filter(({ record }) => record.key !== key)
  if (others.length === 0) return []
  const where = others.map(({ record }) => record.location).join(', ')
  const message = `Of "${name}" the copy in ${location} is used; there is another in ${where}.`
  const fix = `Write "${name}@" and a scope in "uses_skills" to name one of them.`
  return [problem('info', 'uses-skill-shadowed', message, { fix })]
}

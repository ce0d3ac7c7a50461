import { join } from 'node:path'
import { z } from 'zod'
import { RuleMatch, type Rule } from '@shared/domain/rule'
import { readDataFile } from '../../lib/data-file'
import { sha256 } from '../../lib/hash'

/** What a project says of its own requests (`approvals.md` 9). */
export interface ProjectRules {
  /** Those that deny or ask; they hold whether the project is trusted or not, for they only tighten. */
  rules: Rule[]
  /** Rules that the project would like to be allowed: shown, never used. */
  suggestions: string[]
  /** The file is there and can't be used: it may deny something, so nothing is allowed by rules. */
  damaged: string | null
}

const Entry = z.object({
  effect: z.enum(['allow', 'ask', 'deny']),
  shape: z.string().max(50),
  match: z.record(z.string(), z.unknown()),
  justification: z.string().max(500).optional(),
})
const ProjectFile = z.object({ rules: z.array(Entry).max(500) })

const MAX_FILE = 256 * 1024

/** Reads `<project>/.satchel/rules.json`. Never throws. */
export function readProjectRules(projectDir: string | null): ProjectRules {
  const none: ProjectRules = { rules: [], suggestions: [], damaged: null }
  if (projectDir === null) return none
  const file = readDataFile(join(projectDir, '.satchel', 'rules.json'), MAX_FILE)
  if (file.state === 'missing') return none
  if (file.state === 'broken') return { ...none, damaged: file.reason }
  const parsed = ProjectFile.safeParse(file.value)
  if (!parsed.success) return { ...none, damaged: 'It must be { "rules": [ … ] }, as the manual shows.' }
  return parsed.data.rules.reduce((found, entry) => withEntry(found, entry, projectDir), none)
}

function withEntry(found: ProjectRules, entry: z.infer<typeof Entry>, projectDir: string): ProjectRules {
  const said = JSON.stringify({ ...entry.match, shape: entry.shape })
  if (entry.effect === 'allow') return { ...found, suggestions: [...found.suggestions, said] }
  const match = RuleMatch.safeParse({ ...entry.match, shape: entry.shape })
  if (!match.success || 'fingerprint' in match.data || match.data.shape === 'author') {
    return { ...found, damaged: `It holds a rule that is not understood: ${said.slice(0, 200)}` }
  }
  return { ...found, rules: [...found.rules, ruleOf(entry, match.data, projectDir)] }
}

function ruleOf({ effect, justification }: z.infer<typeof Entry>, match: RuleMatch, dir: string): Rule {
  return {
    id: `project_${sha256(JSON.stringify([effect, match])).slice(0, 16)}`,
    effect,
    match,
    agent: null,
    project: { dir },
    lifetime: 'always',
    chatId: null,
    expiresAt: null,
    state: 'on',
    origin: 'project',
    createdAt: 0,
    createdFrom: null,
    lastUsedAt: null,
    useCount: 0,
    justification: justification ?? null,
    example: null,
  }
}

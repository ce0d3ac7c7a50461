import { z } from 'zod'
import { Diagnostic, TokenCosts } from '@shared/domain/skill'
import { decodeSkillMd, estimateTokens, parseSkillMd, unreadable } from '@shared/skill-md'
import type { ParsedSkill } from '@shared/skill-md'
import { MAX_SKILL_MD } from '@shared/skill-md/decode'
import { problem } from '@shared/skill-md/problem'
import { scriptKind } from '@shared/script-kind'
import { readStart } from './safe-read'
import { listTree } from './tree'
import type { TreeFile } from './tree'

/** Tells from a file's path and first bytes whether it can be run (`product.md`, decision 12). */
export type IsScript = (path: string, firstBytes: Buffer) => boolean

/** What is known of a skill from its files alone, whatever root it was found through. Kept in the cache. */
export const SkillFacts = z.object({
  name: z.string(),
  description: z.string(),
  frontmatter: z.record(z.string(), z.unknown()),
  allowedTools: z.array(z.string()),
  license: z.string().optional(),
  requires: z.array(z.string()),
  disableModelInvocation: z.boolean(),
  userInvocable: z.boolean(),
  priority: z.number(),
  tokens: TokenCosts,
  scripts: z.number(),
  files: z.number(),
  diagnostics: z.array(Diagnostic),
  broken: z.boolean(),
  /** Real folders of the skill: a change of any of them asks for a new look. */
  dirs: z.array(z.string()),
})
export type SkillFacts = z.infer<typeof SkillFacts>

/** Files that are counted; larger skills show this number. */
const MAX_COUNTED = 2000
const HEAD = 256
/** Characters around one entry of the catalogue: tags and line ends. */
const ENTRY_FRAME = 70

/** The default `IsScript`: by the table of interpreters. */
export function isScriptFile(path: string, firstBytes: Buffer): boolean {
  return scriptKind(path, firstLine(firstBytes)) !== null
}

/** Reads and parses a SKILL.md. Never throws: what can't be read is a broken skill with the reason. */
export function readSkillMd(skillMd: string, folderName: string): ParsedSkill {
  try {
    const decoded = decodeSkillMd(readStart(skillMd, MAX_SKILL_MD + 1))
    return decoded.problem
      ? unreadable(decoded.problem, folderName)
      : parseSkillMd(decoded.text, { folderName })
  } catch (error) {
    return unreadable(notReadable(error), folderName)
  }
}

export interface SkillPlace {
  skillMd: string
  realDir: string
  folder: string
  allowHardLinks: boolean
}

/** Everything there is to know of one skill folder. */
export function readFacts(place: SkillPlace, isScript: IsScript): SkillFacts {
  const parsed = readSkillMd(place.skillMd, place.folder)
  const tree = listTree(place.realDir, { maxFiles: MAX_COUNTED, allowHardLinks: place.allowHardLinks })
  const kinds = tree.files.map((file) => ({ file, ...kindOf(file, isScript) }))
  const others = kinds.filter(({ file, script, text }) => text && !script && !/^skill\.md$/i.test(file.path))
  return {
    name: parsed.name,
    description: parsed.description,
    frontmatter: parsed.frontmatter,
    allowedTools: parsed.allowedTools,
    ...(parsed.license === undefined ? {} : { license: parsed.license }),
    requires: parsed.requires,
    disableModelInvocation: parsed.disableModelInvocation,
    userInvocable: parsed.userInvocable,
    priority: parsed.priority,
    tokens: {
      catalogue: Math.ceil((parsed.name.length + parsed.description.length + ENTRY_FRAME) / 4),
      body: estimateTokens(parsed.body),
      files: Math.ceil(others.reduce((sum, { file }) => sum + file.size, 0) / 4),
    },
    scripts: kinds.filter(({ script }) => script).length,
    files: tree.files.length,
    diagnostics: [...parsed.diagnostics, ...blockedProblem(tree.blocked)],
    broken: parsed.broken,
    dirs: tree.dirs,
  }
}

function kindOf(file: TreeFile, isScript: IsScript): { script: boolean; text: boolean } {
  try {
    const head = readStart(file.real, HEAD)
    const text = !head.includes(0)
    return { script: text && isScript(file.path, head), text }
  } catch {
    return { script: false, text: false } // gone since it was listed: the next look will see that
  }
}

function firstLine(bytes: Buffer): string {
  return bytes.toString('utf8').split('\n', 1)[0]!
}

function blockedProblem(blocked: string | null): Diagnostic[] {
  if (blocked === null) return []
  return [
    problem('warning', 'scripts-blocked', `None of its scripts can run: ${blocked}.`, {
      fix: 'Replace it by an ordinary file inside the skill, or delete it.',
    }),
  ]
}

function notReadable(error: unknown): Diagnostic {
  const special = (error as { code?: unknown } | null)?.code === 'ENOTFILE'
  const message = special ? 'SKILL.md is not a file but a special one.' : 'SKILL.md can not be read.'
  return problem('error', 'unreadable', message, {
    fix: special ? 'Replace it by a text file.' : 'Give yourself the right to read it.',
  })
}

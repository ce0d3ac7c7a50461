import { parseSkillMd } from '../skill-md'
import type { ParsedSkill } from '../skill-md'
import { countCharacters, isLegalName } from '../skill-md/skill-name'

/** A skill as another program finds it. */
export interface LensSkill {
  /** Name of the file of instructions on disk. */
  fileName: string
  /** Whole, byte order mark included. */
  text: string
  /** Name of the folder. */
  folder: string
  /** It lies inside another skill. */
  isInside: boolean
}

/** What the rules look at. */
export interface LensFacts extends LensSkill {
  parsed: ParsedSkill
  /** Lines of the file without its byte order mark, from 0. */
  lines: readonly string[]
  /** As written; empty where there is none. */
  name: string
  description: string
}

/** Where something stands that a rule is about; 1-based. */
export interface LensPlace {
  line?: number
}

export function lensFacts(skill: LensSkill): LensFacts {
  const parsed = parseSkillMd(skill.text, { folderName: skill.folder })
  const { name, description } = parsed.frontmatter
  return {
    ...skill,
    parsed,
    lines: skill.text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/),
    name: typeof name === 'string' || typeof name === 'number' ? String(name).trim() : '',
    description: typeof description === 'string' ? description : parsed.description,
  }
}

/** Where the reader met this problem; null: it did not. */
export function metProblem({ parsed }: LensFacts, ...codes: string[]): LensPlace | null {
  const found = parsed.diagnostics.find(({ code }) => codes.includes(code))
  if (!found) return null
  return found.line === undefined ? {} : { line: found.line }
}

/** Line of a key at the top of the frontmatter; an empty place where it is not found; null without the key. */
export function keyPlace({ parsed, lines }: LensFacts, key: string): LensPlace | null {
  if (!Object.hasOwn(parsed.frontmatter, key)) return null
  const at = lines.findIndex((line) => line.startsWith(`${key}:`))
  return at < 0 ? {} : { line: at + 1 }
}

/** What kind of slip of the YAML was repaired: a colon in a text, a sign it may not begin with, or another one. */
export function repairedSlip(facts: LensFacts, kind: 'colon' | 'sign' | 'other'): LensPlace | null {
  for (const { code, line } of facts.parsed.diagnostics) {
    if (code !== 'yaml-repaired' || line === undefined) continue
    const value = /^[^:]*:[ \t]+(.*)$/.exec(facts.lines[line - 1] ?? '')?.[1] ?? ''
    const found = /^[,@`]/.test(value)
      ? 'sign'
      : /:(?:[ \t]|$)/.test(value) && !/^[[{]/.test(value)
        ? 'colon'
        : 'other'
    if (found === kind) return { line }
  }
  return null
}

export function hasFrontmatter({ parsed }: LensFacts): boolean {
  return !parsed.diagnostics.some(
    ({ code }) => code === 'frontmatter-missing' || code === 'frontmatter-not-closed',
  )
}

export function isLongDescription({ description }: LensFacts): boolean {
  return countCharacters(description) > 1024
}

export function isNameLegal({ name }: LensFacts): boolean {
  return isLegalName(name)
}

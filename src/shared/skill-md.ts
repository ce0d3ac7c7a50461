import type { Diagnostic } from './domain/skill'
import { emptySkillMd, MAX_SKILL_MD, skillMdTooLarge } from './skill-md/decode'
import { splitFences } from './skill-md/fences'
import type { Fenced } from './skill-md/fences'
import { fieldsByPattern, readFields } from './skill-md/fields'
import type { SkillFields } from './skill-md/fields'
import { problem } from './skill-md/problem'
import { readYaml } from './skill-md/read-yaml'
import { CONTROL_CHARACTERS } from './skill-md/source'
import type { YamlMap } from './skill-md/yaml-map'
import { estimateTokens } from './tokens'

export { decodeSkillMd } from './skill-md/decode'

/** A SKILL.md as Satchel reads it. */
export interface ParsedSkill extends SkillFields {
  /** Every key as it stands, unknown ones included. Plain data without `__proto__`. */
  frontmatter: Record<string, unknown>
  /** Without blank lines around it, line ends as \n. */
  body: string
  /** Line of the file at which the body starts, from 1. */
  bodyLine: number
  diagnostics: Diagnostic[]
  /** No agent may be offered it; the first error among the diagnostics says why. */
  broken: boolean
  /** Broken for agents only: all it lacks is its frontmatter or a description, so a person may call it (`format.md` 2.5). */
  byHand: boolean
}

/** Lines and tokens of a body above which a person is warned (`format.md` 5, rule 5). */
const MANY_LINES = 500
const MANY_TOKENS = [8000, 5000] as const
/** What keeps a skill from agents and not from people (quirks 13 and 22). */
const BY_HAND: ReadonlySet<string> = new Set(['frontmatter-missing', 'description-missing'])
/** A line that would limit the skill, were it frontmatter: without that limit nobody gets it. */
const LOST_LIMIT =
  /^[^\p{L}\n]*(?:allowed[^\p{L}\n]*tools|user[^\p{L}\n]*invocable|scope|execution)[^\p{L}\n]*:/imu

/**
 * Reads a SKILL.md leniently (`format.md` 5): what can be understood is used, everything odd is a diagnostic with its
 * line and what to do. Never throws, whatever the text is, and takes well under half a second for any of them.
 */
export function parseSkillMd(text: string, file: { folderName: string }): ParsedSkill {
  const parsed = parseWithoutBody(text, file)
  if (parsed.broken) return parsed
  return { ...parsed, diagnostics: [...parsed.diagnostics, ...bodyProblems(parsed)] }
}

/** The same without what is to be said of its body, which breaks no skill: all that a first look needs. */
export function parseWithoutBody(text: string, file: { folderName: string }): ParsedSkill {
  const { folderName } = file
  if (text.length > MAX_SKILL_MD) return unreadable(skillMdTooLarge(), folderName)
  const plain = withPlainLineEnds(text.replace(/^\uFEFF/, ''))
  if (plain.trim() === '') return unreadable(emptySkillMd(), folderName)
  const fenced = splitFences(plain)
  if (fenced.yaml === null) return assemble(fenced, noFields('', folderName))
  return assemble(fenced, readFrontmatter(fenced.yaml, fenced.yamlLine, folderName))
}

/** What remains of a file whose text can't be used at all. */
export function unreadable(reason: Diagnostic, folderName: string): ParsedSkill {
  const fenced: Fenced = { yaml: null, yamlLine: 1, body: '', bodyLine: 1, diagnostics: [reason] }
  return assemble(fenced, noFields('', folderName))
}

interface Frontmatter {
  fields: SkillFields
  values: Record<string, unknown>
  diagnostics: Diagnostic[]
}

function readFrontmatter(written: string, firstLine: number, folderName: string): Frontmatter {
  const yaml = written.replace(CONTROL_CHARACTERS, '')
  const early = yaml === written ? [] : [controlCharacters(written, firstLine)]
  const read = readYaml(yaml, firstLine)
  if (!read.map) {
    const none = noFields(yaml, folderName)
    const [error] = read.diagnostics
    const hints = error?.code === 'frontmatter-not-a-mapping' ? headings(yaml, firstLine, /^\s*#{1,6}/) : []
    return { ...none, diagnostics: [...early, ...(hints.length > 0 ? hints : read.diagnostics)] }
  }
  const { fields, diagnostics } = readFields(read.map, folderName)
  const all = [...early, ...read.diagnostics, ...diagnostics]
  if (fields.description === '') all.push(...headings(yaml, firstLine, /^\s*#{1,6}/))
  else if (fields.label === '') all.push(...headings(yaml, firstLine, /^#{2,6}/))
  all.push(...escapedKeys(read.map))
  return { fields, values: read.map.values, diagnostics: all }
}

function assemble(fenced: Fenced, front: Frontmatter): ParsedSkill {
  const diagnostics = [...fenced.diagnostics, ...front.diagnostics]
  const errors = diagnostics.filter((item) => item.severity === 'error')
  return {
    ...front.fields,
    frontmatter: front.values,
    body: fenced.body,
    bodyLine: fenced.bodyLine,
    diagnostics,
    broken: errors.length > 0,
    byHand: errors.length > 0 && errors.every(({ code }) => BY_HAND.has(code)) && !losesLimit(fenced),
  }
}

function losesLimit({ yaml, body }: Fenced): boolean {
  return yaml === null && LOST_LIMIT.test(body)
}

function noFields(yaml: string, folderName: string): Frontmatter {
  return { fields: fieldsByPattern(yaml, folderName), values: {}, diagnostics: [] }
}

function bodyProblems({ body, bodyLine }: Pick<Fenced, 'body' | 'bodyLine'>): Diagnostic[] {
  const found: Diagnostic[] = []
  if (body === '') {
    found.push(
      problem('info', 'body-empty', 'There are no instructions below the frontmatter.', { line: bodyLine }),
    )
  }
  const lines = countLines(body)
  if (lines > MANY_LINES) found.push(longBody(`${grouped(lines)} lines; ${MANY_LINES} are advised`, bodyLine))
  const tokens = estimateTokens(body)
  const limit = MANY_TOKENS.find((most) => tokens > most)
  if (limit) found.push(longBody(`about ${grouped(tokens)} tokens, more than ${grouped(limit)}`, bodyLine))
  return found
}

/** By hand: the first number that the language's own functions write takes 15 to 30 ms. */
function grouped(n: number): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

function withPlainLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

function countLines(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

function longBody(size: string, line: number): Diagnostic {
  return problem('warning', 'body-long', `The body has ${size}.`, {
    line,
    fix: 'Move details into files under references/ that the body names.',
  })
}

function controlCharacters(written: string, firstLine: number): Diagnostic {
  const at = written.search(CONTROL_CHARACTERS)
  return problem(
    'warning',
    'control-characters',
    'The frontmatter held invisible control characters; they were left out.',
    {
      line: firstLine + written.slice(0, at).split('\n').length - 1,
      fix: 'Delete them.',
    },
  )
}

/** Frontmatter that an editor turned into Markdown: `## description: …` is a comment in YAML (`format.md` 2.5, quirk 6). */
function headings(yaml: string, firstLine: number, signs: RegExp): Diagnostic[] {
  const heading = new RegExp(`${signs.source}\\s*(?:name|description)\\s*:`)
  const at = yaml.split('\n').findIndex((line) => heading.test(line))
  if (at === -1) return []
  return [
    problem('error', 'field-as-heading', 'A field stands behind "#", which makes it a comment.', {
      line: firstLine + at,
      fix: 'Delete the "#" signs at the start of the line.',
    }),
  ]
}

/** The other half of quirk 6: with `allowed\_tools` nothing would be allowed only, so it must not pass as unknown. */
function escapedKeys({ lines }: YamlMap): Diagnostic[] {
  return [...lines]
    .filter(([key]) => /\\[_.-]/.test(key))
    .map(([key, line]) =>
      problem(
        'error',
        'field-escaped',
        `The field "${key}" is written with a backslash, so nothing reads it.`,
        {
          line,
          fix: `Write it as "${key.replaceAll('\\', '')}".`,
        },
      ),
    )
}

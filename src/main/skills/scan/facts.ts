import { statSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import type { Diagnostic, TokenCosts } from '@shared/domain/skill'
import { decodeSkillMd, parseSkillMd, unreadable } from '@shared/skill-md'
import { estimateTokens } from '@shared/tokens'
import type { ParsedSkill } from '@shared/skill-md'
import { MAX_SKILL_MD } from '@shared/skill-md/decode'
import { problem } from '@shared/skill-md/problem'
import { scriptKind } from '@shared/script-kind'
import type { CheckEnvironment } from '@shared/skill-check/folder-input'
import { sha256 } from '../../lib/hash'
import { noteQuestions } from '../registry/check-environment'
import { checkedFolder, readFiles } from '../registry/folder-check'
import type { ReadFile } from '../registry/folder-check'
import type { SkillRecord } from '../record'
import { readStart } from '../store/safe-read'
import { listTree } from '../store/tree'
import type { Tree } from '../store/tree'
import { caseProblem, sentencesOf } from './unread'

/** What the frontmatter alone tells. */
export type Front = Pick<
  SkillRecord,
  | 'name'
  | 'label'
  | 'description'
  | 'tags'
  | 'allowedTools'
  | 'author'
  | 'license'
  | 'requires'
  | 'disableModelInvocation'
  | 'userInvocable'
  | 'priority'
  | 'availableTo'
  | 'broken'
  | 'byHand'
  | 'brokenReason'
>

/** What is known of a skill from its files alone, whatever root it was found through. Kept in the index. */
export interface SkillFacts extends Front {
  tokens: TokenCosts
  scripts: number
  files: number
  /** Warnings and errors; of a broken skill what keeps it from loading: errors (`ux.md` 3.3, "Won't load"). */
  problems: number
  /** Hash of SKILL.md; empty while only its frontmatter was read. */
  hash: string
  /** Mark of the other files: their paths, sizes and times. */
  tree: string
  /** Folders of the skill, relative with /, and the mark of their times: a change asks for a new look. */
  dirs: string[]
  dirMark: string
  /** SKILL.md files inside, relative with /. */
  inside: string[]
  /** What the checks asked about this machine, with the answers (`noteQuestions`). */
  needs: string[]
  /** Milliseconds since 1970 at which SKILL.md got this content, as far as is known. */
  changedAt: number
}

/** Files that are counted; larger skills show this number. */
const MAX_COUNTED = 2000
const NO_TREE: Tree = { files: [], dirs: [], blocked: null, cut: false, links: [] }
/** Tokens around one entry of the catalogue: its tags. */
const ENTRY_FRAME = 18

/** True for a file that can be run, by the table of interpreters (`product.md`, decision 12). */
export function isScriptFile(path: string, firstBytes: Buffer): boolean {
  return scriptKind(path, firstLine(firstBytes)) !== null
}

/**
 * Reads and parses a SKILL.md, `parseWithoutBody` for what a list needs. Never throws: what can't be read is a broken skill
 * with the reason.
 */
export function readSkillMd(skillMd: string, folderName: string, parse = parseSkillMd): ParsedSkill {
  try {
    return parseBytes(readStart(skillMd, MAX_SKILL_MD + 1), folderName, parse)
  } catch (error) {
    return unreadable(notReadable(error), folderName)
  }
}

export interface SkillPlace {
  skillMd: string
  realDir: string
  folder: string
  /** Files of the app itself: package stores link equal files of different packages. */
  allowHardLinks: boolean
}

/** A skill folder as a person looks into it: everything that was parsed, and all that is to be said of it. */
export interface FullFacts {
  parsed: ParsedSkill
  tree: Tree
  /** Those of the tree, with what was read of them. */
  files: ReadFile[]
  diagnostics: Diagnostic[]
}

/** Text of one file that is not saved yet. */
export interface TypedFile {
  path: string
  text: string
}

/** Reads everything anew, with a text as if it were saved. Never throws. */
export function readFull(place: SkillPlace, environment: CheckEnvironment, typed?: TypedFile): FullFacts {
  const own = typed && isTopSkillMd(typed.path) ? new TextEncoder().encode(typed.text) : null
  const parsed = own ? parseBytes(own, place.folder) : readSkillMd(place.skillMd, place.folder)
  return fullOf(place, atItsPlace(place, parsed), { environment, typed })
}

/** What there is to say of a skill of which nothing may be read. */
export function unreadFull({ folder, stamp, brokenReason }: SkillRecord): FullFacts {
  const reason = problem('error', stamp, brokenReason)
  return { parsed: unreadable(reason, folder), tree: NO_TREE, files: [], diagnostics: [reason] }
}

/** Everything there is to know of one skill folder, as the registry keeps it. Never throws. */
export function readFacts(place: SkillPlace, environment: CheckEnvironment): SkillFacts {
  const { parsed: read, hash } = readHashed(place)
  const parsed = atItsPlace(place, read)
  const noted = noteQuestions(environment)
  const { tree, files, diagnostics } = fullOf(place, parsed, { environment: noted.environment })
  const others = files.filter(({ path, script, head }) => head !== null && !script && !isSkillMd(path))
  const dirs = tree.dirs.map((dir) => relative(place.realDir, dir).split(sep).join('/'))
  return {
    ...frontOf(parsed, diagnostics),
    tokens: {
      catalogue: catalogueTokens(parsed),
      body: estimateTokens(parsed.body),
      files: Math.ceil(others.reduce((sum, { size }) => sum + size, 0) / 4),
    },
    scripts: files.filter(({ script }) => script).length,
    files: files.length,
    problems: countProblems(parsed.broken, diagnostics),
    hash,
    tree: treeMark(tree),
    dirs,
    dirMark: dirMark(place.realDir, dirs),
    inside: lean(files.map(({ path }) => path).filter((path) => path.includes('/') && isSkillMd(path))),
    needs: lean(noted.answers()),
    changedAt: statSync(place.skillMd, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }
}

/** How many problems a row tells of a skill. */
export function countProblems(broken: boolean, diagnostics: readonly Diagnostic[]): number {
  return diagnostics.filter(({ severity }) => severity === 'error' || (severity === 'warning' && !broken))
    .length
}

/** What the first bytes of a SKILL.md tell; the rest is filled in by `readFacts`. */
export function factsOfFront(front: Front, changedAt: number): SkillFacts {
  return {
    ...front,
    tokens: { catalogue: 0, body: 0, files: 0 },
    scripts: 0,
    files: 0,
    problems: front.broken ? 1 : 0,
    hash: '',
    tree: '',
    dirs: [],
    dirMark: '',
    inside: [],
    needs: [],
    changedAt,
  }
}

export function frontOf(parsed: ParsedSkill, diagnostics: readonly Diagnostic[]): Front {
  const { agents, tenants, environments } = parsed.scope
  const limited = agents !== null || tenants !== null || environments !== null
  const error = diagnostics.find(({ severity }) => severity === 'error')
  return {
    name: parsed.name,
    label: parsed.label === parsed.name ? '' : parsed.label,
    description: parsed.description,
    tags: lean(parsed.tags),
    allowedTools: lean(parsed.allowedTools),
    author: parsed.author,
    license: parsed.license,
    requires: lean(parsed.requires),
    disableModelInvocation: parsed.disableModelInvocation,
    userInvocable: parsed.userInvocable,
    priority: parsed.priority,
    availableTo: limited ? { agents, tenants, environments } : null,
    broken: parsed.broken,
    byHand: parsed.byHand,
    brokenReason: error ? sentencesOf(error) : '',
  }
}

/** One list for all that are empty, as most are: thousands of skills are kept. */
export const NONE: string[] = []
Object.freeze(NONE)

function lean(list: string[]): string[] {
  return list.length === 0 ? NONE : list
}

/** Paths, sizes, modes and times of all files but SKILL.md, whose content has a hash of its own. */
export function treeMark({ files, blocked }: Tree): string {
  const lines = files.map((file) =>
    isTopSkillMd(file.path)
      ? file.path
      : `${file.path}\0${file.size}\0${file.changed}\0${file.executable ? 'x' : ''}`,
  )
  return sha256(`${blocked ?? ''}\n${lines.join('\n')}`).slice(0, 16)
}

/** The tree of a skill as it is counted. */
export function countedTree({ realDir, allowHardLinks }: Omit<SkillPlace, 'skillMd' | 'folder'>): Tree {
  return listTree(realDir, { maxFiles: MAX_COUNTED, allowHardLinks })
}

/** A folder's time changes when a file in it is added, removed or replaced. */
export function dirMark(realDir: string, dirs: readonly string[]): string {
  return dirs
    .map((dir) => {
      const stat = statSync(dir === '' ? realDir : join(realDir, dir), { throwIfNoEntry: false })
      return stat ? `${stat.ino}:${stat.mtimeMs}` : ''
    })
    .join()
}

interface Look {
  environment: CheckEnvironment
  typed?: TypedFile | undefined
}

function fullOf(place: SkillPlace, parsed: ParsedSkill, { environment, typed }: Look): FullFacts {
  const tree = countedTree(place)
  const files = readFiles(tree).map((file) =>
    file.path === typed?.path ? { ...file, text: typed.text, head: typed.text.slice(0, 256) } : file,
  )
  const file = tree.files.find(({ path }) => isTopSkillMd(path))
  const diagnostics = [
    ...caseProblem(file?.path ?? 'SKILL.md'),
    ...parsed.diagnostics,
    ...blockedProblem(tree.blocked),
    ...checkedFolder(parsed, { files, tree, folderName: place.folder }, environment),
  ]
  return { parsed, tree, files, diagnostics }
}

function readHashed({ skillMd, folder }: SkillPlace): { parsed: ParsedSkill; hash: string } {
  try {
    const bytes = readStart(skillMd, MAX_SKILL_MD + 1)
    return { parsed: parseBytes(bytes, folder), hash: sha256(bytes).slice(0, 16) }
  } catch (error) {
    return { parsed: unreadable(notReadable(error), folder), hash: 'unreadable' }
  }
}

function parseBytes(bytes: Uint8Array, folderName: string, parse = parseSkillMd): ParsedSkill {
  const decoded = decodeSkillMd(bytes)
  return decoded.problem ? unreadable(decoded.problem, folderName) : parse(decoded.text, { folderName })
}

/** What its entry in the catalogue costs. */
export function catalogueTokens({ name, description }: Pick<Front, 'name' | 'description'>): number {
  return estimateTokens(name) + estimateTokens(description) + ENTRY_FRAME
}

/** A link may have any name: the folder that it leads to is the one that must be named like the skill. */
function atItsPlace({ realDir }: SkillPlace, parsed: ParsedSkill): ParsedSkill {
  if (parsed.name !== basename(realDir).normalize('NFKC')) return parsed
  const diagnostics = parsed.diagnostics.filter(({ code }) => code !== 'name-differs-from-folder')
  return { ...parsed, diagnostics }
}

function isSkillMd(path: string): boolean {
  return /(?:^|\/)skill\.md$/i.test(path)
}

function isTopSkillMd(path: string): boolean {
  return path.length === 8 && isSkillMd(path)
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

import { TOGETHER_CODES } from '@shared/skill-check/rules'
import type { Diagnostic, SkillDetail, SkillFile, SkillStatus, SkillSummary } from '@shared/domain/skill'
import { formatNumber } from '../../ui/format'
import { skillWords } from '../skill-strings'

export interface StatusWords {
  tone: 'ok' | 'warn' | 'bad' | 'off'
  icon:
    | 'ok'
    | 'bad'
    | 'locked'
    | 'shadowed'
    | 'off'
    | 'unavailable'
    | 'inside'
    | 'hidden'
    | 'agent'
    | 'outside'
  word: string
}

const STATUS: Record<SkillStatus, StatusWords> = {
  effective: { tone: 'ok', icon: 'ok', word: skillWords.skillFacts.effective },
  shadowed: { tone: 'off', icon: 'shadowed', word: skillWords.skillFacts.shadowed },
  off: { tone: 'off', icon: 'off', word: skillWords.skillFacts.off },
  unavailable: { tone: 'off', icon: 'unavailable', word: skillWords.skillFacts.notAvailable },
  broken: { tone: 'bad', icon: 'bad', word: skillWords.skillFacts.wontLoad },
  'not-trusted': { tone: 'warn', icon: 'locked', word: skillWords.skillFacts.notTrustedYet },
}

type StatusOf = Pick<
  SkillSummary,
  'status' | 'shadowedBy' | 'byPolicy' | 'hiddenFromModel' | 'userInvocable' | 'parent' | 'problems'
>

/**
 * Icon, tone and word of a status (ux.md 3.3, "Status values"); a shadowed copy says by what. `outside`: the catalogue
 * has no room for it.
 */
export function statusWords(skill: StatusOf, outside = false): StatusWords {
  const { status, shadowedBy, problems } = skill
  const base = STATUS[status]
  if (status === 'shadowed' && shadowedBy)
    return { ...base, word: skillWords.skillFacts.shadowedBy(capital(shadowedBy)) }
  if (status === 'broken' && problems > 0)
    return { ...base, word: skillWords.skillFacts.withErrors(base.word, problems) }
  if (status === 'unavailable') return { ...base, ...unavailableWords(skill) }
  if (status !== 'effective') return base
  if (skill.hiddenFromModel)
    return { tone: 'off', icon: 'hidden', word: skillWords.skillFacts.hiddenFromAgent }
  if (outside) return { tone: 'off', icon: 'outside', word: skillWords.skillFacts.notInCatalogue }
  return skill.userInvocable ? base : { tone: 'ok', icon: 'agent', word: skillWords.skillFacts.agentOnly }
}

function unavailableWords({ parent, byPolicy }: StatusOf): Partial<StatusWords> {
  if (byPolicy) return { icon: 'locked', word: skillWords.skillFacts.offByPolicy }
  return parent === undefined ? {} : { icon: 'inside', word: skillWords.skillFacts.insideAnother }
}

/** Above the guide of the format (ux.md 3.3, "Too large"): still used. */
export function isTooLarge({ status, tokens }: Pick<SkillSummary, 'status' | 'tokens'>): boolean {
  return status === 'effective' && tokens.body > 5000
}

/** Catalogue and loaded cost of a row; what won't load costs nothing. */
export function tokenWords({ status, tokens }: Pick<SkillSummary, 'status' | 'tokens'>): string {
  if (status === 'broken') return '— / —'
  return `${formatNumber(tokens.catalogue)} / ${formatNumber(tokens.body)}`
}

/** Width of a cost bar in percent. Costs up to this many tokens fit; more fills the bar. */
export function costShare(tokens: number, largest: number): number {
  const scale = Math.max(10_000, largest)
  return tokens === 0 ? 0 : Math.max(1, Math.round((tokens / scale) * 100))
}

export interface ContentsRow {
  name: string
  kind: 'skill' | 'folder' | 'scripts' | 'file'
  text: string
}

/** SKILL.md first, then each folder with what is in it, then single files. */
export function contents(detail: Pick<SkillDetail, 'fileList' | 'body'>): ContentsRow[] {
  const lines = detail.body === '' ? 0 : detail.body.split('\n').length
  const own = skillFile(detail.fileList)
  const rows: ContentsRow[] = [
    {
      name: own,
      kind: 'skill',
      text: skillWords.skillFacts.linesOfText(lines),
    },
  ]
  const folders = new Map<string, SkillFile[]>()
  for (const file of detail.fileList) {
    const slash = file.path.indexOf('/')
    if (slash < 0) {
      if (file.path !== own) rows.push({ name: file.path, kind: 'file', text: '' })
      continue
    }
    const folder = file.path.slice(0, slash + 1)
    folders.set(folder, [...(folders.get(folder) ?? []), file])
  }
  for (const [name, files] of [...folders].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    rows.push(folderRow(name, files))
  return rows
}

/** Errors first, then warnings, then notes; within each by line. */
export function sortProblems(problems: readonly Diagnostic[]): Diagnostic[] {
  const rank = { error: 0, warning: 1, info: 2 }
  return problems.toSorted((a, b) => rank[a.severity] - rank[b.severity] || (a.line ?? 0) - (b.line ?? 0))
}

/** What a skill has by itself, and what only beside others: rows count the first (`src/main/skills/scan/facts.ts`). */
export function partProblems(problems: readonly Diagnostic[]): { own: Diagnostic[]; beside: Diagnostic[] } {
  const urgent = sortProblems(problems).filter(({ severity }) => severity !== 'info')
  const isBeside = ({ code }: Diagnostic): boolean => BESIDE_CODES.has(code)
  return { own: urgent.filter((problem) => !isBeside(problem)), beside: urgent.filter(isBeside) }
}

const BESIDE_CODES: ReadonlySet<string> = new Set(TOGETHER_CODES)

/** The number of problems that its row tells: what it has only beside others is not among them. */
export function asCounted({ status, diagnostics }: SkillDetail): Pick<SkillSummary, 'status' | 'problems'> {
  return { status, problems: partProblems(diagnostics).own.length }
}

/** "1 error, 2 warnings" of one that won't load, whose row counts errors; else "3 problems". */
export function problemWords({ status }: Pick<SkillSummary, 'status'>, own: readonly Diagnostic[]): string {
  if (status !== 'broken') return skillWords.skillFacts.problems(own.length)
  const errors = own.filter(({ severity }) => severity === 'error').length
  const warnings = own.length - errors
  const parts = [
    errors > 0 ? skillWords.skillFacts.errors(errors) : '',
    warnings > 0 ? skillWords.skillFacts.warnings(warnings) : '',
  ]
  return parts.filter(Boolean).join(', ')
}

/** "scripts/a.sh:4:2", as far as it is known. */
export function problemPlace({ file = 'SKILL.md', line, column }: Diagnostic): string {
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':')
}

/** Tells the problems of one skill apart. */
export function problemKey(problem: Diagnostic): string {
  return `${problem.code}:${problemPlace(problem)}:${problem.message}`
}

/** Name of the folder at the end of a location. */
export function folderOf(location: string): string {
  return location.slice(location.lastIndexOf('/') + 1)
}

/** The name that SKILL.md has on disk: some write it in lower case. */
function skillFile(files: readonly SkillFile[]): string {
  const names = files.map(({ path }) => path)
  if (names.includes('SKILL.md')) return 'SKILL.md'
  return names.find((name) => name.toLowerCase() === 'skill.md') ?? 'SKILL.md'
}

function folderRow(name: string, files: readonly SkillFile[]): ContentsRow {
  const scripts = files.filter((file) => file.isScript).length
  const others = files.length - scripts
  const parts = [
    scripts > 0 ? skillWords.skillFacts.scripts(scripts) : '',
    others > 0 ? skillWords.skillFacts.files(others) : '',
  ].filter(Boolean)
  return { name, kind: scripts > 0 ? 'scripts' : 'folder', text: parts.join(', ') }
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

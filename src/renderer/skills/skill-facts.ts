import type { Diagnostic, SkillDetail, SkillFile, SkillStatus, SkillSummary } from '@shared/domain/skill'

export interface StatusWords {
  tone: 'ok' | 'warn' | 'bad' | 'off'
  word: string
}

const STATUS: Record<SkillStatus, StatusWords> = {
  effective: { tone: 'ok', word: 'Effective' },
  shadowed: { tone: 'off', word: 'Shadowed' },
  broken: { tone: 'bad', word: 'Won’t load' },
  'not-trusted': { tone: 'warn', word: 'Not trusted yet' },
}

/** Icon tone and word of a status; a shadowed copy says by what. */
export function statusWords(
  skill: Pick<SkillSummary, 'status' | 'shadowedBy' | 'hiddenFromModel'>,
): StatusWords {
  if (skill.status === 'shadowed' && skill.shadowedBy) {
    return { tone: 'off', word: `Shadowed by ${capital(skill.shadowedBy)}` }
  }
  if (skill.status === 'effective' && skill.hiddenFromModel) return { tone: 'off', word: 'Hidden from agent' }
  return STATUS[skill.status]
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
  const rows: ContentsRow[] = [
    { name: 'SKILL.md', kind: 'skill', text: count(lines, 'line of text', 'lines of text') },
  ]
  const folders = new Map<string, SkillFile[]>()
  for (const file of detail.fileList) {
    const slash = file.path.indexOf('/')
    if (slash < 0) {
      if (file.path !== 'SKILL.md') rows.push({ name: file.path, kind: 'file', text: '' })
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

/** "SKILL.md:4:2", as far as it is known. */
export function problemPlace(problem: Diagnostic): string {
  if (problem.line === undefined) return 'SKILL.md'
  return problem.column === undefined
    ? `SKILL.md:${problem.line}`
    : `SKILL.md:${problem.line}:${problem.column}`
}

function folderRow(name: string, files: readonly SkillFile[]): ContentsRow {
  const scripts = files.filter((file) => file.isScript).length
  const others = files.length - scripts
  const parts = [
    scripts > 0 ? count(scripts, 'script', 'scripts') : '',
    others > 0 ? count(others, 'file', 'files') : '',
  ].filter(Boolean)
  return { name, kind: scripts > 0 ? 'scripts' : 'folder', text: parts.join(', ') }
}

function count(n: number, one: string, other: string): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : other}`
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

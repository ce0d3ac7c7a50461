import type { Diagnostic } from '../domain/skill'
import type { FolderCode } from './rules'

/** Where a finding stands. `file` is left out for SKILL.md; lines and columns count from 1. */
export interface Place {
  file?: string | undefined
  line?: number | undefined
  column?: number | undefined
}

export type Severity = 'warning' | 'info'

/** One finding: a sentence that says what is so, one in the imperative that says what to do. */
export interface Finding {
  code: FolderCode
  severity: Severity
  message: string
  fix: string
}

/** Findings of one skill, in the order they came. */
export interface Report {
  add(finding: Finding, place?: Place): void
  list(): Diagnostic[]
}

/** Findings of one code that are listed; the next one only says that there are more. */
export const MAX_PER_CODE = 20

/** Collects findings, each once, and cuts off the flood that one bad file can cause. */
export function createReport(): Report {
  const found: Diagnostic[] = []
  const counts = new Map<string, number>()
  const seen = new Set<string>()
  return {
    add(finding, place = {}) {
      const diagnostic = toDiagnostic(finding, place)
      const identity = JSON.stringify([finding.code, place.file, place.line, finding.message])
      if (seen.has(identity)) return
      const count = (counts.get(finding.code) ?? 0) + 1
      counts.set(finding.code, count)
      if (count > MAX_PER_CODE) return
      seen.add(identity)
      found.push(diagnostic)
    },
    list: () => [...found.sort(byPlace), ...cutOff(found, counts)],
  }
}

function toDiagnostic({ severity, code, message, fix }: Finding, place: Place): Diagnostic {
  const diagnostic: Diagnostic = { code, severity, message, fix }
  if (place.file !== undefined && place.file !== 'SKILL.md') diagnostic.file = place.file
  if (place.line !== undefined) diagnostic.line = place.line
  if (place.column !== undefined) diagnostic.column = place.column
  return diagnostic
}

function cutOff(found: readonly Diagnostic[], counts: ReadonlyMap<string, number>): Diagnostic[] {
  return [...counts].flatMap(([code, count]) => {
    const like = found.find((item) => item.code === code)
    if (count <= MAX_PER_CODE || !like) return []
    const message = `There are ${count - MAX_PER_CODE} more places of this kind.`
    return [{ code, severity: like.severity, message, fix: 'Correct the listed ones, then look again.' }]
  })
}

/** SKILL.md first, then by file and line. */
function byPlace(a: Diagnostic, b: Diagnostic): number {
  const [fileA, fileB] = [a.file ?? '', b.file ?? '']
  if (fileA !== fileB) return fileA < fileB ? -1 : 1
  return (a.line ?? 0) - (b.line ?? 0)
}

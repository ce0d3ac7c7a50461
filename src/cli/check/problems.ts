import type { Diagnostic } from '@shared/domain/skill'
import { visibleText } from '@shared/visible-text'
import { counted, shown, wrapped } from '../terminal/output'
import type { Paint, Style } from '../terminal/output'

export type Severity = Diagnostic['severity']

/** Worst first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info']
const PAINTS: Readonly<Record<Severity, Paint>> = { error: 'bad', warning: 'warn', info: 'link' }

/** How many there are of each severity. */
export type Counts = Record<Severity, number>

export function countSeverities(diagnostics: readonly Diagnostic[]): Counts {
  const counts: Counts = { error: 0, warning: 0, info: 0 }
  for (const { severity } of diagnostics) counts[severity] += 1
  return counts
}

/** "1 error, 2 warnings, 1 note"; severities without any are left out. */
export function countsText({ error, warning, info }: Counts): string {
  const parts = [
    error > 0 ? counted(error, 'error') : '',
    warning > 0 ? counted(warning, 'warning') : '',
    info > 0 ? counted(info, 'note') : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** True for one that is at least as bad as `least`. */
export function isAtLeast({ severity }: Pick<Diagnostic, 'severity'>, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least)
}

/** Worst first, then by file and line. */
export function sortedProblems(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.toSorted(
    (a, b) =>
      SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
      compare(a.file ?? '', b.file ?? '') ||
      (a.line ?? 0) - (b.line ?? 0),
  )
}

/** `folder/SKILL.md:3:1 warning code message` and below it what to do, as editors and CI jobs read it. */
export function problemLines(folder: string, diagnostic: Diagnostic, style: Style): string {
  const { severity, code, message, fix } = diagnostic
  const head = [
    visibleText(placeOf(folder, diagnostic)),
    style.paint(PAINTS[severity], severity),
    style.paint('quiet', code),
  ].join(' ')
  const text = wrapped(shown(message), style.width, 2)
  const remedy =
    fix === undefined ? '' : `\n  ${style.paint('quiet', 'Fix:')} ${wrapped(shown(fix), style.width, 7)}`
  return `${head}\n  ${text}${remedy}`
}

/** `SKILL.md:3:1`, from the folder on. */
function placeOf(folder: string, { file = 'SKILL.md', line, column }: Diagnostic): string {
  const isFile = file === 'SKILL.md' && /(?:^|[\\/])skill\.md$/i.test(folder)
  const below = folder === '' || folder === '.' ? file : `${folder.replace(/\/$/, '')}/${file}`
  const path = isFile ? folder : below
  if (line === undefined) return path
  return column === undefined ? `${path}:${line}` : `${path}:${line}:${column}`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

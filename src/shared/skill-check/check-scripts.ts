import { INTERPRETER_NAMES, scriptKind } from '../script-kind'
import type { ScriptKind } from '../script-kind'
import type { CheckedFolder } from './checked-folder'
import type { CheckedFile } from './folder-input'
import type { Report } from './report'

/** Endings of programs for which there is no interpreter in the table (`runtime.md` 2, Interpreters). */
const OTHER_PROGRAM =
  /\.(?:tsx|jsx|go|rs|swift|kts?|java|scala|groovy|clj|ex|exs|erl|hs|jl|nim|zig|fish|zsh|ksh|csh|awk|tcl|bat|cmd|vbs|applescript|scpt)$/i
const SHELLS: readonly (ScriptKind | null)[] = ['bash', 'sh']

/** Whether the scripts of a skill can run here, and arrive as they were written (`format.md` 2.5, quirk 27). */
export function checkScripts(folder: CheckedFolder, report: Report): void {
  const byKind = new Map<ScriptKind, string[]>()
  for (const file of folder.files) {
    if (file.head === null) continue
    const kind = scriptKind(file.path, firstLine(file.head))
    if (isOneLine(file, kind)) addOneLine(report, file.path)
    else if (kind === null) checkUnknown(file, report)
    if (kind !== null) byKind.set(kind, [...(byKind.get(kind) ?? []), file.path])
    checkLineEnds(file, kind, report)
  }
  for (const [kind, paths] of byKind) {
    if (kind !== 'program' && !folder.environment.interpreterFor(kind)) addMissing(report, kind, paths)
  }
}

function checkUnknown(file: CheckedFile, report: Report): void {
  const shebang = (file.head ?? '').startsWith('#!') ? firstLine(file.head).trim().slice(0, 80) : ''
  const program = OTHER_PROGRAM.test(file.path) && !/\.d\.[cm]?ts$/i.test(file.path)
  const unnamed = file.executable && /^scripts\/(?:.*\/)?[^/.]+$/.test(file.path)
  if (shebang === '' && !program && !unnamed) return
  report.add(
    {
      code: 'script-no-interpreter',
      severity: 'warning',
      message:
        shebang === ''
          ? `There is no interpreter for "${file.path}", so it can't be run.`
          : `"${file.path}" asks for "${shebang}", which is not among the interpreters, so it can't be run.`,
      fix: 'Call it from a script in Python, a shell, Node, Ruby, Perl, PowerShell, PHP, R, Lua, Deno or Bun.',
    },
    { file: file.path, line: 1 },
  )
}

/** A carriage return makes `bash\r` of the interpreter, and a part of each command's last word. */
function checkLineEnds(file: CheckedFile, kind: ScriptKind | null, report: Report): void {
  const text = file.text ?? file.head ?? ''
  const shebang = text.startsWith('#!') && firstLine(text).endsWith('\r')
  const at = SHELLS.includes(kind) ? text.indexOf('\r\n') : -1
  if (!shebang && at === -1) return
  const line = shebang ? 1 : text.slice(0, at).split('\n').length
  report.add(
    {
      code: 'script-crlf',
      severity: 'warning',
      message: `"${file.path}" has Windows line ends, which the ${shebang ? '#! line' : 'shell'} takes for a part of a name.`,
      fix: 'Save it with line ends LF.',
    },
    { file: file.path, line },
  )
}

/** One line with \n written out in it: the line ends were lost when it was stored. */
function isOneLine(file: CheckedFile, kind: ScriptKind | null): boolean {
  const text = (file.text ?? (file.size <= 256 ? file.head : null) ?? '').trim()
  if (/[\n\r]/.test(text) || text.split('\\n').length < 3) return false
  return text.startsWith('#!') || (kind !== null && /^(?:import|from|set|const|let|require|use)\b/.test(text))
}

function addOneLine(report: Report, path: string): void {
  report.add(
    {
      code: 'script-one-line',
      severity: 'warning',
      message: `"${path}" is one line in which the line ends are written as \\n.`,
      fix: 'Replace each \\n by a line end.',
    },
    { file: path, line: 1 },
  )
}

function addMissing(report: Report, kind: ScriptKind, paths: readonly string[]): void {
  const more = paths.length > 1 ? ` and ${paths.length - 1} more` : ''
  report.add(
    {
      code: 'interpreter-missing',
      severity: 'warning',
      message: `${INTERPRETER_NAMES[kind]} is not installed here; "${paths[0]}"${more} can't be run.`,
      fix: 'Install it.',
    },
    { file: paths[0] },
  )
}

function firstLine(text: string | null): string {
  return (text ?? '').split('\n', 1)[0]!
}

import { pythonOptions, shellOptions, type ScriptKind } from '@shared/script-kind'

/**
 * What stands between an interpreter and the script. Settings and start files that lie in the project or in the home
 * folder would be code that nobody was shown, so each interpreter that reads some is told not to; what Deno may do is
 * for the sandbox to say.
 */
const ALWAYS: Partial<Record<ScriptKind, readonly string[]>> = {
  Rscript: ['--vanilla'],
  pwsh: ['-NoProfile', '-File'],
  deno: ['run', '--no-config', '--no-prompt', '--allow-all'],
  bun: ['run', '--config=/dev/null'],
}

/** Options of the interpreter for one script: those of Python's and a shell's first line, and -e where it is wanted (X10). */
export function interpreterArgs(kind: ScriptKind, firstLine: string, stopOnError: boolean): string[] {
  if (kind === 'python3') return pythonOptions(firstLine)
  if (kind !== 'bash' && kind !== 'sh') return [...(ALWAYS[kind] ?? [])]
  const own = shellOptions(firstLine)
  return stopOnError && !own.some((options) => options.includes('e')) ? ['-e', ...own] : own
}

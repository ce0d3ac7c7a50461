import { execFileSync } from 'node:child_process'
import { realpathSync, statSync } from 'node:fs'
import { win32 } from 'node:path'

const TIMEOUT_MS = 10_000
/** Stands in no path of Windows. */
const BETWEEN = '|'
const COMMAND =
  "$env:SATCHEL_PATHS -split '\\|' | ForEach-Object { (Get-Acl -LiteralPath $_ -ErrorAction Stop).Sddl }"

/** By paths and their times of change, which move with every change of rights: PowerShell takes half a second. */
const known = new Map<string, string[]>()

/** The security descriptors of files and folders as text (SDDL), in their order. Throws where one can't be read. */
export function windowsDescriptors(paths: readonly string[]): string[] {
  const real = paths.map((path) => realpathSync(path))
  const key = JSON.stringify(real.map((path) => [path, statSync(path).ctimeMs]))
  const found = known.get(key) ?? ask(real)
  known.clear()
  known.set(key, found)
  return found
}

function ask(paths: readonly string[]): string[] {
  const system = process.env['SystemRoot'] ?? 'C:\\Windows'
  const shell = win32.join(system, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe')
  const out = execFileSync(shell, ['-NoProfile', '-NonInteractive', '-Command', COMMAND], {
    env: { SystemRoot: system, SATCHEL_PATHS: paths.join(BETWEEN) },
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    windowsHide: true,
  })
  const lines = out.split(/\r?\n/).filter((line) => line !== '')
  if (lines.length !== paths.length) throw new Error('not every descriptor was told')
  return lines
}

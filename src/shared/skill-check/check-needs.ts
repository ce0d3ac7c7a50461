import type { CheckedFolder } from './checked-folder'
import type { Report } from './report'
import { programsNeeded } from './programs-needed'
import { variablesNeeded } from './variables-needed'

const SYSTEM_NAMES: Readonly<Record<string, string>> = { darwin: 'macOS', win32: 'Windows', linux: 'Linux' }
/** Programs, variables and systems that a skill says it needs and that are not here (`format.md` 3). */
export function checkNeeds(folder: CheckedFolder, report: Report): void {
  if (folder.skill.broken) return
  checkOpenclaw(folder, report)
  checkCompatibility(folder, report)
}

function checkOpenclaw(folder: CheckedFolder, report: Report): void {
  const { openclaw } = folder.skill
  if (!openclaw || openclaw.always) return
  const line = folder.fieldLine('metadata')
  const { hasProgram, hasVariable, os } = folder.environment
  const { bins, anyBins, env } = openclaw.requires
  for (const name of bins) if (!hasProgram(name)) addProgram(report, `"${cut(name)}"`, line)
  if (anyBins.length > 0 && !anyBins.some((name) => hasProgram(name))) {
    addProgram(report, `One of ${quoted(anyBins)}`, line)
  }
  for (const name of env) if (!hasVariable(name)) addVariable(report, name, line)
  if (openclaw.os.length > 0 && !openclaw.os.includes(os)) addSystem(report, openclaw.os, line)
}

/** `Requires git, docker or podman, jq`: see `programsNeeded` and `variablesNeeded`. */
function checkCompatibility(folder: CheckedFolder, report: Report): void {
  const line = folder.fieldLine('compatibility')
  for (const alternatives of programsNeeded(folder.skill.compatibility ?? '')) {
    if (alternatives.some((name) => folder.environment.hasProgram(name))) continue
    addProgram(
      report,
      alternatives.length === 1 ? `"${alternatives[0]}"` : `One of ${quoted(alternatives)}`,
      line,
    )
  }
  for (const names of variablesNeeded(folder.skill.compatibility ?? '')) {
    if (names.some((name) => folder.environment.hasVariable(name))) continue
    if (names.length === 1) addVariable(report, names[0]!, line)
    else addVariables(report, names, line)
  }
}

function addProgram(report: Report, what: string, line: number | undefined): void {
  report.add(
    {
      code: 'program-missing',
      severity: 'warning',
      message: `${what} is needed and not installed here.`,
      fix: 'Install it, then look again.',
    },
    { line },
  )
}

function addVariable(report: Report, name: string, line: number | undefined): void {
  report.add(
    {
      code: 'variable-missing',
      severity: 'warning',
      message: `The environment variable "${cut(name)}" is needed and not set.`,
      fix: 'Set it, or give the skill a secret of that name.',
    },
    { line },
  )
}

function addVariables(report: Report, names: readonly string[], line: number | undefined): void {
  report.add(
    {
      code: 'variable-missing',
      severity: 'warning',
      message: `One of the environment variables ${quoted(names)} is needed, and none is set.`,
      fix: 'Set one, or give the skill a secret of that name.',
    },
    { line },
  )
}

function addSystem(report: Report, systems: readonly string[], line: number | undefined): void {
  const names = [...new Set(systems)].map((name) => SYSTEM_NAMES[name] ?? name).slice(0, 5)
  report.add(
    {
      code: 'system-other',
      severity: 'warning',
      message: `The skill is for ${names.map(cut).join(', ')} only.`,
      fix: 'Use it there, or turn it off here.',
    },
    { line },
  )
}

function quoted(names: readonly string[]): string {
  return names
    .slice(0, 10)
    .map((name) => `"${cut(name)}"`)
    .join(', ')
}

function cut(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name
}

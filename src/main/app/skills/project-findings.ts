import { setImmediate } from 'node:timers/promises'
import type { ScriptFindings } from '@shared/domain/project-review'
import { findFindings } from '../../approvals/findings'
import type { SkillRecord } from '../../skills/record'
import { readStart } from '../../skills/store/safe-read'
import { listTree } from '../../skills/store/tree'

/** Scripts that are looked at; more are only counted. */
const MAX_SCRIPTS = 500
const MAX_FILES = 2000
/** A longer script is judged by its start. */
const MAX_BYTES = 500_000

/** A skill with the paths of its scripts. */
export interface Reviewed {
  record: SkillRecord
  scripts: readonly string[]
}

/**
 * What the fixed rules say of each script of a project before it is trusted (F6): by the text alone, as if it were run
 * in the sandbox without the network. Scripts without findings are left out. `unchecked`: how many were not looked at.
 */
export async function projectFindings(
  skills: readonly Reviewed[],
): Promise<{ findings: ScriptFindings[]; unchecked: number }> {
  const findings: ScriptFindings[] = []
  let left = MAX_SCRIPTS
  let unchecked = 0
  for (const { record, scripts } of skills) {
    const looked = scripts.slice(0, left)
    left -= looked.length
    unchecked += scripts.length - looked.length
    const real = looked.length > 0 ? realPaths(record) : new Map<string, string>()
    for (const path of looked) {
      const found = check(real.get(path) ?? '', path)
      if (found === null) unchecked += 1
      else if (found.length > 0) findings.push({ key: record.key, path, findings: found })
      await setImmediate() // others are answered in between
    }
  }
  return { findings, unchecked }
}

function realPaths({ rootDir }: SkillRecord): Map<string, string> {
  const { files } = listTree(rootDir, { maxFiles: MAX_FILES, allowHardLinks: true })
  return new Map(files.map(({ path, real }) => [path, real]))
}

/** Null: it can't be read. */
function check(real: string, scriptPath: string): ScriptFindings['findings'] | null {
  try {
    const bytes = readStart(real, MAX_BYTES)
    const found = findFindings({
      scriptText: bytes.includes(0) ? null : bytes.toString('utf8'),
      scriptPath,
      args: [],
      sandbox: 'bwrap',
      network: 'off',
      interpreterPath: '/usr/bin/env',
    })
    return found.map(({ level, title, line }) => ({ level, title, ...(line === undefined ? {} : { line }) }))
  } catch {
    return null // gone or unreadable: the review says how many were not looked at
  }
}

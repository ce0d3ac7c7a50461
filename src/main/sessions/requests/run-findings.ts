import { runPlanOf, type Finding, type RunPlan } from '@shared/domain/approval'
import type { DeclaredNeeds } from '../../approvals/needs'
import { findFindings } from '../../approvals/findings'
import { lastApproval } from '../../db/request-rows'
import type { Snapshot } from '../../skills/store/store'
import { protectedTwins } from '../../runs/sandbox/twins'
import type { SessionDeps } from '../deps'
import { needFindings } from './need-findings'
import { networkFindings, secretFindings } from './secret-wishes'

/** Other files are looked at up to this size and number; the script itself always is. */
export const OTHER_FILE_BYTES = 200_000
export const OTHER_FILES = 50

interface Script {
  bytes: Uint8Array
  args: readonly string[]
}

/** What the fixed rules find in the script, its arguments, and the files of the skill around it. */
export async function findingsOf(
  deps: SessionDeps,
  plan: RunPlan,
  snapshot: Snapshot,
  script: Script & { needs: DeclaredNeeds | null },
): Promise<Finding[]> {
  const path = plan.script?.path ?? ''
  const given = [...secretFindings(plan), ...networkFindings(plan)]
  const found = findFindings({
    scriptText: asText(script.bytes),
    scriptPath: path,
    args: script.args,
    sandbox: plan.sandbox.backend,
    network: plan.sandbox.network,
    interpreterPath: plan.interpreter.path,
    skillMd: await skillMdOf(deps, snapshot),
    otherFiles: await otherFiles(deps, snapshot, path),
    changedTogether: await changedTogether(deps, plan, snapshot),
  })
  const isGiven = ({ id }: Finding) => given.some((other) => other.id === id)
  const needs = needFindings(deps, plan, snapshot, script.needs)
  const others = found.filter((finding) => !isGiven(finding))
  return bySeverity([...given, ...needs, ...twinFindings(plan), ...others])
}

/**
 * Files of the project that are other names of protected ones (attack case A39): they are read-only for the run. Throws
 * where they can't all be found.
 */
export function twinFindings({ workspace, sandbox }: RunPlan): Finding[] {
  if (sandbox.backend === 'none' || sandbox.writable.length === 0) return []
  const twins = protectedTwins(workspace)
  if (twins.length === 0) return []
  const some = twins.slice(0, 5).map((path) => `"${path}"`)
  const more = twins.length > some.length ? ` and ${twins.length - some.length} more` : ''
  const text = `${some.join(', ')}${more}: hard links to protected files of the project (such as .git/config). They are read-only for this run.`
  return [{ id: 'hard-link', level: 'notable', title: 'Another name of a protected file', text }]
}

const LEVELS: readonly Finding['level'][] = ['serious', 'notable', 'information']

export function bySeverity(findings: Finding[]): Finding[] {
  return findings.toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level))
}

async function skillMdOf(deps: SessionDeps, snapshot: Snapshot): Promise<string | null> {
  const file = snapshot.files.find(({ path }) => isSkillMd(path))
  return file ? asText(await deps.store.read(snapshot.digest, file.path)) : null
}

async function otherFiles(deps: SessionDeps, snapshot: Snapshot, script: string) {
  const small = snapshot.files.filter(
    ({ path, size }) => path !== script && !isSkillMd(path) && size <= OTHER_FILE_BYTES,
  )
  return Promise.all(
    small.slice(0, OTHER_FILES).map(async ({ path }) => ({
      path,
      text: asText(await deps.store.read(snapshot.digest, path)),
    })),
  )
}

/** True when both the script and SKILL.md differ from what was allowed last. */
async function changedTogether(deps: SessionDeps, plan: RunPlan, snapshot: Snapshot): Promise<boolean> {
  const { skill, script } = plan
  if (!skill || !script) return false
  const approved = lastApproval(deps.db.sql, skill.key, script.path)
  const last = approved && runPlanOf(approved.plan)
  if (!last?.skill || !last.script || last.script.sha256 === script.sha256) return false
  try {
    const before = await deps.store.manifest(last.skill.treeDigest)
    const old = before.files.find(({ path }) => isSkillMd(path))
    return old?.sha256 !== snapshot.files.find(({ path }) => isSkillMd(path))?.sha256
  } catch {
    return false // the old snapshot is gone: nothing to compare with
  }
}

function isSkillMd(path: string): boolean {
  return /^skill\.md$/i.test(path)
}

export function asText(bytes: Uint8Array): string | null {
  return bytes.includes(0) ? null : Buffer.from(bytes).toString('utf8')
}

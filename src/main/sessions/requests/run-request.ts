import { runPlanOf, type RunPlan } from '@shared/domain/approval'
import type { ActiveSkill } from '@shared/domain/session'
import { AppError } from '@shared/errors'
import { diffCounts, lineDiff } from '@shared/line-diff'
import { containRelative } from '@shared/paths'
import type { NewRequest } from '../../approvals/broker'
import { previousText } from '../../approvals/request-view'
import { lastApproval } from '../../db/request-rows'
import type { SessionRow } from '../../db/session-rows'
import type { Snapshot } from '../../skills/store/store'
import type { SessionDeps } from '../deps'
import { restrictionsOf } from '../gate/call-gate'
import { asFullScreen, withOwnArgs } from './edited-call'
import { forbiddenBy, refusalText } from '../gate/gate'
import { findingsOf } from './run-findings'
import { needsOf } from './need-findings'
import { newRequest, type Asked } from './new-request'
import { preparationRequest, withPrepared } from './prepared'
import { activeSkill } from '../tools/active'
import { refuseSecretInCall, secretWishes } from './secret-wishes'
import type { RunScriptInput } from '../tools/run-script'

/**
 * Builds the request for a script from what is on disk now: snapshot, plan, findings. Nothing is executed. The same
 * input and the same bytes give the same plan hash, so doing it again at the click tells whether anything changed.
 * Throws an AppError whose sentence is for the model and the person.
 */
export async function prepareRun(asked: Asked, input: RunScriptInput): Promise<NewRequest> {
  const skill = activeSkill(asked.session, input.skill)
  if (!skill) throw new AppError('not_found', 'The skill is not active any more. Load it again.')
  return prepareScript(asked, { skill, input: withOwnArgs(asked.call, input), hook: null })
}

/** A script that a skill runs when it is loaded or unloaded: before that it is not active. */
export interface Hook {
  skill: RunSkill
  /** Inside the skill, as it is written. */
  path: string
  phase: 'pre' | 'post'
}

/** As `prepareRun`, for a hook: no arguments, nothing on its input, in the workspace itself. */
export async function prepareHook(asked: Asked, { skill, path, phase }: Hook): Promise<NewRequest> {
  const input = { path, args: [], env: {}, interactive: false }
  return prepareScript(asked, { skill, input, hook: phase })
}

type RunSkill = Pick<ActiveSkill, 'name' | 'key' | 'scope'>

interface SkillScript {
  skill: RunSkill
  input: RunScriptInput
  hook: Hook['phase'] | null
}

async function prepareScript(asked: Asked, { skill, input, hook }: SkillScript): Promise<NewRequest> {
  const { deps, session, call } = asked
  const path = containRelative(input.path)
  const snapshot = await snapshotNow(deps, session, skill)
  scriptIn(snapshot, skill.name, path)
  const bytes = await deps.store.read(snapshot.digest, path)
  const text = Buffer.from(bytes).toString('utf8')
  const needs = await needsOf(deps, path, snapshot, text)
  const bare = await planOf(asked, { skill, input, hook }, { snapshot, path, bytes })
  await checkGate(asked, bare, [path, ...input.args])
  if (call.edited?.prepare && hook === null) return preparationRequest(asked, bare, needs, snapshot)
  const plan = await withPrepared(deps, bare, needs)
  const changed = await changeOf(deps, plan, text)
  const findings = await findingsOf(deps, plan, snapshot, { bytes, args: input.args, needs })
  const serious = findings.some((finding) => finding.level === 'serious')
  const first = lastApproval(deps.db.sql, skill.key, path) === null
  return newRequest(asked, {
    plan,
    findings,
    askReason: `${hook === null ? '' : HOOK_REASON[hook]}${askReason({ first, changed: changed !== null, serious, plan })}`,
    reviewRequired: first || changed !== null || serious || isOpen(plan) || plan.environment !== undefined,
    changed,
  })
}

/** The plan without packages that were prepared for it. */
async function planOf(
  { deps, session, call }: Asked,
  { skill, input, hook }: SkillScript,
  { snapshot, path, bytes }: { snapshot: Snapshot; path: string; bytes: Uint8Array },
): Promise<RunPlan> {
  const { execution } = await deps.bodies.get(snapshot.digest, skill.name)
  const wishes = await secretWishes(deps, { key: skill.key, treeDigest: snapshot.digest })
  refuseSecretInCall(deps, wishes, input.env)
  const { sha256 } = scriptIn(snapshot, skill.name, path)
  return deps.runs.planScript({
    execution,
    hosts: deps.hosts.given(skill.key, snapshot.digest),
    secrets: wishes.filter(({ state }) => state === 'given').map(({ name }) => name),
    skill: { name: skill.name, scope: skill.scope, key: skill.key, treeDigest: snapshot.digest },
    script: { path, sha256, bytes },
    ...(hook === null ? {} : { hook }),
    args: input.args,
    // S0: its shell scripts stop at the first command that fails.
    stopOnError: call.name === 'sandbox_execute' || deps.settings().stopOnError,
    env: input.env,
    workdir: input.workdir,
    stdin: input.stdin ?? null,
    interactive: input.interactive,
    ...(hook === null ? asFullScreen(call) : {}),
    timeoutMs: input.timeout_ms ?? deps.settings().runTimeoutMs,
    mounts: otherMounts(session, skill),
    workspace: await deps.workspaceOf(session),
  })
}

const HOOK_REASON: Record<Hook['phase'], string> = {
  pre: 'The skill wants to run it before it is loaded. ',
  post: 'The skill wants to run it at its end. ',
}

/** The skill as it is on disk now; the person is asked about these bytes, whatever was loaded before (ADR 0002). */
async function snapshotNow(deps: SessionDeps, session: SessionRow, skill: RunSkill): Promise<Snapshot> {
  const known = deps.registry.get(session.projectDir, skill.key)
  if (!known) {
    throw new AppError(
      'not_found',
      `The folder of "${skill.name}" is gone, so its scripts can't run. Tell the person.`,
    )
  }
  if (known.status === 'not-trusted') {
    throw new AppError('not_trusted', `The project is not trusted, so scripts of "${skill.name}" can't run.`)
  }
  const snapshot = await deps.store.snapshot(known.record)
  if (snapshot.blocked) {
    const advice = ADVICE.find(([reason]) => reason.test(snapshot.blocked ?? ''))?.[1] ?? MAKE_READABLE
    throw new AppError('path_escape', `Scripts of "${skill.name}" can't run: ${snapshot.blocked}. ${advice}`)
  }
  return snapshot
}

/** What a person can do about a file that keeps a skill's scripts from running (`format.md` 2.5), by its reason. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/is a hard link/, 'Replace the file by a copy of itself.'],
  [/is a link that leads nowhere$/, 'Remove the link, or put the file in its place.'],
  [/is a link that leads back/, 'Remove the link.'],
  [/is a link that leaves the skill$/, 'Replace the link by a copy of the file.'],
  [/special file/, 'Remove it from the skill.'],
  [/is nested deeper/, 'Move it further up, or remove it.'],
]
const MAKE_READABLE = 'Make it readable for you, or remove it.'

function scriptIn(snapshot: Snapshot, skillName: string, path: string): Snapshot['files'][number] {
  const file = snapshot.files.find((candidate) => candidate.path === path)
  if (file) return file
  const name = path.split('/').at(-1)
  const near = snapshot.files.filter((candidate) => candidate.path.split('/').at(-1) === name)
  const hint =
    near.length > 0
      ? `Did you mean ${near.map((f) => f.path).join(', ')}?`
      : 'Add the file to the skill, or correct its name in the SKILL.md. skills_read lists its files.'
  throw new AppError('not_found', `"${skillName}" has no script "${path}". ${hint}`)
}

async function checkGate(
  { deps, session, call: made }: Asked,
  plan: RunPlan,
  words: string[],
): Promise<void> {
  const call = { tool: 'skills_run_script', command: [plan.interpreter.name, ...words] }
  const lists = await restrictionsOf(deps, session)
  // A hook is no call of the agent: its own skill's list is not for it, those of the others are.
  const others = lists.filter((list) => plan.kind !== 'hook' || list.skill !== plan.skill?.name)
  const skill = forbiddenBy(others, call)
  if (skill === null) return
  const tool = plan.kind === 'hook' ? call.tool : made.name
  throw new AppError('bad_input', refusalText(tool, skill), { gate: true })
}

/** The other active skills are mounted too, as they were loaded; the one in use is added by the plan. */
function otherMounts(session: SessionRow, skill: RunSkill): RunPlan['mounts'] {
  return session.activeSkills
    .filter((active) => active.key !== skill.key)
    .map((active) => ({ name: active.name, treeDigest: active.digest }))
}

async function changeOf(deps: SessionDeps, plan: RunPlan, text: string): Promise<NewRequest['changed']> {
  if (!plan.skill || !plan.script) return null
  const last = lastApproval(deps.db.sql, plan.skill.key, plan.script.path)
  if (!last || runPlanOf(last.plan)?.skill?.treeDigest === plan.skill.treeDigest) return null
  const since = last.decidedAt ?? last.createdAt
  const before = await previousText(deps, { plan })
  // Another file of the skill changed, or the old text is gone: changed all the same.
  if (before === null) return { since, added: 0, removed: 0 }
  return { since, ...diffCounts(lineDiff(before, text)) }
}

/** Nothing confines it, it may reach something outside, or it gets every key. */
function isOpen({ sandbox, fullScreen }: RunPlan): boolean {
  return fullScreen === true || sandbox.backend === 'none' || sandbox.network !== 'off'
}

function askReason(facts: { first: boolean; changed: boolean; serious: boolean; plan: RunPlan }): string {
  if (facts.plan.sandbox.backend === 'none') return 'It would run without a sandbox.'
  if (facts.changed) return 'The skill changed since you last allowed this script.'
  if (facts.first) return 'This is the first time this script is asked for.'
  if (facts.serious) return 'A serious finding needs your eyes.'
  if (facts.plan.sandbox.network !== 'off') return 'It can reach hosts outside this computer.'
  return 'No rule of yours allows it.'
}

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { NewAuditEvent } from '../audit/audit'
import type { whyNotAdmins } from '../lib/admin-owned'
import { readPolicy, whyNotRemoved } from './policy'
import type { PolicyState } from './policy'
import { LOCKED_DOWN, Policy } from './policy-file'

/** What is in force, and why it may not be what the file says. */
export interface PolicyInForce extends PolicyState {
  /**
   * `file`: as the file says. `last-good`: the file can't be used, what it said before counts. `locked-down`: it can't be
   * used and nothing is known of before: every run asks, nothing is remembered. `none`: there is no policy.
   */
  source: 'file' | 'last-good' | 'locked-down' | 'none'
}

export interface PolicyKeeper {
  now(): PolicyInForce
  /** Reads the file again; true: another policy is in force. Such a change is on record with both digests. */
  refresh(): boolean
}

export interface PolicyKeeperDeps {
  dir: string | null
  dataDir: string
  record(event: NewAuditEvent): void
  /** Another policy is in force. */
  changed(): void
  whyNot?: typeof whyNotAdmins
}

/** Reads the policy at once; keeps a copy of the last one that could be used (`security.md` 4.2). */
export function createPolicyKeeper(deps: PolicyKeeperDeps): PolicyKeeper {
  const before = readLastGood(deps.dataDir)
  let current = look(deps, before)
  note(deps, before, current)
  return {
    now: () => current,
    refresh() {
      const next = look(deps, readLastGood(deps.dataDir))
      if (isSame(next, current)) return false
      note(deps, current, next)
      current = next
      deps.changed()
      return true
    },
  }
}

/** What is wrong with a file may change too, and what is understood of it. */
function isSame(next: PolicyInForce, current: PolicyInForce): boolean {
  const told = ({ digest, source, policy, notes }: PolicyInForce) =>
    JSON.stringify([digest, source, policy, notes])
  return told(next) === told(current)
}

/** The policy in force where nothing is written: for the command, which only looks. */
export function policyInForce(
  dir: string | null,
  dataDir: string | null,
  whyNot?: typeof whyNotAdmins,
): PolicyInForce {
  return inForce(readPolicy(dir, whyNot), dataDir === null ? null : readLastGood(dataDir), whyNot)
}

const LastGood = z.object({ digest: z.string(), policy: Policy, file: z.string().default('') })
type LastGood = z.infer<typeof LastGood>

function look({ dir, dataDir, whyNot }: PolicyKeeperDeps, before: LastGood | null): PolicyInForce {
  const state = inForce(readPolicy(dir, whyNot), before, whyNot)
  if (state.source === 'file' && state.policy)
    keepGood(dataDir, { digest: state.digest, policy: state.policy, file: state.file ?? '' })
  return state
}

function inForce(state: PolicyState, before: LastGood | null, whyNot?: typeof whyNotAdmins): PolicyInForce {
  if (state.policy) return { ...state, source: 'file' }
  if (!state.broken) {
    // Only who administers the computer can take a file away from there.
    const why = before && state.dir !== null ? whyNotRemoved(state.dir, whyNot) : null
    return before && why !== null
      ? lastGood({ ...state, notes: [why] }, before)
      : { ...state, source: 'none' }
  }
  if (before) return lastGood(state, before)
  const notes = [...state.notes, 'Until it can be used every run asks, and no answer is remembered.']
  return { ...state, policy: lockedDown(state.understood), notes, source: 'locked-down' }
}

function lastGood(state: PolicyState, { policy, digest, file }: LastGood): PolicyInForce {
  const notes = [...state.notes, 'What it said before stays in force.']
  return { ...state, policy, digest, file: state.file ?? file, notes, source: 'last-good' }
}

/** With the parts of a file that are understood: they only tighten. */
function lockedDown(understood: Policy | null): Policy {
  const { require_approval_for: asked = [], never_remember: never = [] } = LOCKED_DOWN
  return {
    ...understood,
    ...LOCKED_DOWN,
    require_approval_for: [...new Set([...asked, ...(understood?.require_approval_for ?? [])])],
    never_remember: [...new Set([...never, ...(understood?.never_remember ?? [])])],
  }
}

/** On record first; only then a policy that an administrator took away is forgotten. */
function note(
  { record, dataDir }: PolicyKeeperDeps,
  before: Pick<PolicyInForce, 'digest' | 'file'> | null,
  { digest, file, notes, policy, source }: PolicyInForce,
): void {
  const was = before?.digest ?? ''
  if (was !== digest || source === 'locked-down' || source === 'last-good') {
    const data = { before: was, after: digest, source, notes, version: policy?.policy_version ?? null }
    const target = file ?? before?.file ?? 'no policy'
    record({ actor: 'app', action: 'policy.changed', sessionId: null, target, data })
  }
  if (source === 'none') rmSync(lastGoodFile(dataDir), { force: true })
}

function lastGoodFile(dataDir: string): string {
  return join(dataDir, 'policy-last-good.json')
}

function readLastGood(dataDir: string): LastGood | null {
  try {
    return LastGood.parse(JSON.parse(readFileSync(lastGoodFile(dataDir), 'utf8')))
  } catch {
    return null // there was none, or it is damaged: then a file that can't be used locks down
  }
}

function keepGood(dataDir: string, good: LastGood): void {
  const file = lastGoodFile(dataDir)
  const beside = `${file}.${process.pid}.part`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(beside, JSON.stringify(good), { mode: 0o600 })
  renameSync(beside, file)
}

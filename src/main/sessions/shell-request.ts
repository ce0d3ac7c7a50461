import { findFindings } from '../approvals/findings'
import type { NewRequest } from '../approvals/broker'
import type { SessionRow } from '../db/session-rows'
import { newRequest, type Asked } from './new-request'
import { isInert } from './tools/active'

/** A command as a tool gives it. */
export interface ShellCommand {
  command: string
  workdir?: string | undefined
  timeout_ms?: number | undefined
}

/**
 * The request for a free command: its whole text is bound, and the snapshots of all active skills as they were loaded.
 * Nothing is executed. Throws as `planShell`.
 */
export async function prepareShell(asked: Asked, input: ShellCommand): Promise<NewRequest> {
  const { deps, session } = asked
  const plan = await deps.runs.planShell({
    text: input.command,
    env: {},
    workdir: input.workdir,
    stdin: null,
    interactive: false,
    timeoutMs: input.timeout_ms ?? deps.settings().runTimeoutMs,
    mounts: mountsOf(asked, session),
    workspace: await deps.workspaceOf(session),
  })
  const findings = findFindings({
    scriptText: input.command,
    scriptPath: 'command.sh',
    args: [],
    sandbox: plan.sandbox.backend,
    network: plan.sandbox.network,
    interpreterPath: plan.interpreter.path,
  })
  const askReason =
    plan.sandbox.backend === 'none' ? 'It would run without a sandbox.' : 'No rule of yours allows it.'
  return newRequest(asked, { plan, findings, askReason, reviewRequired: true })
}

function mountsOf({ deps }: Asked, session: SessionRow) {
  return session.activeSkills
    .filter(({ key }) => !isInert(deps, session, key))
    .map(({ name, digest }) => ({ name, treeDigest: digest }))
}

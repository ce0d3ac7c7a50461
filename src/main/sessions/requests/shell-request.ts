import type { RunPlan } from '@shared/domain/approval'
import { findFindings } from '../../approvals/findings'
import type { NewRequest } from '../../approvals/broker'
import { isNamedIn } from '../../approvals/named-files'
import type { SessionRow } from '../../db/session-rows'
import type { SessionDeps } from '../deps'
import { asFullScreen } from './edited-call'
import { newRequest, type Asked } from './new-request'
import { asText, bySeverity, OTHER_FILE_BYTES, OTHER_FILES, twinFindings } from './run-findings'
import { networkFindings } from './secret-wishes'
import { isInert } from '../tools/active'

/** A command as a tool gives it. */
export interface ShellCommand {
  command: string
  workdir?: string | undefined
  timeout_ms?: number | undefined
}

/**
 * The request for a free command: its whole text is bound, and the snapshots of all active skills as they were loaded.
 * It is held to what each of them asks for, the strictest of all. Nothing is executed. Throws as `planShell`.
 */
export async function prepareShell(asked: Asked, input: ShellCommand): Promise<NewRequest> {
  const { deps, session } = asked
  const mounts = mountsOf(asked, session)
  const bodies = await Promise.all(mounts.map(({ treeDigest, name }) => deps.bodies.get(treeDigest, name)))
  const plan = await deps.runs.planShell({
    text: input.command,
    env: {},
    workdir: input.workdir,
    stdin: null,
    interactive: false,
    ...asFullScreen(asked.call),
    timeoutMs: input.timeout_ms ?? deps.settings().runTimeoutMs,
    mounts,
    executions: bodies.map(({ execution }) => execution),
    workspace: await deps.workspaceOf(session),
  })
  const found = findFindings({
    scriptText: input.command,
    scriptPath: 'command.sh',
    args: [],
    otherFiles: await namedFiles(deps, mounts, input.command),
    sandbox: plan.sandbox.backend,
    network: plan.sandbox.network,
    interpreterPath: plan.interpreter.path,
  })
  const findings = bySeverity([...networkFindings(plan), ...twinFindings(plan), ...found])
  const askReason =
    plan.sandbox.backend === 'none' ? 'It would run without a sandbox.' : 'No rule of yours allows it.'
  return newRequest(asked, { plan, findings, askReason, reviewRequired: true })
}

function mountsOf({ deps }: Asked, session: SessionRow) {
  return session.activeSkills
    .filter(({ key }) => !isInert(deps, session, key))
    .map(({ name, digest }) => ({ name, treeDigest: digest }))
}

/** Files of the mounted skills that the command names, for the fixed rules. */
async function namedFiles({ store }: SessionDeps, mounts: RunPlan['mounts'], command: string) {
  const found = await Promise.all(
    mounts.map(async ({ name, treeDigest }) => {
      const { files } = await store.manifest(treeDigest)
      return files
        .filter(({ path, size }) => size <= OTHER_FILE_BYTES && isNamedIn(command, path))
        .map(({ path }) => ({ path: `${name}/${path}`, read: () => store.read(treeDigest, path) }))
    }),
  )
  const some = found.flat().slice(0, OTHER_FILES)
  return Promise.all(some.map(async ({ path, read }) => ({ path, text: asText(await read()) })))
}

import { canonicalJson } from '@shared/canonical-json'
import type { RequestPlan, RunPlan } from '@shared/domain/approval'
import type { ArgScope } from '@shared/domain/arg-scope'
import { hiddenCharacters } from '@shared/visible-text'
import { sha256 } from '../../lib/hash'

/**
 * Everything of a plan that an allowing rule binds, as one hash: two plans with the same fingerprint differ in nothing
 * that is executed but what `args` leaves open. Fields that are added to plans later are bound by themselves.
 * `projectDir` null: the chat's own folder stands for that of every such chat.
 */
export function fingerprint(plan: RequestPlan, args: ArgScope, projectDir: string | null): string {
  return sha256(canonicalJson({ args, ...boundOf(plan, args, projectDir) }))
}

/** The arguments behind the script, as the call gave them; of a plan without a script none. */
export function argumentsOf(plan: RunPlan): string[] {
  const at = scriptAt(plan)
  return at === -1 ? [] : plan.argv.slice(at + 1)
}

/** Nothing is hidden in it and it starts no program: a rule with open arguments may stand for it. */
export function isOpenArgument(arg: string): boolean {
  return isVisible(arg) && !STARTS_PROGRAM.test(arg) && !ADDRESS.test(arg)
}

function boundOf(plan: RequestPlan, args: ArgScope, projectDir: string | null): Record<string, unknown> {
  if (plan.kind === 'file_edit') return { ...plan }
  if (plan.kind === 'mcp') {
    const { timeoutMs: _time, ...rest } = plan
    return rest
  }
  const { argv, mounts, timeoutMs: _time, sandbox, ...rest } = plan
  const { label: _label, ...reach } = sandbox
  const place = placer(plan.workspace, projectDir)
  return {
    ...rest,
    cwd: place(plan.cwd),
    workspace: place(plan.workspace),
    sandbox: { ...reach, writable: sandbox.writable.map(place) },
    argv: boundArgv(plan, argv, args),
    // A script is bound to its own skill; a command can name any file of those that it sees.
    mounts: plan.kind === 'shell' ? mounts : null,
  }
}

function placer(workspace: string, projectDir: string | null): (path: string) => string {
  if (projectDir !== null) return (path) => path
  return (path) =>
    path === workspace || path.startsWith(`${workspace}/`)
      ? `(the chat’s folder)${path.slice(workspace.length)}`
      : path
}

function boundArgv(plan: RunPlan, argv: readonly string[], scope: ArgScope): unknown {
  const at = scriptAt(plan)
  if (scope === 'exact' || at === -1) return argv
  const head = argv.slice(0, at + 1)
  const rest = argv.slice(at + 1)
  if (scope === 'flags') return [head, rest.map(flagOrValue)]
  return rest.every(isOpenArgument) ? [head, 'any'] : [head, rest]
}

/** Flags stay as they are, also those with a value joined to them (A26); a value beside them may be another. */
function flagOrValue(arg: string): string | null {
  return !arg.startsWith('-') && isOpenArgument(arg) ? null : arg
}

function scriptAt({ argv, script }: RunPlan): number {
  if (!script) return -1
  return argv.findIndex((word, index) => index > 0 && word.endsWith(`/${script.path}`))
}

function isVisible(arg: string): boolean {
  return !/\p{Cc}/u.test(arg) && hiddenCharacters(arg).length === 0
}

/** Options by which well-known programs start others (A16 to A20, A26). */
const STARTS_PROGRAM =
  /^--?(?:upload-pack|receive-pack|exec|execdir|ext-diff|open-files-in-pager|checkpoint-act\w*|to-command|use-compress-program|rsh|rsync-path|pre|eval|require|import|command|init-command|config)(?:=|$)|^-o?ProxyCommand|^-c(?:=|$)/i

const ADDRESS = /^[a-z][a-z\d+.-]*:/i

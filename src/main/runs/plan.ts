import { isAbsolute, normalize } from 'node:path'
import type { RunLimits, RunPlan, SandboxPlan } from '@shared/domain/approval'
import type { SandboxProfile } from '@shared/domain/settings'
import { AppError } from '@shared/errors'
import { scriptKind, type ScriptKind } from '@shared/script-kind'
import { sha256 } from '../lib/hash'
import { composeEnv } from './env'
import type { BaseEnv } from './env'
import { interpreterArgs } from './interpreter-args'
import type { Interpreter, Interpreters } from './interpreters'
import { checkArguments, checkStdin } from './limits'
import { PROXY_VARIABLES } from './network/relay'
import { hostsFor, reachOf } from './sandbox/profiles'
import type { SandboxBackend } from './sandbox/backend'
import type { CommonInput, ScriptInput, ShellInput } from './types'
import { resolveWorkdir, resolveWorkspace } from './workdir'

export interface PlanDeps {
  interpreters: Pick<Interpreters, 'find'>
  backend: SandboxBackend
  limits: RunLimits
  /** As the person set it. */
  profile: SandboxProfile
  /** The only hosts that the organisation lets any run reach; null: it leaves that to the person. */
  allowedHosts: readonly string[] | null
  /** HOME of the app: never a workspace as a whole. */
  home: string | undefined
}

/** First Node that runs TypeScript as it is. */
const NODE_FOR_TS = { major: 22, minor: 18 }

/**
 * The frozen plan of one script. The same input on the same machine gives the same plan: nothing random or timed is
 * in it, so it can be built again and compared.
 */
export async function planScript(deps: PlanDeps, input: ScriptInput): Promise<RunPlan> {
  checkScriptPath(input.script.path)
  if (sha256(input.script.bytes) !== input.script.sha256) {
    throw new AppError('stale', `"${input.script.path}" changed while the run was prepared. Try again.`)
  }
  const { kind, source, firstLine } = kindOf(input.script)
  const workspace = resolveWorkspace(input.workspace, deps.home)
  const { skill } = input
  const dir = deps.backend.skillDir(skill.name, skill.treeDigest)
  const file = `${dir}/${input.script.path}`
  const itself = { name: kind, path: file, version: '', sha256: input.script.sha256, prefixes: [] }
  const interpreter = kind === 'program' ? itself : await deps.interpreters.find(kind, workspace)
  if (/\.[cm]?ts$/i.test(input.script.path) && kind === 'node') checkNodeForTs(interpreter)
  const options = interpreterArgs(kind, firstLine, input.stopOnError === true)
  const command = kind === 'program' ? [file] : [interpreter.path, ...options, file]
  const sandbox = sandboxFor(deps, input, workspace)
  return {
    ...planCommon(deps, input, workspace),
    sandbox,
    ...(input.secrets && input.secrets.length > 0 ? { secrets: [...input.secrets].sort() } : {}),
    kind: input.hook ? 'hook' : 'script',
    skill: { name: skill.name, scope: skill.scope, key: skill.key, treeDigest: skill.treeDigest },
    script: { path: input.script.path, sha256: input.script.sha256, bytes: input.script.bytes.byteLength },
    interpreter: { ...interpreter, source },
    argv: [...command, ...input.args],
    env: composeEnv(
      {
        home: deps.backend.home,
        skill: { name: skill.name, dir },
        ...(input.hook ? { hook: input.hook } : {}),
        ...networkEnv(sandbox),
      },
      input.env,
    ),
    mounts: sortedMounts([...input.mounts, { name: skill.name, treeDigest: skill.treeDigest }]),
  }
}

/** The frozen plan of one text for bash. */
export async function planShell(deps: PlanDeps, input: ShellInput): Promise<RunPlan> {
  if (input.text.trim() === '') throw new AppError('bad_input', 'The command is empty.')
  const workspace = resolveWorkspace(input.workspace, deps.home)
  const interpreter = await deps.interpreters.find('bash', workspace)
  return {
    ...planCommon(deps, { ...input, args: [input.text] }, workspace),
    // A command has no network: no skill names the hosts that it is for.
    sandbox: deps.backend.describe(reachOf(deps.profile, input.executions ?? [], workspace)),
    kind: 'shell',
    skill: null,
    script: null,
    interpreter: { ...interpreter, source: 'shell' },
    argv: [interpreter.path, '-c', input.text],
    env: composeEnv({ home: deps.backend.home, skill: null }, input.env),
    mounts: sortedMounts(input.mounts),
  }
}

function sandboxFor(deps: PlanDeps, { execution, hosts = [] }: ScriptInput, workspace: string): SandboxPlan {
  return deps.backend.describe({
    ...reachOf(deps.profile, execution ? [execution] : [], workspace),
    hosts: hostsFor(hosts, execution?.network, deps.allowedHosts),
  })
}

function networkEnv({ network }: SandboxPlan): Pick<BaseEnv, 'network'> {
  return network === 'hosts' ? { network: PROXY_VARIABLES } : {}
}

/** The fields that both kinds share, checked. */
function planCommon(deps: PlanDeps, input: CommonInput, workspace: string) {
  checkArguments(input.args)
  checkStdin(input.stdin)
  if (input.stdin !== null && input.interactive) {
    throw new AppError('bad_input', 'A run is either interactive or gets a text on standard input, not both.')
  }
  if (input.fullScreen) checkFullScreen(deps, input)
  if (!Number.isSafeInteger(input.timeoutMs) || input.timeoutMs <= 0) {
    throw new AppError('bad_input', 'The time limit of a run is a positive number of milliseconds.')
  }
  return {
    version: 1 as const,
    cwd: resolveWorkdir(workspace, input.workdir),
    workspace,
    stdin: input.stdin,
    interactive: input.interactive || input.fullScreen === true,
    ...(input.fullScreen ? { fullScreen: true as const } : {}),
    timeoutMs: input.fullScreen ? Math.max(input.timeoutMs, FULL_SCREEN_MS) : input.timeoutMs,
    limits: deps.limits,
  }
}

/** Time that a person has with a full-screen program at least; the time of a call is meant for scripts. */
const FULL_SCREEN_MS = 30 * 60_000

function checkFullScreen({ backend }: PlanDeps, { stdin }: CommonInput): void {
  if (!backend.capabilities.fullScreen) {
    throw new AppError('bad_input', 'A full-screen program runs in a sandbox only, and there is none here.')
  }
  if (stdin !== null) {
    throw new AppError('bad_input', 'It gets a text on standard input, so it can’t be a full-screen program.')
  }
}

/** A path as the snapshot lists it: relative, with /, and already in its shortest form. */
function checkScriptPath(path: string): void {
  const plain = path !== '' && !isAbsolute(path) && !/[\0\\]/.test(path) && normalize(path) === path
  if (!plain || path === '.' || path === '..' || path.startsWith('../')) {
    throw new AppError('path_escape', `"${path}" is not a path of a script inside the skill.`, { path })
  }
}

interface Kind {
  kind: ScriptKind
  source: 'shebang' | 'extension' | 'content'
  firstLine: string
}

function kindOf(script: ScriptInput['script']): Kind {
  const start = Buffer.from(script.bytes.subarray(0, 500)).toString('utf8')
  const firstLine = start.split('\n', 1)[0] ?? ''
  const kind = scriptKind(script.path, firstLine)
  const shebang = /^\ufeff?#!/.test(firstLine)
  if (kind !== null) {
    const source = kind === 'program' ? 'content' : shebang ? 'shebang' : 'extension'
    return { kind, source, firstLine }
  }
  const why = shebang
    ? `its first line asks for "${firstLine.trim().slice(0, 100)}", which is not among the interpreters. Change it to one without other words, such as #!/usr/bin/env python3.`
    : 'neither its first line nor its ending names an interpreter. Give it an ending such as .py or .sh, or a first line such as #!/usr/bin/env python3.'
  throw new AppError('no_interpreter', `"${script.path}" can't be run: ${why}`, { path: script.path })
}

function checkNodeForTs(node: Interpreter): void {
  const [major = 0, minor = 0] = node.version.split('.').map(Number)
  if (major > NODE_FOR_TS.major || (major === NODE_FOR_TS.major && minor >= NODE_FOR_TS.minor)) return
  throw new AppError(
    'no_interpreter',
    `TypeScript needs Node ${NODE_FOR_TS.major}.${NODE_FOR_TS.minor} or newer; Node ${node.version} was found. ` +
      'Install a newer Node, then start Satchel again.',
    { interpreter: 'node', version: node.version },
  )
}

/** One mount per name, in one order. Throws when a name can't be a folder or stands for two contents. */
function sortedMounts(mounts: RunPlan['mounts']): RunPlan['mounts'] {
  const byName = new Map<string, string>()
  for (const { name, treeDigest } of mounts) {
    if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name)) {
      throw new AppError('bad_input', `"${name}" can't be the name of a skill folder.`)
    }
    const other = byName.get(name)
    if (other !== undefined && other !== treeDigest) {
      throw new AppError('stale', `"${name}" is active with two different contents. Load it again.`)
    }
    byName.set(name, treeDigest)
  }
  return [...byName]
    .map(([name, treeDigest]) => ({ name, treeDigest }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

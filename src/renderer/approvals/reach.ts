import { TRUSTED_FILES } from '@shared/run-facts'
import type { RequestDetail, RunPlan } from '@shared/domain/approval'
import { hostWords } from '@shared/network-host'

export interface ReachRow {
  name: string
  text: string
  /** `ok` and `risk` also get a mark; plain is text. */
  tone: 'ok' | 'risk' | 'plain'
  /** A path or program. */
  mono?: boolean
  /** The full path, where `text` is shorter. */
  title?: string
}

/** What a run can touch, in words; nothing is left out because it is harmless. `nameOf` shortens paths for reading. */
export function reachRows(plan: RunPlan, nameOf: (path: string) => string = (path) => path): ReachRow[] {
  const { sandbox } = plan
  const free = sandbox.backend === 'none'
  return [
    free
      ? { name: 'Sandbox', text: 'Not sandboxed', tone: 'risk' }
      : { name: 'Sandbox', text: `On (${sandbox.label})`, tone: 'ok' },
    ...(free ? [] : [{ name: 'Profile', text: profileWords(plan), tone: 'plain' } as const]),
    networkRow(plan),
    free
      ? { name: 'Can read', text: 'Everything you can', tone: 'risk' }
      : { name: 'Can read', text: listOr(readableFrom(plan, nameOf), 'Nothing'), tone: 'plain' },
    free
      ? { name: 'Can write', text: 'Everything you can', tone: 'risk' }
      : {
          name: 'Can write',
          ...placeText(sandbox.writable, nameOf),
          tone: 'plain',
        },
    ...closedRow(plan),
    { name: 'Working folder', ...placeText([plan.cwd], nameOf), tone: 'plain' },
    {
      name: 'Interpreter',
      text: `${plan.interpreter.path} (${plan.interpreter.version || 'version unknown'})`,
      tone: 'plain',
      mono: true,
    },
    ...packagesRow(plan),
    { name: 'Stops after', text: duration(plan.timeoutMs), tone: 'plain' },
    ...limitRows(plan),
    { name: 'Standard input', text: inputWords(plan), tone: 'plain' },
  ]
}

/** "can write to the project only", for the dock. */
export function writeFact(plan: RunPlan): string {
  if (plan.sandbox.backend === 'none') return 'can write everything you can'
  const { writable } = plan.sandbox
  if (writable.length === 0) return 'can write nothing'
  const names = writable.map((path) => (path === plan.workspace ? 'this folder' : path))
  return `can write to ${names.join(' and ')} only`
}

/** "Ran 31 times in this project, 30 with exit 0." and what was decided last. */
export function beforeWords(before: RequestDetail['before'], day: (at: number) => string): string {
  const ran =
    before.runs === 0
      ? 'It never ran before.'
      : `Ran ${before.runs === 1 ? 'once' : `${before.runs} times`}, ${before.succeeded} with exit 0.`
  const last = before.lastDecision
  if (!last) return `${ran} Nobody decided about it yet.`
  const verb = last.choice.startsWith('deny') || last.choice === 'denied' ? 'denied' : 'allowed'
  return `${ran} Last ${verb} by you on ${day(last.at)}, with ${last.sameContents ? 'the same' : 'different'} contents.`
}

/** Paths as they are read. Only real paths are set in mono: "this chat’s own folder" is words. */
function placeText(
  paths: readonly string[],
  nameOf: (path: string) => string,
): Pick<ReachRow, 'text' | 'title' | 'mono'> {
  const names = paths.map(nameOf)
  return {
    text: listOr(names, 'Nothing'),
    title: listOr(paths, ''),
    mono: names.length > 0 && names.every(isPath),
  }
}

function isPath(name: string): boolean {
  return /^[~/\\]|^[A-Za-z]:/.test(name)
}

/** The plan says "the project" for the workspace; a chat without a project has a folder of its own. */
function readableFrom({ kind, sandbox, workspace }: RunPlan, nameOf: (path: string) => string): string[] {
  if (kind === 'prepare') return ['the skill', 'the new folder', 'system programs']
  const name = nameOf(workspace)
  return sandbox.readable.map((place) => (place === 'the project' && !isPath(name) ? name : place))
}

/** SB-5: a script that wants to commit fails, so it is said before. */
function closedRow({ sandbox }: RunPlan): ReachRow[] {
  if (sandbox.backend === 'none' || sandbox.writable.length === 0) return []
  return [{ name: 'Can’t write', text: TRUSTED_FILES, tone: 'plain' }]
}

/** What was prepared for it before, by its digest. */
function packagesRow({ environment }: RunPlan): ReachRow[] {
  if (!environment) return []
  const { packages, digest } = environment
  const text = `${packages.join(', ')}; read-only, ${digest.slice(0, 12)}`
  return [{ name: 'Packages', text, tone: 'plain', title: digest }]
}

function profileWords({ kind, sandbox }: RunPlan): string {
  if (kind === 'prepare') return 'Writes in a new folder for these packages'
  const what = sandbox.profile === 'read-only' ? 'Reads only' : 'Writes in the project'
  return sandbox.narrowed ? `${what}, less than you set: the skill asks for it` : what
}

function networkRow(plan: RunPlan): ReachRow {
  const free = plan.sandbox.network === 'on' || plan.sandbox.backend === 'none'
  const { hosts = [], hostsAsked = [] } = plan.sandbox
  if (plan.sandbox.network === 'hosts') {
    return { name: 'Network', text: `Can reach ${hosts.map(hostWords).join('; ')}`, tone: 'risk' }
  }
  const asked = hostsAsked.join(', ')
  return free
    ? { name: 'Network', text: 'On, any host', tone: 'risk' }
    : { name: 'Network', text: asked ? `Off; the skill asks for ${asked}` : 'Off', tone: 'plain' }
}

function listOr(items: readonly string[], none: string): string {
  return items.length > 0 ? items.join(', ') : none
}

function limitRows({ limits }: RunPlan): ReachRow[] {
  if (!limits) return []
  const memory = limits.memoryBytes / 1024 ** 2
  const size = memory >= 1024 ? `${Math.round(memory / 102.4) / 10} GB` : `${Math.round(memory)} MB`
  return [{ name: 'Can use', text: `${size} of memory, ${limits.processes} processes`, tone: 'plain' }]
}

function inputWords(plan: RunPlan): string {
  if (plan.fullScreen) return 'Full-screen program: it draws the terminal and gets every key you type there'
  if (plan.interactive) return 'Open: you can type into it while it runs'
  if (plan.stdin === null) return 'Closed'
  return `${plan.stdin.length === 1 ? '1 character' : `${plan.stdin.length} characters`} given with the request`
}

/** 120 000 → "2 minutes". */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds % 60 !== 0 || seconds === 0) return seconds === 1 ? '1 second' : `${seconds} seconds`
  const minutes = seconds / 60
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

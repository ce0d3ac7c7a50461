import { TRUSTED_FILES } from '@shared/run-facts'
import type { RequestDetail, RunPlan } from '@shared/domain/approval'
import { hostWords } from '@shared/network-host'
import { reviewWords } from './review/review-strings'

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
      ? { name: reviewWords.reach.sandbox, text: reviewWords.reach.notSandboxed, tone: 'risk' }
      : { name: reviewWords.reach.sandbox, text: reviewWords.reach.on(sandbox.label), tone: 'ok' },
    ...(free ? [] : [{ name: reviewWords.reach.profile, text: profileWords(plan), tone: 'plain' } as const]),
    networkRow(plan),
    free
      ? { name: reviewWords.reach.canRead, text: reviewWords.reach.everythingYouCan, tone: 'risk' }
      : {
          name: reviewWords.reach.canRead,
          text: listOr(readableFrom(plan, nameOf), reviewWords.reach.nothing),
          tone: 'plain',
        },
    free
      ? { name: reviewWords.reach.canWrite, text: reviewWords.reach.everythingYouCan, tone: 'risk' }
      : {
          name: reviewWords.reach.canWrite,
          ...placeText(sandbox.writable, nameOf),
          tone: 'plain',
        },
    ...closedRow(plan),
    { name: reviewWords.reach.workingFolder, ...placeText([plan.cwd], nameOf), tone: 'plain' },
    {
      name: reviewWords.reach.interpreter,
      text: reviewWords.reach.program(plan.interpreter.path, plan.interpreter.version),
      tone: 'plain',
      mono: true,
    },
    ...packagesRow(plan),
    { name: reviewWords.reach.stopsAfter, text: duration(plan.timeoutMs), tone: 'plain' },
    ...limitRows(plan),
    { name: reviewWords.reach.standardInput, text: inputWords(plan), tone: 'plain' },
  ]
}

/** "can write to the project only", for the dock. */
export function writeFact(plan: RunPlan): string {
  if (plan.sandbox.backend === 'none') return reviewWords.reach.canWriteEverythingYou
  const { writable } = plan.sandbox
  if (writable.length === 0) return reviewWords.reach.canWriteNothing
  const names = writable.map((path) => (path === plan.workspace ? reviewWords.reach.thisFolder : path))
  return reviewWords.reach.canWriteToOnly(names)
}

/** "Ran 31 times in this project, 30 with exit 0." and what was decided last. */
export function beforeWords(before: RequestDetail['before'], day: (at: number) => string): string {
  const ran =
    before.runs === 0
      ? reviewWords.reach.itNeverRanBefore
      : reviewWords.reach.ran(before.runs, before.succeeded)
  const last = before.lastDecision
  if (!last) return reviewWords.reach.nobodyDecidedAboutIt(ran)
  const verb = last.choice.startsWith('deny') || last.choice === 'denied' ? 'denied' : 'allowed'
  return reviewWords.reach.lastByYouOn(ran, verb, day(last.at), last.sameContents)
}

/** Paths as they are read. Only real paths are set in mono: "this chat’s own folder" is words. */
function placeText(
  paths: readonly string[],
  nameOf: (path: string) => string,
): Pick<ReachRow, 'text' | 'title' | 'mono'> {
  const names = paths.map(nameOf)
  return {
    text: listOr(names, reviewWords.reach.nothing),
    title: listOr(paths, ''),
    mono: names.length > 0 && names.every(isPath),
  }
}

function isPath(name: string): boolean {
  return /^[~/\\]|^[A-Za-z]:/.test(name)
}

/** The plan says "the project" for the workspace; a chat without a project has a folder of its own. */
function readableFrom({ kind, sandbox, workspace }: RunPlan, nameOf: (path: string) => string): string[] {
  if (kind === 'prepare')
    return [reviewWords.reach.theSkill, reviewWords.reach.theNewFolder, reviewWords.reach.systemPrograms]
  const name = nameOf(workspace)
  return sandbox.readable.map((place) => (place === 'the project' && !isPath(name) ? name : place))
}

/** SB-5: a script that wants to commit fails, so it is said before. */
function closedRow({ sandbox }: RunPlan): ReachRow[] {
  if (sandbox.backend === 'none' || sandbox.writable.length === 0) return []
  return [{ name: reviewWords.reach.cantWrite, text: TRUSTED_FILES, tone: 'plain' }]
}

/** What was prepared for it before, by its digest. */
function packagesRow({ environment }: RunPlan): ReachRow[] {
  if (!environment) return []
  const { packages, digest } = environment
  const text = `${packages.join(', ')}; read-only, ${digest.slice(0, 12)}`
  return [{ name: reviewWords.reach.packages, text, tone: 'plain', title: digest }]
}

function profileWords({ kind, sandbox }: RunPlan): string {
  if (kind === 'prepare') return reviewWords.reach.writesInANew
  const what =
    sandbox.profile === 'read-only' ? reviewWords.reach.readsOnly : reviewWords.reach.writesInTheProject
  return sandbox.narrowed ? reviewWords.reach.lessThanYouSet(what) : what
}

function networkRow(plan: RunPlan): ReachRow {
  const free = plan.sandbox.network === 'on' || plan.sandbox.backend === 'none'
  const { hosts = [], hostsAsked = [] } = plan.sandbox
  if (plan.sandbox.network === 'hosts') {
    return {
      name: reviewWords.reach.network,
      text: reviewWords.reach.canReach(hosts.map(hostWords).join('; ')),
      tone: 'risk',
    }
  }
  const asked = hostsAsked.join(', ')
  return free
    ? { name: reviewWords.reach.network, text: reviewWords.reach.onAnyHost, tone: 'risk' }
    : {
        name: reviewWords.reach.network,
        text: asked ? `Off; the skill asks for ${asked}` : reviewWords.reach.off,
        tone: 'plain',
      }
}

function listOr(items: readonly string[], none: string): string {
  return items.length > 0 ? items.join(', ') : none
}

function limitRows({ limits }: RunPlan): ReachRow[] {
  if (!limits) return []
  const memory = limits.memoryBytes / 1024 ** 2
  const size =
    memory >= 1024
      ? reviewWords.reach.gb(Math.round(memory / 102.4) / 10)
      : reviewWords.reach.mb(Math.round(memory))
  return [
    {
      name: reviewWords.reach.canUse,
      text: reviewWords.reach.ofMemoryProcesses(size, limits.processes),
      tone: 'plain',
    },
  ]
}

function inputWords(plan: RunPlan): string {
  if (plan.fullScreen) return reviewWords.reach.fullScreenProgramIt
  if (plan.interactive) return reviewWords.reach.openYouCanType
  if (plan.stdin === null) return reviewWords.reach.closed
  return reviewWords.reach.given(plan.stdin.length)
}

/** 120 000 → "2 minutes". */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds % 60 !== 0 || seconds === 0) return reviewWords.reach.seconds(seconds)
  const minutes = seconds / 60
  return reviewWords.reach.minutes(minutes)
}

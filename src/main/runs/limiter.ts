import { mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { release } from 'node:os'
import { join } from 'node:path'
import type { RunLimits } from '@shared/domain/approval'
import { procText, startTimeOf } from '../lib/proc'
import { runProcess } from '../lib/process'
import { findProgram } from './sandbox/probe'

/** What holds a run to its limits, beside the watchdog. */
export interface LimitedRun {
  /** Stands before the command, outside the sandbox. */
  prefix: string[]
  /** What that needs of the app's environment. */
  env: Record<string, string>
  /** Stands before the command, inside the sandbox. */
  inside: string[]
  /** Files that take the id of a process which is to be held, and with it all that it starts. */
  join: string[]
  /** The limits that were reached, for people; empty where nobody counts. */
  reached(): ('memory' | 'processes')[]
  close(): void
}

export interface Limiter {
  /** "cgroup v1", for people. */
  label(): Promise<string>
  /** Never throws: where nothing can be had, the watchdog alone holds the run. */
  open(runId: string, limits: RunLimits): Promise<LimitedRun>
  /** Removes what programs left that are not alive any more. */
  sweep(): void
}

export interface LimiterDeps {
  env: Readonly<Record<string, string | undefined>>
  isRoot: boolean
  /** "/sys/fs/cgroup"; tests give their own. */
  cgroups?: string
  /** Text of /proc/self/cgroup. */
  ownGroups?: () => string
}

type Way =
  | { kind: 'v1'; memory: string; pids: string }
  | { kind: 'v2'; folder: string }
  | { kind: 'systemd'; program: string }
  | { kind: 'nproc'; program: string }
  | { kind: 'none' }

const LABEL: Record<Way['kind'], string> = {
  v1: 'cgroup v1',
  v2: 'cgroup v2',
  systemd: 'a scope of systemd',
  nproc: 'limits of the sandbox and a watchdog',
  none: 'a watchdog',
}

/** Processes that are ours, not the script's: wrapper, bubblewrap, the first process of the sandbox. */
export const OWN_PROCESSES = 4
/** With its pid, so that no program removes what another one is about to use. */
const GROUP = `satchel-${process.pid}-`
const SCOPE_MS = 5000

/** Holds runs to their limits by what this machine has (SB-6): control groups, a scope of systemd, limits inside. */
export function createLimiter(deps: LimiterDeps): Limiter {
  let looked: Promise<Way> | null = null
  const way = () => (looked ??= look(deps))
  return {
    label: async () => LABEL[(await way()).kind],
    open: async (runId, limits) => open(await way(), { runId, limits, env: deps.env }),
    sweep() {
      for (const folder of groupFolders(deps)) {
        for (const name of subfolders(folder)) if (isLeft(name)) removeGroup(join(folder, name))
      }
    },
  }
}

async function look(deps: LimiterDeps): Promise<Way> {
  if (process.platform !== 'linux') return { kind: 'none' }
  const group = groupWay(deps)
  if (group !== null) return group
  const systemd = await scopeProgram(deps)
  if (systemd !== null) return { kind: 'systemd', program: systemd }
  const prlimit = findProgram('prlimit', '/usr/bin')
  // Counted in each user namespace apart only since Linux 5.14; before, it would count all that the person runs.
  return prlimit !== null && !deps.isRoot && kernelAtLeast(5, 14)
    ? { kind: 'nproc', program: prlimit }
    : { kind: 'none' }
}

function groupWay(deps: LimiterDeps): Way | null {
  const { memory, pids, unified } = ownFolders(deps)
  if (memory && pids && takesLimits(memory, 'memory.limit_in_bytes') && takesLimits(pids, 'pids.max')) {
    return { kind: 'v1', memory, pids }
  }
  const second = unified && takesLimits(unified, 'memory.max') && takesLimits(unified, 'pids.max')
  return second ? { kind: 'v2', folder: unified } : null
}

interface Asked {
  runId: string
  limits: RunLimits
  env: LimiterDeps['env']
}

function open(way: Way, { runId, limits, env }: Asked): LimitedRun {
  const processes = limits.processes + OWN_PROCESSES
  const nothing: LimitedRun = {
    prefix: [],
    env: {},
    inside: [],
    join: [],
    reached: () => [],
    close: () => undefined,
  }
  if (way.kind === 'systemd') {
    const properties = [`TasksMax=${processes}`, `MemoryMax=${limits.memoryBytes}`, 'MemorySwapMax=0']
    return { ...nothing, prefix: [way.program, ...scopeOptions(properties)], env: scopeEnv(env) }
  }
  if (way.kind === 'nproc') return { ...nothing, inside: [way.program, `--nproc=${limits.processes}`, '--'] }
  if (way.kind === 'none') return nothing
  const folders = way.kind === 'v1' ? [way.memory, way.pids] : [way.folder]
  const groups = folders.map((folder) => join(folder, `${GROUP}${runId}`))
  const [memory = '', pids = memory] = groups
  const v1 = way.kind === 'v1'
  try {
    for (const group of groups) mkdirSync(group)
    writeFileSync(join(memory, v1 ? 'memory.limit_in_bytes' : 'memory.max'), String(limits.memoryBytes))
    writeFileSync(join(pids, 'pids.max'), String(processes))
  } catch {
    // The group was taken away, or the machine has no room for more of them: the watchdog is left.
    for (const group of groups) removeGroup(group)
    return nothing
  }
  return {
    ...nothing,
    join: groups.map((group) => join(group, 'cgroup.procs')),
    reached() {
      const killed = counter(join(memory, v1 ? 'memory.oom_control' : 'memory.events'), 'oom_kill')
      const refused = counter(join(pids, 'pids.events'), 'max')
      return [...(killed > 0 ? (['memory'] as const) : []), ...(refused > 0 ? (['processes'] as const) : [])]
    },
    close() {
      for (const group of groups) removeGroup(group)
    },
  }
}

/** Folders of this process's own groups, by what they control. */
function ownFolders({ cgroups = '/sys/fs/cgroup', ownGroups }: LimiterDeps): Partial<Record<string, string>> {
  const text = (ownGroups ?? (() => procText('/proc/self/cgroup')))()
  const folders: Partial<Record<string, string>> = {}
  for (const line of text.split('\n')) {
    const [, number, controllers = '', path = ''] = /^(\d+):([^:]*):(\/[\w./@-]*)$/.exec(line) ?? []
    if (number === undefined) continue
    if (number === '0') folders['unified'] = join(cgroups, path)
    for (const name of controllers.split(',').filter(Boolean))
      folders[name] = join(cgroups, controllers, path)
  }
  return folders
}

function groupFolders(deps: LimiterDeps): string[] {
  const { memory, pids, unified } = ownFolders(deps)
  return [memory, pids, unified].filter((folder) => folder !== undefined)
}

/** Tries it with a group of its own, which is gone again. */
function takesLimits(folder: string, file: string): boolean {
  const group = join(folder, `${GROUP}probe`)
  try {
    mkdirSync(group)
    writeFileSync(join(group, file), '1000000', { flag: 'r+' })
    return true
  } catch {
    // No such controller here, or not for this person.
    return false
  } finally {
    removeGroup(group)
  }
}

/** Null where systemd does not answer: no such program, no manager for this person, or no bus. */
async function scopeProgram({ env }: LimiterDeps): Promise<string | null> {
  const program = findProgram('systemd-run', env['PATH'] ?? '')
  if (program === null || !env['XDG_RUNTIME_DIR']) return null
  const args = [...scopeOptions(['TasksMax=16']), '/bin/true']
  const answer = await runProcess(program, args, { env: scopeEnv(env), timeoutMs: SCOPE_MS })
  return answer.code === 0 ? program : null
}

function scopeOptions(properties: readonly string[]): string[] {
  const options = properties.flatMap((property) => ['-p', property])
  return ['--user', '--scope', '--quiet', '--collect', ...options, '--']
}

/** What systemd-run needs to find the person's manager. */
function scopeEnv(env: LimiterDeps['env']): Record<string, string> {
  const names = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']
  return Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}

function counter(file: string, name: string): number {
  const found = new RegExp(`^${name} (\\d+)$`, 'm').exec(procText(file))
  return Number(found?.[1] ?? 0)
}

function removeGroup(group: string): void {
  try {
    rmdirSync(group)
  } catch {
    // It is not there, or the kernel still holds it: the sweep of the next start takes it.
  }
}

/** A group of a program that has ended. The kernel refuses to remove one in which something runs. */
function isLeft(group: string): boolean {
  const [, pid] = /^satchel-(\d+)-/.exec(group) ?? []
  return pid !== undefined && startTimeOf(Number(pid)) === null
}

function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // Not there: nothing was left.
    return []
  }
}

function kernelAtLeast(major: number, minor: number): boolean {
  const [have = 0, and = 0] = release().split(/[.-]/).map(Number)
  return have > major || (have === major && and >= minor)
}

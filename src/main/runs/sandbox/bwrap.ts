import { lstatSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isInside } from '../../lib/contain'
import { spawnEnv } from '../env'
import { childrenOf, nameOf, signal } from '../process-tree'
import { ERROR_READER } from '../error-pipe'
import type { RunPlan, SandboxPlan } from '@shared/domain/approval'
import { relayCommand, SOCKET_MOUNT } from '../network/relay'
import { reachFields } from './profiles'
import type { Reach } from './profiles'
import { mountOf } from './nested'
import type { Found } from './nested'
import { nestedMounts, protectedMounts } from './protected'
import { protectedTwins } from './twins'
import type { RunPlace, SandboxBackend } from './backend'

export const SKILLS_MOUNT = '/.sandbox/skills'
const ERRORS_MOUNT = '/.sandbox/errors'
const NODE_MODULES_MOUNT = '/.sandbox/node_modules'

/** Namespaces and privileges (`security.md` 1.2). */
const ISOLATION = [
  '--die-with-parent',
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--unshare-net',
  '--disable-userns',
  '--cap-drop',
  'ALL',
  '--hostname',
  'sandbox',
]

/**
 * No script can type into a terminal (TIOCSTI). A full-screen program needs its terminal to be told of its size; what
 * it types there reaches itself and our wrapper, which runs nothing of it.
 */
const NEW_SESSION = ['--new-session']

/**
 * Signals that keys of the terminal make reach all of its processes. Ours ignore them, which a program would inherit:
 * it gets them as any program has them.
 */
const OWN_SIGNALS = ['/usr/bin/env', '--default-signal=INT,QUIT,TSTP,TTIN,TTOU']

/** Never the whole of /etc: as root, uid 0 inside still owns root's files, /etc/shadow among them. */
const ETC = [
  'ld.so.cache',
  'passwd',
  'group',
  'nsswitch.conf',
  'localtime',
  'alternatives',
  'ssl/certs',
  'ssl/openssl.cnf',
  'pki/tls/certs',
]

/** Folders of one run alone, gone with it, and how much each may hold: they are memory of this computer. */
const OWN_FOLDERS: readonly (readonly [string, number])[] = [
  ['/tmp', 1 << 30],
  ['/run', 1 << 24],
  ['/home/user', 1 << 28],
  ['/dev/shm', 1 << 28],
]

const ROOT_LINKS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

/** `hosts`: it was proved that a run can be let reach some hosts and no others. */
export function createBwrap(program: string, version: string, hosts = false): SandboxBackend {
  const label = `bubblewrap ${version}`
  return {
    id: 'bwrap',
    label,
    capabilities: {
      fsWrite: true,
      fsRead: true,
      netDeny: true,
      netAllowlist: hosts,
      treeKill: true,
      winch: false,
      fullScreen: true,
    },
    home: '/home/user',
    skillDir: (name) => `${SKILLS_MOUNT}/${name}`,
    describe: (reach) => ({
      ...reachFields(reach),
      backend: 'bwrap',
      label,
      ...networkFields(reach, hosts),
      readable: ['the project', 'the active skills', 'system programs'],
    }),
    wrap: (plan, place) => ({
      argv: [
        program,
        '--json-status-fd',
        '3',
        '--args',
        '4',
        '--',
        ...insideCommand(place),
        ...ownSignals(plan),
        ...plan.argv,
      ],
      // Only for bubblewrap itself; the script's variables are among the options, out of every process list.
      env: { PATH: '/usr/bin:/bin', SATCHEL_RUN_ID: place.runId },
      cwd: '/',
      options: bwrapOptions(plan, place),
    }),
    // Wrapper, bubblewrap, the first process of the sandbox, the script.
    scriptProcesses: (wrapperPid) => childrenOf(wrapperPid).flatMap(childrenOf).flatMap(childrenOf),
    end(wrapperPid) {
      // What was printed as errors is read to its end.
      const monitors = childrenOf(wrapperPid).filter((pid) => nameOf(pid) !== ERROR_READER)
      for (const pid of [...monitors.flatMap(childrenOf), ...monitors]) signal(pid, 'SIGKILL')
    },
    scriptStarted: hasStarted,
  }
}

/** Everything that bubblewrap is told but the command. An allow-list: what isn't named here does not exist inside. */
export function bwrapOptions(plan: RunPlan, place: RunPlace): string[] {
  const { workspace } = plan
  const env = Object.entries(spawnEnv(plan.env, place.runId))
  return [
    ISOLATION,
    plan.fullScreen ? [] : NEW_SESSION,
    ['--ro-bind', '/usr', '/usr'],
    rootLinks(),
    ETC.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ['--proc', '/proc', '--dev', '/dev'],
    OWN_FOLDERS.flatMap(([path, bytes]) => ['--size', String(bytes), '--tmpfs', path]),
    plan.interpreter.prefixes.flatMap((path) => ['--ro-bind', path, path]),
    workspaceMounts(plan, place),
    isInside(workspace, place.dataDir) ? ['--tmpfs', place.dataDir] : [],
    plan.mounts.flatMap(({ name, treeDigest }) => [
      '--ro-bind',
      place.snapshotDir(treeDigest),
      `${SKILLS_MOUNT}/${name}`,
    ]),
    environmentMounts(plan),
    place.network === null ? [] : ['--ro-bind', place.network, SOCKET_MOUNT],
    place.errors === null ? [] : ['--ro-bind', place.errors, ERRORS_MOUNT],
    // What holds the mounts together is memory too: nothing is to be put there.
    ['--remount-ro', '/dev', '--remount-ro', '/'],
    ['--chdir', plan.cwd, '--clearenv'],
    env.flatMap(([name, value]) => ['--setenv', name, value]),
  ].flat()
}

function ownSignals({ fullScreen }: RunPlan): string[] {
  return fullScreen ? OWN_SIGNALS : []
}

/** Node looks for modules in every folder above a script, so they lie beside the skills. */
function environmentMounts({ environment }: RunPlan): string[] {
  if (!environment) return []
  const { kind, folder } = environment
  const modules = kind === 'node' ? ['--ro-bind', `${folder}/node_modules`, NODE_MODULES_MOUNT] : []
  return ['--ro-bind', folder, folder, ...modules]
}

/** What stands before a command inside: the way out first, which then becomes the rest. */
export function insideCommand({
  network,
  inside,
  errors,
}: Pick<RunPlace, 'network' | 'inside' | 'errors'>): string[] {
  return [...(network === null ? [] : relayCommand()), ...inside, ...(errors === null ? [] : OWN_ERRORS)]
}

/**
 * Opened here, through the read-only mount, the pipe can only be written to: its permissions can't be set, and they
 * let nobody read (ADR 0045).
 */
const OWN_ERRORS = ['/bin/sh', '-c', 'exec 2>"$0"; exec "$@"', ERRORS_MOUNT]

/** Fails closed: hosts that can't be let through alone are not let through. */
function networkFields({ hosts }: Reach, proved: boolean): Pick<SandboxPlan, 'network' | 'hosts'> {
  return proved && hosts && hosts.length > 0 ? { network: 'hosts', hosts } : { network: 'off' }
}

/** The workspace as the profile has it; nothing that is trusted later is writable in it (SB-5). */
function workspaceMounts({ workspace, sandbox }: RunPlan, { covers, nested }: RunPlace): string[] {
  const twins = () => twinMounts(workspace, nested)
  if (sandbox.writable.includes(workspace)) {
    return ['--bind', workspace, workspace, ...protectedMounts(workspace, covers, nested), ...twins()]
  }
  const writable = sandbox.writable.filter((path) => isInside(workspace, path))
  const binds = writable.flatMap((path) => ['--bind', path, path])
  if (writable.length === 0) return ['--ro-bind', workspace, workspace]
  return ['--ro-bind', workspace, workspace, ...binds, ...nestedMounts(workspace, nested), ...twins()]
}

function twinMounts(workspace: string, nested: readonly Found[]): string[] {
  return protectedTwins(workspace, nested.map(mountOf)).flatMap((path) => [
    '--ro-bind',
    join(workspace, path),
    join(workspace, path),
  ])
}

/** Folders of the root: links into /usr on merged systems, folders on older ones. */
function rootLinks(): string[] {
  return ROOT_LINKS.flatMap((path) => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink()) return ['--symlink', readlinkSync(path), path]
    return stat?.isDirectory() ? ['--ro-bind', path, path] : []
  })
}

/**
 * bubblewrap reports an exit code only when the program itself was started. Without a report but with a sandbox
 * that was there, bubblewrap was killed from outside, by us or for want of memory: the script may have run.
 */
function hasStarted(status: string, exitCode: number | null): boolean {
  if (status.includes('"exit-code"')) return true
  return status.includes('"child-pid"') && (exitCode === null || exitCode > 128)
}

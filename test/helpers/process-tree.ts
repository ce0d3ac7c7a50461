import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Process ids of a process and all that descend from it. Linux. */
export function processTree(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    const stat = Number.isInteger(pid) ? read(`/proc/${pid}/stat`) : ''
    // "pid (name) state parent": the name may hold spaces and brackets.
    const parent = /^.*\) \S (\d+)/s.exec(stat)?.[1]
    if (parent) parents.set(pid, Number(parent))
  }
  const isInTree = (pid: number): boolean => pid === root || (parents.has(pid) && isInTree(parents.get(pid)!))
  return [...parents.keys()].filter(isInTree)
}

/** PF_EXITING of Linux, in the ninth field of `/proc/<pid>/stat`. */
const EXITING = 0x4

/**
 * Whether the process can still do something. A killed one lets its locks go before it is gone, and before its
 * parent has taken note of it: from then on it counts as ended. Linux.
 */
export function isAlive(pid: number): boolean {
  const [state, ...more] = read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
  return state !== '' && !/[ZX]/.test(state!) && (Number(more[5]) & EXITING) === 0
}

/** TCP sockets of these processes that listen, and UDP sockets that are bound: "tcp 0100007F:1F90". */
export function openServerSockets(pids: readonly number[]): string[] {
  return pids.flatMap((pid) => {
    const inodes = new Set(socketInodes(pid))
    return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((kind) =>
      tableOf(pid, kind)
        .filter(({ state, inode }) => inodes.has(inode) && (state === '0A' || kind.startsWith('udp')))
        .map(({ local }) => `${kind} ${local}`),
    )
  })
}

/** A field of /proc/<pid>/status, such as "Seccomp". */
export function statusOf(pid: number, field: string): string {
  const found = new RegExp(`^${field}:\\s*(.*)$`, 'm').exec(read(`/proc/${pid}/status`))
  if (!found) throw new Error(`no ${field} in the status of process ${pid}`)
  return found[1]!
}

/** Arguments of a process. */
export function commandLine(pid: number): string[] {
  return read(`/proc/${pid}/cmdline`).split(/[\0 ]/)
}

function socketInodes(pid: number): string[] {
  const inodes: string[] = []
  for (const fd of list(`/proc/${pid}/fd`)) {
    const inode = /^socket:\[(\d+)\]$/.exec(link(`/proc/${pid}/fd/${fd}`))?.[1]
    if (inode) inodes.push(inode)
  }
  return inodes
}

function tableOf(pid: number, kind: string): { local: string; state: string; inode: string }[] {
  const rows = read(`/proc/${pid}/net/${kind}`).split('\n').slice(1)
  return rows.filter(Boolean).map((row) => {
    const columns = row.trim().split(/\s+/)
    return { local: columns[1]!, state: columns[3]!, inode: columns[9]! }
  })
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // the process ended meanwhile
  }
}

function list(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch {
    return [] // the process ended meanwhile
  }
}

function link(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    return '' // closed meanwhile
  }
}

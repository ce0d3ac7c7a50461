import { readFileSync, statfsSync } from 'node:fs'
import type { RunLimits } from '@shared/domain/approval'
import { childrenOf } from './process-tree'

/** Why the watchdog ends a run. */
export type Excess = 'processes' | 'memory' | 'disk'

export interface Usage {
  processes: number
  memoryBytes: number
  /** Free bytes where the script may write; null: unknown. */
  diskFreeBytes: number | null
}

/** Left free for the app's own data and for everybody else. */
export const DISK_RESERVE_BYTES = 256 * 1024 * 1024

const PAGE_BYTES = 4096

/** The first limit that is exceeded; null: none. A disk that was full before is not the script's doing. */
export function excessOf(usage: Usage, limits: RunLimits, diskFreeBefore: number | null): Excess | null {
  if (usage.processes > limits.processes) return 'processes'
  if (usage.memoryBytes > limits.memoryBytes) return 'memory'
  const { diskFreeBytes } = usage
  if (diskFreeBytes === null || diskFreeBefore === null || diskFreeBefore < DISK_RESERVE_BYTES) return null
  return diskFreeBytes < DISK_RESERVE_BYTES ? 'disk' : null
}

/**
 * What the tree below the wrapper uses now. Counting ends soon above `most` processes: whoever makes thousands must
 * not keep the app busy with counting them. Memory is what no other process shares.
 */
export function usageOf(wrapperPid: number, folder: string, most: number): Usage {
  const pids: number[] = []
  const left = [wrapperPid]
  for (let pid = left.pop(); pid !== undefined && pids.length <= most; pid = left.pop()) {
    const children = childrenOf(pid)
    pids.push(...children)
    left.push(...children)
  }
  const memoryBytes = pids.reduce((sum, pid) => sum + ownMemory(pid), 0)
  return { processes: pids.length, memoryBytes, diskFreeBytes: diskFree(folder) }
}

export function diskFree(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    // The folder is gone: the run will notice.
    return null
  }
}

function ownMemory(pid: number): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ').map(Number)
    return Math.max(0, resident - shared) * PAGE_BYTES
  } catch {
    // It ended meanwhile.
    return 0
  }
}

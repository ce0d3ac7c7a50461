import { randomBytes } from 'node:crypto'
import { startTimeOf } from './proc'

/**
 * A new name for something that exists only while it is made. It tells who makes it, so that what a killed program left
 * is known from what a living one works on.
 */
export function makerMark(): string {
  return `${process.pid}-${startTimeOf(process.pid) ?? 0}-${randomBytes(8).toString('hex')}`
}

/** True when the process that made this mark has ended; false too for a name that is no mark. */
export function isMakerGone(mark: string): boolean {
  const [, pid, start] = MARK.exec(mark) ?? []
  if (pid === undefined || !isThere(Number(pid))) return pid !== undefined
  return start !== '0' && startTimeOf(Number(pid)) !== start
}

const MARK = /^(\d{1,10})-(\d{1,20})-[0-9a-f]{16}$/

/** Signal 0 asks only whether the process is there. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

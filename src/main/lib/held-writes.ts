import { isNoSpace } from '@shared/errors'
import type { Log } from './log'

/** Between two tries, in milliseconds. */
const RETRY_MS = 3000

/**
 * Writes that a full disk refused: held in memory and tried again, in their order, every 3 seconds until they
 * succeed. What is still held when the app ends is lost.
 */
export interface HeldWrites {
  /** A later write of the same key takes the place of the earlier one. */
  hold(key: string, write: () => void): void
  /** Tries all now. Never throws: what fails for another reason is logged and given up. */
  retry(): void
  size(): number
  /** One last try; nothing is tried by itself afterwards. */
  close(): void
}

export function createHeldWrites(log: Log): HeldWrites {
  const writes = new Map<string, () => void>()
  let timer: NodeJS.Timeout | undefined
  const rest = () => {
    clearInterval(timer)
    timer = undefined
  }
  const retry = () => {
    for (const [key, write] of writes) {
      if (!wasWritten(write, log)) return
      writes.delete(key)
    }
    rest()
  }
  return {
    hold(key, write) {
      writes.set(key, write)
      timer ??= setInterval(retry, RETRY_MS).unref()
    },
    retry,
    size: () => writes.size,
    close() {
      retry()
      rest()
    },
  }
}

/** False while the disk is full. */
function wasWritten(write: () => void, log: Log): boolean {
  try {
    write()
  } catch (error) {
    if (isNoSpace(error)) return false
    log.error('What a full disk refused could not be written later', error)
  }
  return true
}

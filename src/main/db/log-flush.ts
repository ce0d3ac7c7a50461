import { closeSync, fdatasync, openSync } from 'node:fs'

/** Brings a file to the disk while others go on. */
export interface LogFlush {
  /** What was written so far is on the disk a moment later. */
  flush(): void
  close(): void
}

/**
 * For the write-ahead log of a database whose connection is open: SQLite does the same after a commit with `synchronous`
 * FULL, and waits for it. SQLite takes no lock on this file, so that opening and closing it takes none away.
 */
export function createLogFlush(file: string): LogFlush {
  const state = { fd: -1, isRunning: false, isWanted: false, isClosed: false }
  const run = () => {
    state.isRunning = true
    state.isWanted = false
    fdatasync(state.fd, () => {
      // A disk that fails here fails the next commit that waits for it, which says so.
      state.isRunning = false
      if (state.isClosed) closeSync(state.fd)
      else if (state.isWanted) run()
    })
  }
  return {
    flush() {
      if (state.isClosed) return
      if (state.fd < 0) state.fd = openSync(file, 'r+')
      if (state.isRunning) state.isWanted = true
      else run()
    },
    close() {
      state.isClosed = true
      if (state.fd >= 0 && !state.isRunning) closeSync(state.fd)
    },
  }
}

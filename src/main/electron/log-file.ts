import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../lib/log'

export interface LogFileOptions {
  /** Folder; made if it is missing. */
  dir: string
  /** Bytes after which a new file is begun. Default 5 MB. */
  maxBytes?: number
  /** Files kept, the current one included. Default 3. */
  keep?: number
  /** Milliseconds since 1970. */
  now(): number
}

interface LogFile {
  file: string
  size: number
  options: Required<LogFileOptions>
}

/**
 * Writes `satchel.log`, one line of JSON for each entry: time, level, message, data. A full disk or a folder that
 * went away loses entries and nothing else: logging never throws.
 */
export function createLogFile(options: LogFileOptions): Log {
  const state: LogFile = {
    file: join(options.dir, 'satchel.log'),
    size: 0,
    options: { maxBytes: 5_000_000, keep: 3, ...options },
  }
  mkdirSync(options.dir, { recursive: true, mode: 0o700 })
  state.size = sizeOf(state.file)
  return {
    info: (message, data) => write(state, 'info', message, data),
    warn: (message, data) => write(state, 'warn', message, data),
    error: (message, error) => write(state, 'error', message, describe(error)),
  }
}

/** An error as plain data, with its causes. */
export function describe(error: unknown): Record<string, unknown> | undefined {
  if (error === undefined) return undefined
  if (!(error instanceof Error)) return { error: typeof error === 'string' ? error : JSON.stringify(error) }
  const { code } = error as { code?: unknown }
  return {
    error: error.stack ?? error.message,
    ...(code === undefined ? {} : { code }),
    ...(error.cause === undefined ? {} : { cause: describe(error.cause) }),
  }
}

function write(state: LogFile, level: string, message: string, data?: Record<string, unknown>): void {
  try {
    const time = new Date(state.options.now()).toISOString()
    const line = `${JSON.stringify({ time, level, message, ...(data ? { data } : {}) })}\n`
    const bytes = Buffer.byteLength(line)
    if (state.size > 0 && state.size + bytes > state.options.maxBytes) rotate(state)
    appendFileSync(state.file, line, { mode: 0o600 })
    state.size += bytes
  } catch {
    // There is no other place to tell it, and the app must go on.
  }
}

function rotate(state: LogFile): void {
  const { keep } = state.options
  const older = (n: number) => `${state.file}.${n}`
  if (keep < 2) rmSync(state.file, { force: true })
  for (let n = keep - 1; n >= 1; n -= 1) {
    const from = n === 1 ? state.file : older(n - 1)
    if (sizeOf(from) > 0) renameSync(from, older(n))
  }
  state.size = 0
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

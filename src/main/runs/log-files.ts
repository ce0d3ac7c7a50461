import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { OutputChunk } from '@shared/domain/run'

/** One line of a log. `bytes`: what the script had printed by then on `out` and on `err`, as it came. */
const LogRecord = OutputChunk.extend({ bytes: z.tuple([z.number(), z.number()]).optional() })
type LogRecord = z.infer<typeof LogRecord>

/** Where a log ends, so that another process can go on with it. */
export interface LogEnd {
  /** Numbers of its files, in order; 0 is the head. */
  parts: number[]
  /** Bytes of text in the last of them. */
  partBytes: number
  /** Characters, with those that were dropped. */
  offset: number
  /** Bytes of output that the log knows of: `out`, `err`. */
  bytes: [number, number]
  /** Something in the middle is gone. */
  dropped: boolean
  /** A crash tore its last line. */
  torn: boolean
}

/** The file of one part; the head is part 0. */
export function logFile(folder: string, runId: string, part: number): string {
  return join(folder, part === 0 ? `${runId}.log` : `${runId}.${part}.log`)
}

/** Numbers of the parts that are there, in order. */
export function partsOnDisk(folder: string, runId: string): number[] {
  const found = readdirSync(folder).flatMap((name) => {
    if (name === `${runId}.log`) return [0]
    const number = name.startsWith(`${runId}.`) ? /^\.(\d+)\.log$/.exec(name.slice(runId.length)) : null
    return number ? [Number(number[1])] : []
  })
  return found.sort((a, b) => a - b)
}

/** Reads a whole log for its end; null when there is none. */
export function logEnd(folder: string, runId: string): LogEnd | null {
  const parts = partsOnDisk(folder, runId)
  if (parts.length === 0) return null
  const end: LogEnd = { parts, partBytes: 0, offset: 0, bytes: [0, 0], dropped: false, torn: false }
  for (const part of parts) {
    end.partBytes = 0
    for (const { record } of recordsFrom(logFile(folder, runId, part), 0)) count(end, record)
  }
  end.torn = isTorn(logFile(folder, runId, parts.at(-1) ?? 0))
  return end
}

function count(end: LogEnd, { offset, channel, data, bytes }: LogRecord): void {
  const length = Buffer.byteLength(data)
  end.dropped ||= offset !== end.offset
  end.offset = offset + data.length
  end.partBytes += length
  const [out, err] = end.bytes
  end.bytes = bytes ?? (channel === 'out' ? [out + length, err] : [out, err + length])
}

function isTorn(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const block = Buffer.alloc(READ_BYTES)
    let last = 10
    for (;;) {
      const read = readSync(file, block, 0, READ_BYTES, null)
      if (read === 0) return last !== 10
      last = block[read - 1] ?? last
    }
  } finally {
    closeSync(file)
  }
}

const READ_BYTES = 262_144

/** Whole records from a byte position on, each with the position behind it. A torn last line is left. */
export function* recordsFrom(path: string, start: number): Generator<{ record: LogRecord; end: number }> {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    // Dropped meanwhile: the next part goes on.
    return
  }
  try {
    let position = start
    let rest = Buffer.alloc(0)
    const block = Buffer.alloc(READ_BYTES)
    for (;;) {
      const read = readSync(file, block, 0, READ_BYTES, position + rest.length)
      if (read === 0) return
      rest = Buffer.concat([rest, block.subarray(0, read)])
      for (let line = rest.indexOf(10); line >= 0; line = rest.indexOf(10)) {
        position += line + 1
        const parsed = LogRecord.safeParse(tryJson(rest.toString('utf8', 0, line)))
        rest = rest.subarray(line + 1)
        if (parsed.success) yield { record: parsed.data, end: position }
      }
    }
  } finally {
    closeSync(file)
  }
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A line that a crash tore: skipped.
    return null
  }
}

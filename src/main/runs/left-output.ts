import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { createRedactor, type HeldSecret } from '../lib/redact'
import { cleaner } from './channel'
import { OUTPUT_KEPT_BYTES, OUTPUT_STOP_BYTES } from './limits'
import { logEnd, logFile, partsOnDisk, recordsFrom } from './log-files'
import { beforeMoves, NO_SECRETS, restNotKept } from './lost-secrets'
import type { KnownSecrets } from './lost-secrets'
import { createOutputLog } from './output-log'
import type { OutputLog } from './output-log'
import { createCollector } from './text'

/** What a run printed, known after its end was lost. */
export interface LeftOutput {
  /** Bytes of both channels. */
  outputBytes: number
  /** The log lacks something. */
  truncated: boolean
  /** All that there is stands in the log: the run's own folder holds nothing more of it. */
  whole: boolean
}

/** What the model gets of a run's output (AP-8). */
export interface Printed {
  stdout: string
  stderr: string
  /** Something was left out of one of them. */
  truncated: boolean
}

/**
 * Adds to a log what the script wrote to standard error and the app, killed, had not read any more. What it wrote to
 * its terminal went with the terminal; all that a person saw is in the log. Where a secret of the run is not known any
 * more nothing is added but that: what was not redacted while the run lived can't be. Does nothing more when called
 * again.
 */
export function keepLeftOutput(
  folder: string,
  runId: string,
  onError: (error: unknown) => void,
  { held, lost }: KnownSecrets = NO_SECRETS,
): LeftOutput {
  const after = logEnd(folder, runId)
  const [out, err] = after?.bytes ?? [0, 0]
  const rest = readRest(join(folder, runId, 'err'), err, OUTPUT_STOP_BYTES - out)
  if (rest === null) {
    return { outputBytes: out + err, truncated: after?.dropped ?? false, whole: true }
  }
  let whole = true
  const log = createOutputLog({
    folder,
    runId,
    keep: OUTPUT_KEPT_BYTES,
    ...(after ? { after } : {}),
    onError(error) {
      whole = false
      onError(error)
    },
  })
  const isLost = lost.length > 0
  const bytes = isLost ? appendNone(log, rest, lost) : appendAll(log, rest, held)
  log.close()
  return { outputBytes: out + err + bytes, truncated: log.truncated() || isLost, whole }
}

/**
 * Head and tail of the output that is on disk; nothing for a run without a log. Where a secret of the run is not known
 * any more it ends before what could still come together to one.
 */
export function printedBy(folder: string, runId: string, { held, lost }: KnownSecrets = NO_SECRETS): Printed {
  const clean = cleaner(held)
  const collectors = { out: createCollector(clean), err: createCollector(clean) }
  let cut = false
  for (const part of partsOnDisk(folder, runId)) {
    for (const { record } of recordsFrom(logFile(folder, runId, part), 0)) {
      const data = lost.length > 0 ? beforeMoves(record.data) : record.data
      if (cut) continue
      collectors[record.channel].push(data)
      cut = data.length < record.data.length
      if (cut) collectors.err.push(restNotKept(lost))
    }
  }
  const [stdout, stderr] = [collectors.out.excerpt(), collectors.err.excerpt()]
  const truncated = cut || stdout.truncated || stderr.truncated
  return { stdout: stdout.text, stderr: stderr.text, truncated }
}

/** Bytes of a file from a position on; `fresh` counts those behind it. */
interface Rest {
  blocks: Iterable<{ bytes: Uint8Array; fresh: number }>
}

const BLOCK = 65_536

/** Null when the file is gone or holds no more. */
function readRest(path: string, from: number, limit: number): Rest | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    // The run came to its end, or the crash came before the script.
    return null
  }
  const probe = Buffer.alloc(1)
  if (from >= limit || readSync(file, probe, 0, 1, from) === 0) {
    closeSync(file)
    return null
  }
  return { blocks: blocksOf(file, from, limit) }
}

function* blocksOf(
  file: number,
  from: number,
  limit: number,
): Generator<{ bytes: Uint8Array; fresh: number }> {
  try {
    const block = Buffer.alloc(BLOCK)
    let begin = characterStart(file, from)
    let position = from
    while (position < limit) {
      const read = readSync(file, block, 0, BLOCK, begin)
      if (begin + read <= position) return
      yield { bytes: block.subarray(0, read), fresh: begin + read - position }
      begin += read
      position = begin
    }
  } finally {
    closeSync(file)
  }
}

/** Where the character begins that `position` cuts in two: the app had read its first bytes, and not written them. */
function characterStart(file: number, position: number): number {
  const before = Buffer.alloc(Math.min(3, position))
  readSync(file, before, 0, before.length, position - before.length)
  for (let back = 1; back <= before.length; back += 1) {
    const byte = before[before.length - back] ?? 0
    if (byte >= 0xc0) return lengthOf(byte) > back ? position - back : position
    if (byte < 0x80) return position
  }
  return position
}

/** Bytes of a UTF-8 character by its first one. */
function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4
  return lead >= 0xe0 ? 3 : 2
}

/** Counts what was printed, and says why it is not there. */
function appendNone(log: OutputLog, { blocks }: Rest, lost: readonly string[]): number {
  let all = 0
  for (const { fresh } of blocks) all += fresh
  log.append('err', restNotKept(lost), all)
  return all
}

function appendAll(log: OutputLog, { blocks }: Rest, secrets: readonly HeldSecret[]): number {
  const redactor = createRedactor(secrets)
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let all = 0
  for (const { bytes, fresh } of blocks) {
    all += fresh
    log.append('err', redactor.push(decoder.decode(bytes, { stream: true })), fresh)
  }
  log.append('err', redactor.push(decoder.decode()) + redactor.end(), 0)
  return all
}

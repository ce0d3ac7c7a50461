import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import type { OutputChunk } from '@shared/domain/run'
import { faultPoint } from '../lib/fault-point'
import { logFile, partsOnDisk, recordsFrom } from './log-files'
import type { LogEnd } from './log-files'

type Channel = OutputChunk['channel']

/**
 * Characters in one record at most. A window that reads no more has at most 32 of them waiting (the credits of a
 * stream): half a megabyte, or one of wide characters.
 */
const CHUNK = 16_384

/** Characters that are written at once, without waiting for more. */
const FLUSH = 65_536

/** What comes sooner after a record waits this long for more, so that a talkative script gives few and large ones. */
const BATCH_MS = 16

/**
 * The log of one run: records of both channels in the order they came, on disk. The first half of the limit is kept
 * as the head in `<id>.log`; after it come parts `<id>.<n>.log` of a quarter each, of which the last two are kept.
 */
export interface OutputLog {
  /** `bytes` is how much of the script's own output the text stands for; left out: its length in UTF-8. */
  append(channel: Channel, text: string, bytes?: number): void
  /** Writes what is held and wakes readers. */
  flush(): void
  /** Nothing more comes: readers end. */
  close(): void
  /** Something in the middle was dropped, or the disk took no more. */
  truncated(): boolean
  readonly live: LiveLog
}

/** What a reader must know of a log that still grows. */
export interface LiveLog {
  ended(): boolean
  /** The disk took no more: what comes from then on is not kept. */
  lost(): boolean
  /** Numbers of the parts that exist, in order. */
  parts(): number[]
  /** Resolves at the next flush, at the end or when `signal` aborts. */
  next(signal: AbortSignal): Promise<void>
}

export interface LogOptions {
  folder: string
  runId: string
  /** Bytes kept at most. */
  keep: number
  /** The disk takes no more: called once. The run goes on without a log. */
  onError: (error: unknown) => void
  /** Where an earlier process left off; left out: the log is new. */
  after?: LogEnd
}

export function createOutputLog(options: LogOptions): OutputLog {
  const store = createStore(options)
  const waiting = new Set<() => void>()
  const held: { channel: Channel; text: string; bytes: number }[] = []
  let timer: NodeJS.Timeout | undefined
  let ended = false
  const wake = () => {
    for (const resume of waiting) resume()
    waiting.clear()
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (held.length === 0) return
    for (const piece of held.splice(0)) store.write(piece)
    wake()
    // What comes after a silence is shown at once.
    if (!ended) timer = setTimeout(flush, BATCH_MS)
  }
  return {
    append(channel, text, bytes = Buffer.byteLength(text)) {
      const last = held.at(-1)
      if (last?.channel === channel) {
        last.text += text
        last.bytes += bytes
      } else if (text !== '' || bytes > 0) held.push({ channel, text, bytes })
      if (held.length === 0) return
      if (timer === undefined || (held.at(-1)?.text.length ?? 0) >= FLUSH) flush()
    },
    flush,
    close() {
      ended = true
      flush()
      store.close()
      wake()
    },
    truncated: store.truncated,
    live: {
      ended: () => ended,
      lost: store.lost,
      parts: store.parts,
      next: (signal) =>
        new Promise((resolve) => {
          const resume = () => {
            signal.removeEventListener('abort', resume)
            waiting.delete(resume)
            resolve()
          }
          if (ended || signal.aborted) return resolve()
          waiting.add(resume)
          signal.addEventListener('abort', resume)
        }),
    },
  }
}

/**
 * The kept output from a character offset on, then what comes. Where the middle was dropped the offset jumps. A slow
 * reader costs nothing but its place in the file: it never holds up the script.
 */
export async function* readOutput(
  source: { folder: string; runId: string; live: LiveLog | null },
  from: number,
  signal: AbortSignal,
): AsyncGenerator<OutputChunk, void, undefined> {
  const parts = source.live?.parts ?? (() => partsOnDisk(source.folder, source.runId))
  const place = { part: 0, position: 0 }
  let offset = from
  while (!signal.aborted) {
    const ended = source.live?.ended() ?? true
    for (const chunk of freshRecords(source, parts, place)) {
      const skip = Math.max(0, offset - chunk.offset)
      if (skip >= chunk.data.length) continue
      offset = chunk.offset + chunk.data.length
      yield { ...chunk, offset: chunk.offset + skip, data: chunk.data.slice(skip) }
      if (signal.aborted) return
    }
    if (ended) return
    await source.live?.next(signal)
  }
}

/** Records behind `place`, which moves along; parts that begin meanwhile are read too. */
function* freshRecords(
  { folder, runId }: { folder: string; runId: string },
  parts: () => number[],
  place: { part: number; position: number },
): Generator<OutputChunk> {
  for (;;) {
    for (const { record, end } of recordsFrom(logFile(folder, runId, place.part), place.position)) {
      place.position = end
      yield { offset: record.offset, channel: record.channel, data: record.data }
    }
    const next = parts().find((part) => part > place.part)
    if (next === undefined) return
    place.part = next
    place.position = 0
  }
}

const NEW: LogEnd = { parts: [0], partBytes: 0, offset: 0, bytes: [0, 0], dropped: false, torn: false }

function createStore({ folder, runId, keep, onError, after = NEW }: LogOptions) {
  const tail = after.parts.filter((number) => number > 0)
  let part = tail.at(-1) ?? 0
  let file = openSync(logFile(folder, runId, part), 'a', 0o600)
  let room = (part === 0 ? keep / 2 : keep / 4) - after.partBytes
  let { offset, dropped } = after
  let broken = false
  const bytes = { out: after.bytes[0], err: after.bytes[1] }

  const nextPart = () => {
    const opened = openSync(logFile(folder, runId, part + 1), 'a', 0o600)
    closeSync(file)
    file = opened
    part += 1
    tail.push(part)
    const old = tail.length > 2 ? tail.shift() : undefined
    if (old !== undefined) {
      dropped = true
      rmSync(logFile(folder, runId, old), { force: true })
    }
    room = keep / 4
  }
  const writeLine = (line: Buffer) => {
    faultPoint('log.before-write')
    for (let done = 0; done < line.length; done += writeSync(file, line, done));
  }
  const record = (channel: Channel, data: string) => {
    if (room <= 0) nextPart()
    writeLine(Buffer.from(`${JSON.stringify({ offset, channel, data, bytes: [bytes.out, bytes.err] })}\n`))
    room -= Buffer.byteLength(data)
  }
  const attempt = (action: () => void) => {
    try {
      if (!broken) action()
    } catch (error) {
      broken = true
      onError(error)
    }
  }
  if (after.torn) attempt(() => writeLine(Buffer.from('\n')))
  return {
    write({ channel, text, bytes: all }: { channel: Channel; text: string; bytes: number }) {
      const total = bytes[channel] + all
      const cut = pieces(text)
      for (const [index, data] of cut.entries()) {
        const isLast = index === cut.length - 1
        bytes[channel] = isLast ? total : Math.min(total, bytes[channel] + Buffer.byteLength(data))
        attempt(() => record(channel, data))
        offset += data.length
      }
    },
    parts: () => [0, ...tail],
    truncated: () => dropped || broken,
    lost: () => broken,
    close: () => closeSync(file),
  }
}

/** Cuts between characters, never inside a surrogate pair. */
function pieces(text: string): string[] {
  if (text === '') return ['']
  const all: string[] = []
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + CHUNK)
    const last = text.charCodeAt(end - 1)
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end -= 1
    all.push(text.slice(at, end))
    at = end
  }
  return all
}

import { closeSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { OutputChunk } from '@shared/domain/approval'

type Channel = OutputChunk['channel']

/** Characters in one record at most. */
const CHUNK = 65_536

/** A record holds text for this long, so that a talkative script gives few and large ones. */
const BATCH_MS = 16

/**
 * The log of one run: records of both channels in the order they came, on disk. The first half of the limit is kept
 * as the head in `<id>.log`; after it come parts `<id>.<n>.log` of a quarter each, of which the last two are kept.
 */
export interface OutputLog {
  append(channel: Channel, text: string): void
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
}

export function createOutputLog(options: LogOptions): OutputLog {
  const store = createStore(options)
  const waiting = new Set<() => void>()
  const held: { channel: Channel; text: string }[] = []
  let timer: NodeJS.Timeout | undefined
  let ended = false
  const wake = () => {
    for (const resume of waiting) resume()
    waiting.clear()
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    for (const { channel, text } of held.splice(0)) store.write(channel, text)
    wake()
  }
  return {
    append(channel, text) {
      if (text === '') return
      const last = held.at(-1)
      if (last?.channel === channel) last.text += text
      else held.push({ channel, text })
      if ((held.at(-1)?.text.length ?? 0) >= CHUNK) flush()
      else timer ??= setTimeout(flush, BATCH_MS)
    },
    flush,
    close() {
      flush()
      ended = true
      store.close()
      wake()
    },
    truncated: store.truncated,
    live: {
      ended: () => ended,
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
    for (const { chunk, end } of recordsFrom(logFile(folder, runId, place.part), place.position)) {
      place.position = end
      yield chunk
    }
    const next = parts().find((part) => part > place.part)
    if (next === undefined) return
    place.part = next
    place.position = 0
  }
}

function createStore({ folder, runId, keep, onError }: LogOptions) {
  const tail: number[] = []
  let part = 0
  let file = openSync(logFile(folder, runId, 0), 'a', 0o600)
  let room = keep / 2
  let offset = 0
  let dropped = false
  let broken = false

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
  const record = (channel: Channel, data: string) => {
    if (room <= 0) nextPart()
    const line = Buffer.from(`${JSON.stringify({ offset, channel, data })}\n`)
    for (let done = 0; done < line.length; done += writeSync(file, line, done));
    room -= Buffer.byteLength(data)
  }
  return {
    write(channel: Channel, text: string) {
      for (const data of pieces(text)) {
        try {
          if (!broken) record(channel, data)
        } catch (error) {
          broken = true
          onError(error)
        }
        offset += data.length
      }
    },
    parts: () => [0, ...tail],
    truncated: () => dropped || broken,
    close: () => closeSync(file),
  }
}

/** Cuts between characters, never inside a surrogate pair. */
function pieces(text: string): string[] {
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

function logFile(folder: string, runId: string, part: number): string {
  return join(folder, part === 0 ? `${runId}.log` : `${runId}.${part}.log`)
}

function partsOnDisk(folder: string, runId: string): number[] {
  const found = readdirSync(folder).flatMap((name) => {
    if (name === `${runId}.log`) return [0]
    const number = name.startsWith(`${runId}.`) ? /^\.(\d+)\.log$/.exec(name.slice(runId.length)) : null
    return number ? [Number(number[1])] : []
  })
  return found.sort((a, b) => a - b)
}

const READ_BYTES = 262_144

/** Whole records from a byte position on, each with the position behind it. A torn last line is left. */
function* recordsFrom(path: string, start: number): Generator<{ chunk: OutputChunk; end: number }> {
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
        const parsed = OutputChunk.safeParse(tryJson(rest.toString('utf8', 0, line)))
        rest = rest.subarray(line + 1)
        if (parsed.success) yield { chunk: parsed.data, end: position }
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

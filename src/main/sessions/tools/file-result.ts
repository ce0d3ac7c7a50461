import { z } from 'zod'
import type { Envelope } from '@shared/domain/session'
import { wellFormed } from '../../lib/well-formed'
import { failed, succeeded } from '../turn/envelope'

export const MAX_LINES = 1000
const MAX_TEXT = 1_000_000
const MAX_BINARY = 256_000
const MAX_CALL = 16_000

/** Where a text is read on, for the schemas of the tools that read. */
export const READ_ON = {
  offset: z.number().int().min(1).describe('First line, from 1.'),
  char_offset: z
    .number()
    .int()
    .min(0)
    .describe('Characters of the first line to leave out, where an earlier answer says that it goes on.'),
}

/** Which part of a text is read. */
export const RANGE = {
  offset: READ_ON.offset.default(1),
  limit: z.number().int().min(1).max(MAX_LINES).default(MAX_LINES).describe('Number of lines.'),
  char_offset: READ_ON.char_offset.default(0),
}

/** Lines from 1; `char_offset` in UTF-16 units of the first one. */
interface Range {
  offset: number
  limit: number
  char_offset: number
}

/** UTF-8 without a NUL. */
export function isText(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false // not UTF-8: sent as bytes
  }
}

/** Lines of a text file, as the tools that read give them: at most 16 kB a call, with how much there is; none begins past the end. */
export function textResult(path: string, bytes: Uint8Array, range: Range): Envelope {
  if (bytes.length > MAX_TEXT) {
    return failed(
      'too_large',
      `"${path}" has ${bytes.length} bytes; text over 1 MB is not read. Run a script on it instead.`,
    )
  }
  const lines = new TextDecoder().decode(bytes).split('\n')
  if (lines.at(-1) === '') lines.pop()
  const first = range.offset
  if (first > Math.max(lines.length, 1)) {
    return failed('bad_input', `"${path}" ends with line ${lines.length}; "offset" is ${first}.`)
  }
  const [head = '', ...others] = lines.slice(first - 1, first - 1 + range.limit)
  const from = range.char_offset
  if (from > head.length) {
    const message = `Line ${first} of "${path}" has ${head.length} characters; "char_offset" is ${from}.`
    return failed('bad_input', message)
  }
  const rest = wellFormed(head.slice(from))
  const size = { total_lines: lines.length, size: bytes.length }
  if (Buffer.byteLength(rest) > MAX_CALL) {
    const part = cutBytes(rest)
    const next = from + part.length
    const hint = `… (this line is longer than 16 kB: it goes on at offset ${first}, char_offset ${next})`
    const content = `${part}\n${hint}`
    return succeeded({ path, content, from_line: first, to_line: first, ...size, next_char_offset: next })
  }
  const { text, count } = takeLines(lines.length === 0 ? [] : [rest, ...others])
  return succeeded({
    path,
    content: text,
    from_line: first,
    to_line: first + Math.max(count, 1) - 1,
    ...size,
  })
}

/** Whole lines up to the limit of a call, the first one in any case. */
function takeLines(lines: readonly string[]): { text: string; count: number } {
  const taken: string[] = []
  let bytes = 0
  for (const line of lines) {
    const size = Buffer.byteLength(line) + 1
    if (taken.length > 0 && bytes + size > MAX_CALL) break
    taken.push(line)
    bytes += size
  }
  return { text: taken.map((line) => `${line}\n`).join(''), count: taken.length }
}

/** As much as one call gives, without a part of a character at the end. */
function cutBytes(text: string): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return decoder.decode(Buffer.from(text).subarray(0, MAX_CALL), { stream: true })
}

/** A file that is not text: its type and size, and its bytes up to 256 kB. */
export function binaryResult(path: string, bytes: Uint8Array): Envelope {
  const media_type = mediaType(path)
  if (bytes.length > MAX_BINARY) return succeeded({ path, media_type, size: bytes.length })
  const content = Buffer.from(bytes).toString('base64')
  return succeeded({ path, media_type, encoding: 'base64', content, size: bytes.length })
}

const MEDIA: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  zip: 'application/zip',
}

/** By the ending of the name. */
export function mediaType(path: string): string {
  return MEDIA[path.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
}

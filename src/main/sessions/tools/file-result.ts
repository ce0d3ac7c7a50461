import type { Envelope } from '@shared/domain/session'
import { failed, succeeded } from '../turn/envelope'

export const MAX_LINES = 1000
const MAX_TEXT = 1_000_000
const MAX_BINARY = 256_000
const MAX_CALL = 16_000

/** Lines from 1. */
interface Range {
  offset: number
  limit: number
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
  const content = takeLines(lines.slice(first - 1, first - 1 + range.limit))
  return succeeded({
    path,
    content: content.text,
    from_line: first,
    to_line: first + Math.max(content.count, 1) - 1,
    total_lines: lines.length,
    size: bytes.length,
  })
}

/** Whole lines up to the limit of a call; one line that is longer by itself is cut, and says so. */
function takeLines(lines: readonly string[]): { text: string; count: number } {
  const taken: string[] = []
  let bytes = 0
  for (const line of lines) {
    const size = Buffer.byteLength(line) + 1
    if (taken.length > 0 && bytes + size > MAX_CALL) break
    taken.push(line)
    bytes += size
  }
  const text = taken.map((line) => `${line}\n`).join('')
  const isCut = bytes > MAX_CALL + 1
  return {
    text: isCut ? `${cutBytes(text)}\n… (this line is longer than 16 kB)` : text,
    count: taken.length,
  }
}

/** As much as one call gives, without a part of a character at the end. */
function cutBytes(text: string): string {
  return new TextDecoder().decode(Buffer.from(text).subarray(0, MAX_CALL), { stream: true })
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

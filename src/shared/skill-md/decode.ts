import type { Diagnostic } from '../domain/skill'
import { problem } from './problem'

/** Bytes of SKILL.md that are read (`format.md` 5, rule 5). */
export const MAX_SKILL_MD = 1_048_576

/** The text of a file; empty with the reason when there is none to use. */
export interface Decoded {
  text: string
  problem: Diagnostic | null
}

/**
 * The text of a SKILL.md. Refused, each with what to do: more than 1 MB, nothing at all, UTF-16, binary content, and
 * bytes that are not UTF-8. A byte order mark is kept: `parseSkillMd` skips it.
 */
export function decodeSkillMd(bytes: Uint8Array): Decoded {
  if (bytes.length > MAX_SKILL_MD) return refused(skillMdTooLarge())
  if (bytes.length === 0) return refused(emptySkillMd())
  if (isUtf16(bytes)) {
    return refused(
      problem('error', 'not-utf8', 'SKILL.md is saved as UTF-16.', {
        line: 1,
        fix: 'Save it again as UTF-8.',
      }),
    )
  }
  if (bytes.includes(0)) {
    return refused(
      problem('error', 'binary', 'SKILL.md is not text: it holds binary data.', {
        fix: 'Replace it with a text file that starts with frontmatter.',
      }),
    )
  }
  return decodeUtf8(bytes)
}

export function skillMdTooLarge(): Diagnostic {
  return problem('error', 'too-large', 'SKILL.md is larger than 1 MB, so it is not read.', {
    fix: 'Move most of its text into files under references/.',
  })
}

export function emptySkillMd(): Diagnostic {
  return problem('error', 'empty', 'SKILL.md is empty.', {
    line: 1,
    fix: 'Write frontmatter with "name" and "description", then the instructions.',
  })
}

function decodeUtf8(bytes: Uint8Array): Decoded {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), problem: null }
  } catch {
    // The decoder does not say where; the readable part tells the line.
    const readable = new TextDecoder('utf-8').decode(bytes).split('\uFFFD', 1)[0]!
    const line = readable.split('\n').length
    return refused(
      problem('error', 'not-utf8', 'SKILL.md holds bytes that are not UTF-8.', {
        line,
        fix: 'Save it again as UTF-8.',
      }),
    )
  }
}

/** By its byte order mark, or by a zero in every second of the first bytes, as Latin text has it. */
function isUtf16(bytes: Uint8Array): boolean {
  const [a, b] = bytes
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return true
  const head = bytes.subarray(0, 64 - (64 % 2))
  if (head.length < 4) return false
  const zero = (odd: number) => head.every((byte, at) => at % 2 !== odd || byte === 0)
  const text = (odd: number) => head.every((byte, at) => at % 2 !== odd || byte !== 0)
  return (zero(1) && text(0)) || (zero(0) && text(1))
}

function refused(reason: Diagnostic): Decoded {
  return { text: '', problem: reason }
}

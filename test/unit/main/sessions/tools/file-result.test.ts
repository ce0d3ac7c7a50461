import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { textResult } from '../../../../../src/main/sessions/tools/file-result'

const CUT = /\n… \(this line is longer than 16 kB: it goes on at offset \d+, char_offset \d+\)$/

interface Part {
  content: string
  to_line: number
  total_lines: number
  next_char_offset?: number
}

/** What somebody gets who reads on from where each answer says. */
function readWhole(bytes: Uint8Array): string {
  let text = ''
  for (let place = { offset: 1, char_offset: 0 }; ;) {
    const { result } = textResult('a', bytes, { ...place, limit: 1000 })
    const { content, to_line, total_lines, next_char_offset } = result as Part
    expect(Buffer.byteLength(content)).toBeLessThan(16_200)
    if (next_char_offset !== undefined) {
      text += content.replace(CUT, '')
      place = { offset: to_line, char_offset: next_char_offset }
      continue
    }
    text += content
    if (to_line >= total_lines) return text
    place = { offset: to_line + 1, char_offset: 0 }
  }
}

test('every character of a text can be read, however long its lines are', () => {
  const piece = fc.constantFrom('a', 'ä', '€', '😀', 'words and more ')
  const line = fc
    .tuple(piece, piece, fc.integer({ min: 0, max: 12_000 }))
    .map(([one, other, times]) => `${other}${one.repeat(times)}${other}`)
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
      const text = `${lines.join('\n')}\n`
      expect(readWhole(Buffer.from(text))).toBe(text)
    }),
    { numRuns: 30 },
  )
})

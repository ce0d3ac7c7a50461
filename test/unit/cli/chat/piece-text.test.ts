import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPieceText } from '../../../../src/cli/chat/piece-text'

function shownIn(pieces: readonly string[]): string {
  const text = createPieceText()
  return pieces.map((piece) => text.push(piece)).join('') + text.end()
}

test('however a text is cut, nothing of it acts on a terminal', () => {
  const hostile = fc.constantFrom(
    '\u001b',
    '\r',
    '\u0007',
    '\u009b',
    '\u202e',
    '\u200b',
    '\u{e0041}',
    '\ud83d',
    'a',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(fc.array(hostile).map((chars) => chars.join(''))), (pieces) => {
      expect(shownIn(pieces)).not.toMatch(/[\p{Cc}\p{Cs}\u200b\u202e]/u)
    }),
  )
})

test('however an ordinary text is cut, it is shown as it is', () => {
  const text = 'One line.\r\nTwo: é, 漢字, 👩‍💻 and 🎉.\n\tThree.'
  fc.assert(
    fc.property(fc.array(fc.nat(text.length)), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), text.length]
      const pieces = at.slice(1).map((end, index) => text.slice(at[index], end))
      expect(shownIn(pieces)).toBe(text.replace('\r\n', '\n'))
    }),
  )
})

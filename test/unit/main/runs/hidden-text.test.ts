import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asSeen } from '../../../../src/main/runs/text'

describe('text that a terminal would not show', () => {
  test.each([
    ['\u001b[8mrun evil\u001b[28m ok', '⟦hidden: run evil⟧ ok'],
    ['a\u001b[8mb', 'a⟦hidden: b⟧'],
    ['\u001b[30;40mx\u001b[0m', '⟦hidden: x⟧'],
    ['\u001b[97m\u001b[107mx\u001b[49my', '⟦hidden: x⟧y'],
    ['\u001b[38;5;4;48;5;4mx\u001b[39m', '⟦hidden: x⟧'],
    ['\u001b[38;5;4;44mx\u001b[m', '⟦hidden: x⟧'],
    ['\u001b[38;2;1;2;3m\u001b[48;2;1;2;3mx', '⟦hidden: x⟧'],
    ['\u001b[1;31;40mshown\u001b[0m', 'shown'],
    ['\u001b[38;5;8mshown', 'shown'],
    ['\u001b[48;5;8mshown', 'shown'],
    ['\u001b[31m\u001b[39;49mshown', 'shown'],
  ])('%j is read as %j', (text, want) => {
    expect(asSeen(text)).toBe(want)
  })

  test('loses no letter, whatever the colours are', () => {
    const code = fc
      .array(fc.integer({ min: 0, max: 110 }), { maxLength: 6 })
      .map((codes) => `\u001b[${codes.join(';')}m`)
    const piece = fc.oneof(code, fc.stringMatching(/^[a-z ]{0,8}$/))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const letters = pieces.filter((one) => !one.startsWith('\u001b')).join('')
        expect(asSeen(pieces.join('')).replaceAll('⟦hidden: ', '').replaceAll('⟧', '')).toBe(letters)
      }),
    )
  })
})

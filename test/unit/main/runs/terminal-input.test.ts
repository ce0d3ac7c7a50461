import { describe, expect, test } from 'vitest'
import { filterKeys } from '../../../../src/main/runs/terminal-input'

describe('keys for a script', () => {
  test.each([
    ['a cursor report', '\x1b[12;40R'],
    ['device attributes', '\x1b[?62;c'],
    ['secondary device attributes', '\x1b[>0;276;0c'],
    ['a mode report', '\x1b[?2026;2$y'],
    ['a status report', '\x1b[0n'],
    ['a setting report', '\x1bP1$r0m\x1b\\'],
    ['a colour report', '\x1b]11;rgb:0000/0000/0000\x07'],
    ['focus', '\x1b[I\x1b[O'],
    ['the mouse', '\x1b[<0;10;10M'],
    ['a size report', '\x1b[8;30;120t'],
    ['the end of a paste', '\x1b[201~'],
    ['keys that would end the sandbox', '\x1a\x1c'],
  ])('%s is dropped', (_what, data) => {
    expect(filterKeys(`a${data}b`)).toEqual({ interrupt: false, text: 'ab' })
  })

  test('Ctrl-C becomes an interrupt', () => {
    expect(filterKeys('a\x03')).toEqual({ interrupt: true, text: 'a' })
  })

  test.each(['yes\r', '\x1b[A', '\x1b[1;5C', '\x1bOP', '\t', '\x7f', 'é😀'])('the keys %j pass', (data) => {
    expect(filterKeys(data).text).toBe(data)
  })
})

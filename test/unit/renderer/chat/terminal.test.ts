import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyCodes, scan } from '../../../../src/renderer/chat/terminal/ansi'
import { createScreen, MAX_LINES } from '../../../../src/renderer/chat/terminal/screen'

function textOf(...chunks: string[]): string {
  const screen = createScreen()
  for (const chunk of chunks) screen.write('out', chunk)
  return screen.text()
}

const anyOutput = fc
  .array(fc.oneof(fc.nat(0xff_ff), fc.nat(0x7f), fc.constantFrom(0x1b, 0x5b, 0x5d, 0x07, 0x08)), {
    maxLength: 200,
  })
  .map((codes) => String.fromCharCode(...codes))

describe('screen', () => {
  test.each([
    ['lines', ['a\nb\n'], 'a\nb'],
    ['lines of a terminal', ['a\r\nb'], 'a\nb'],
    ['a progress line that is written over', ['10 %\r20 %\r100 %\n'], '100 %'],
    ['a shorter text over a longer one', ['abcdef\rxy'], 'xycdef'],
    ['erase to the end of the line', ['abcdef\rxy\u001b[K'], 'xy'],
    ['backspace', ['abc\b\bX'], 'aXc'],
    ['tab stops', ['a\tb'], 'a       b'],
    ['cursor up, as several progress bars use it', ['one\ntwo\n\u001b[2AONE\n'], 'ONE\ntwo'],
    ['cursor to a column', ['abc\u001b[6Gd'], 'abc  d'],
    ['colours are not text', ['\u001b[1;31mred\u001b[0m'], 'red'],
    ['a title is dropped', ['\u001b]0;title\u0007x'], 'x'],
    ['a sequence cut in two', ['a\u001b[3', '1mb'], 'ab'],
  ])('%s', (_name, chunks, expected) => expect(textOf(...chunks)).toBe(expected))

  test('output of stderr never shares a line with stdout', () => {
    const screen = createScreen()
    screen.write('out', 'working')
    screen.write('err', 'warning\n')
    screen.write('out', 'done')
    expect(
      screen.lines().map((line) => [line.channel, line.spans.map((span) => span.text).join('')]),
    ).toEqual([
      ['out', 'working'],
      ['err', 'warning'],
      ['out', 'done'],
    ])
  })

  test('only the last lines are kept, numbered from the start of the run', () => {
    const screen = createScreen()
    screen.write('out', 'x\n'.repeat(MAX_LINES + 10))
    expect(screen.lines().length).toBeLessThanOrEqual(MAX_LINES)
    expect(screen.count()).toBe(MAX_LINES + 10)
    expect(screen.lines().at(-1)?.n).toBe(MAX_LINES + 10)
  })

  test('a line without an end is broken, not grown for ever', () => {
    const screen = createScreen()
    screen.write('out', 'x'.repeat(20_000))
    expect(screen.lines().length).toBe(5)
    expect(screen.text().replaceAll('\n', '')).toHaveLength(20_000)
  })

  test('a line that did not change stays the same object', () => {
    const screen = createScreen()
    screen.write('out', 'a\nb')
    const [first] = screen.lines()
    screen.write('out', 'c')
    expect(screen.lines()[0]).toBe(first)
  })

  test('colours run on over lines and chunks until they are reset', () => {
    const screen = createScreen()
    screen.write('out', '\u001b[32mgreen\n')
    screen.write('out', 'still\u001b[0m not')
    const styles = screen.lines().flatMap((line) => line.spans.map((span) => [span.text, span.style.color]))
    expect(styles).toEqual([
      ['green', 'green'],
      ['still', 'green'],
      [' not', undefined],
    ])
  })

  test('how the output is cut into chunks makes no difference', () => {
    const token = fc.constantFrom(
      'abc',
      '\n',
      '\r',
      '\b',
      '\t',
      '\u001b[31m',
      '\u001b[0m',
      '\u001b[K',
      '\u001b[1A',
      '\u001b]0;t\u0007',
      'é',
    )
    fc.assert(
      fc.property(
        fc.array(token, { maxLength: 25 }),
        fc.array(fc.nat(40), { maxLength: 6 }),
        (tokens, cuts) => {
          const all = tokens.join('')
          const at = [...new Set(cuts.map((cut) => Math.min(cut, all.length)))].sort((a, b) => a - b)
          const chunks = [0, ...at].map((from, i) => all.slice(from, at[i] ?? all.length))
          expect(textOf(...chunks)).toBe(textOf(all))
        },
      ),
      { numRuns: 500 },
    )
  })

  test('no bytes can break it, and no escape reaches the lines', () => {
    fc.assert(
      fc.property(anyOutput, (data) => {
        const text = textOf(data)
        for (const control of ['\u001b', '\u0007', '\b']) expect(text).not.toContain(control)
      }),
    )
  })
})

describe('scan', () => {
  test('a question to the terminal is dropped: nothing could answer it', () => {
    expect(scan('\u001b[6n\u001b[c\u001b[>0q').pieces).toEqual([])
  })

  test('an endless sequence does not hold text back', () => {
    expect(scan(`\u001b]${'x'.repeat(5000)}`).rest).toBe('')
  })
})

describe('applyCodes', () => {
  test.each([
    [[31], { color: 'red' }],
    [[1, 92], { bold: true, color: 'green' }],
    [[90], { color: 'gray' }],
    [[38, 5, 9], { color: 'red' }],
    [[38, 5, 46], { color: 'green' }],
    [[38, 2, 0, 0, 255], { color: 'blue' }],
    [[48, 5, 9], {}],
    [[48, 2, 1, 2, 3, 4], { underline: true }],
    [[1, 22], {}],
    [[31, 39], {}],
    [[31, 0], {}],
    [[999], {}],
  ])('%o gives %o', (codes, style) => expect(applyCodes({}, codes)).toEqual(style))
})

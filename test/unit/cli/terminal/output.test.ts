import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '@shared/errors'
import { failureOf } from '../../../../src/cli/terminal/failure'
import { envelopeLine, safeJson } from '../../../../src/cli/terminal/json'
import { cellWidth, cutTo, shown, shownLines, styleFor, wrapped } from '../../../../src/cli/terminal/output'
import { startProgress } from '../../../../src/cli/terminal/progress'
import { table } from '../../../../src/cli/terminal/table'

const plain = { width: Infinity, paint: (_as: unknown, text: string) => text }

interface Painted {
  isTTY: boolean
  env: Record<string, string>
  noColor?: boolean
  expected: boolean
}

test.each<[string, Painted]>([
  ['on a terminal', { isTTY: true, env: {}, expected: true }],
  ['into a file', { isTTY: false, env: {}, expected: false }],
  ['with NO_COLOR', { isTTY: true, env: { NO_COLOR: '1' }, expected: false }],
  ['with an empty NO_COLOR', { isTTY: true, env: { NO_COLOR: '' }, expected: true }],
  ['with --no-color', { isTTY: true, env: { FORCE_COLOR: '1' }, noColor: true, expected: false }],
  ['with FORCE_COLOR into a file', { isTTY: false, env: { FORCE_COLOR: '1' }, expected: true }],
  ['with both variables', { isTTY: false, env: { FORCE_COLOR: '1', NO_COLOR: '1' }, expected: true }],
  ['with FORCE_COLOR=0', { isTTY: true, env: { FORCE_COLOR: '0' }, expected: false }],
  ['on a dumb terminal', { isTTY: true, env: { TERM: 'dumb' }, expected: false }],
])('%s, colours are decided by the rules', (_name, { isTTY, env, noColor = false, expected }) => {
  const { paint } = styleFor({ write() {}, isTTY, columns: 80 }, { env }, noColor)
  expect(paint('bad', 'x') !== 'x').toBe(expected)
})

test('nothing is cut where the output is no terminal', () => {
  expect(styleFor({ write() {}, isTTY: false, columns: undefined }, { env: {} }, false).width).toBe(Infinity)
  expect(styleFor({ write() {}, isTTY: true, columns: 120 }, { env: {} }, false).width).toBe(120)
  expect(styleFor({ write() {}, isTTY: true, columns: undefined }, { env: {} }, false).width).toBe(80)
})

test('no character of any text can act on a terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      // oxlint-disable-next-line no-control-regex -- these characters are what must not be there
      const acts = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
      expect(shown(text)).not.toMatch(acts)
      expect(shownLines(text).replace(/[\n\t]/g, '')).not.toMatch(acts)
      expect(safeJson({ text }).replace(/\n/g, '')).not.toMatch(acts)
    }),
  )
})

test('JSON with hidden characters written out holds the same data', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      expect(JSON.parse(safeJson({ text }))).toEqual({ text })
    }),
  )
})

test.each<[string, number]>([
  ['abc', 3],
  ['技能', 4],
  ['café', 4],
  ['cafe\u0301', 4],
  ['🙂', 2],
  ['한글', 4],
  ['', 0],
])('%j takes %d columns', (text, width) => {
  expect(cellWidth(text)).toBe(width)
})

test('a cut text never takes more columns than it may', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.integer({ min: 1, max: 30 }),
      (text, width) => {
        const cut = cutTo(text, width)
        expect(cellWidth(cut)).toBeLessThanOrEqual(width)
        if (cellWidth(text) <= width) expect(cut).toBe(text)
        else expect(cut.endsWith('…')).toBe(true)
      },
    ),
  )
})

test('wrapped text keeps its words and its width', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 30 }), (words) => {
      const lines = wrapped(words.join(' '), 30, 4).split('\n')
      expect(lines.map((line) => line.trim()).join(' ')).toBe(words.join(' '))
      for (const [at, line] of lines.entries()) expect(line.length).toBeLessThanOrEqual(at === 0 ? 26 : 30)
    }),
  )
})

test('a table shrinks its widest columns first and fits into 80 columns', () => {
  const columns = [
    { title: 'NAME', shrinksTo: 10 },
    { title: 'N', align: 'right' as const },
    { title: 'ABOUT', shrinksTo: 10 },
  ]
  const rows = [
    [{ text: 'short' }, { text: '1,000' }, { text: 'x'.repeat(200) }],
    [{ text: 'n'.repeat(30) }, { text: '7' }, { text: 'end' }],
  ]
  const lines = table(columns, rows, { ...plain, width: 80 }).split('\n')
  expect(Math.max(...lines.map((line) => line.length))).toBe(80)
  expect(lines[2]).toContain('n'.repeat(30))
  expect(lines[1]).toContain('  1,000  ')
  expect(lines[2]).toContain('      7  end')
})

test('columns of wide characters stay in line', () => {
  const lines = table([{ title: 'A' }, { title: 'B' }], [[{ text: '技能' }, { text: 'x' }]], plain).split(
    '\n',
  )
  expect(cellWidth(lines[0]!.split('B')[0]!)).toBe(cellWidth(lines[1]!.split('x')[0]!))
})

test('the envelope has a result only with success', () => {
  const good = JSON.parse(envelopeLine({ result: [1], duration_ms: 1.4 })) as object
  expect(good).toEqual({
    success: true,
    result: [1],
    duration_ms: 1,
    tokens_used: 0,
    cost_usd: 0,
    cached: false,
    retry_count: 0,
  })
  const bad = JSON.parse(envelopeLine({ error: 'No.', error_code: 'busy', duration_ms: 0 })) as object
  expect(bad).toMatchObject({ success: false, error: 'No.', error_code: 'busy' })
  expect(bad).not.toHaveProperty('result')
})

test('progress is counted on a terminal once the work took half a second, and taken away again', () => {
  let said = ''
  let now = 0
  const stderr = { write: (text: string) => void (said += text), isTTY: true, columns: 80 }
  const progress = startProgress({ stderr }, 'Looking', () => now)
  now = 499
  progress.tick(1)
  expect(said).toBe('')
  now = 500
  progress.tick(1200)
  now = 550
  progress.tick(1300)
  expect(said).toBe('\r\u001b[KLooking… 1,200')
  progress.end()
  expect(said).toBe('\r\u001b[KLooking… 1,200\r\u001b[K')
})

test('progress says nothing where stderr is no terminal, or when the work was short', () => {
  let said = ''
  let now = 0
  for (const [isTTY, end] of [
    [false, 5000],
    [true, 400],
  ] as const) {
    const stderr = { write: (text: string) => void (said += text), isTTY, columns: 80 }
    now = 0
    const progress = startProgress({ stderr }, 'Looking', () => now)
    now = end
    progress.tick(1)
    progress.end()
  }
  expect(said).toBe('')
})

test.each<[string, unknown, number, string]>([
  ['a failure with a sentence', new AppError('not_found', 'There is none.'), 1, 'There is none.'],
  ['a folder that is not trusted', new AppError('not_trusted', 'Trust it.'), 3, 'Trust it.'],
  [
    'an error of our own',
    new TypeError('x is undefined'),
    1,
    'Satchel hit an error of its own: x is undefined',
  ],
  ['a missing package', Object.assign(new Error('no'), { code: 'ERR_MODULE_NOT_FOUND' }), 1, 'Run "npm ci"'],
  [
    'a native module of another Node',
    Object.assign(new Error('no'), { code: 'ERR_DLOPEN_FAILED' }),
    1,
    'Run "npm ci"',
  ],
  ['a full disk', Object.assign(new Error('no'), { code: 'ENOSPC' }), 1, 'The disk is full.'],
])('%s ends with a sentence and its exit code', (_name, error, exit, message) => {
  const failure = failureOf(error, '/checkout')
  expect(failure.exit).toBe(exit)
  expect(failure.message).toContain(message)
})

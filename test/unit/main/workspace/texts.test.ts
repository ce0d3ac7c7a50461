import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../../src/main/lib/hash'
import { fileChange } from '../../../../src/main/workspace/file-change'
import { globMatcher } from '../../../../src/main/workspace/glob'
import { createLineSearch } from '../../../../src/main/workspace/line-search'
import { applyEdits, decodeText, editableText, withLineEnds } from '../../../../src/main/workspace/text-file'
import { codeOf } from './ground'

const edit = (old_string: string, new_string: string, replace_all = false) => ({
  old_string,
  new_string,
  replace_all,
})

describe('applyEdits', () => {
  test('replaces a text that occurs once, and every place when asked', () => {
    expect(applyEdits('f', 'a b c', [edit('b', 'B')])).toBe('a B c')
    expect(applyEdits('f', 'b b', [edit('b', '$&', true)])).toBe('$& $&')
  })

  test('makes several edits in order, each on the result of the one before', () => {
    expect(applyEdits('f', 'one', [edit('one', 'two'), edit('two', 'three')])).toBe('three')
  })

  test.each([
    ['a text that is not there', 'abc', edit('x', 'y'), 'not_found'],
    ['a text that occurs twice', 'x x', edit('x', 'y'), 'bad_input'],
    ['a change to the same', 'x', edit('x', 'x'), 'bad_input'],
  ])('refuses %s', async (_, text, wrong, code) => {
    expect(await codeOf(() => applyEdits('f', text, [wrong]))).toBe(code)
  })

  test('keeps the line ends of a file that has only CRLF', () => {
    expect(applyEdits('f', 'a\r\nb\r\nc\r\n', [edit('a\nb', 'x\ny\nz')])).toBe('x\r\ny\r\nz\r\nc\r\n')
    expect(withLineEnds('a\r\n', 'b\nc\n')).toBe('b\r\nc\r\n')
  })

  test('leaves mixed line ends as they are', () => {
    expect(applyEdits('f', 'a\r\nb\nc', [edit('b\n', 'B\n')])).toBe('a\r\nB\nc')
  })

  test('changes nothing but the text that was meant', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (head, tail, fresh) => {
        const marker = '\u{1F9F5}marker'
        fc.pre(fresh !== marker && !`${head}${tail}`.includes(marker) && !head.includes('\r'))
        expect(applyEdits('f', head + marker + tail, [edit(marker, fresh)])).toBe(head + fresh + tail)
      }),
    )
  })
})

describe('editableText', () => {
  test.each([
    ['a byte that is no UTF-8', Buffer.from([0x61, 0xff])],
    ['a NUL', Buffer.from('a\0b')],
    ['half of a character', Buffer.from([0xe2, 0x82])],
  ])('refuses %s', async (_, bytes) => {
    expect(decodeText(bytes)).toBeNull()
    expect(await codeOf(() => editableText('f', bytes))).toBe('bad_input')
  })

  test('gives back every byte of a text, its mark at the start too', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const bytes = Buffer.from(`\ufeff${text.replaceAll('\0', '')}`)
        expect(Buffer.from(editableText('f', bytes))).toEqual(bytes)
      }),
    )
  })
})

describe('fileChange', () => {
  test('holds the changed lines with three around them, and both digests', () => {
    const before = Array.from({ length: 20 }, (_, n) => `line ${n + 1}\n`).join('')
    const change = fileChange('f', before, before.replace('line 10\n', 'ten\n'))
    expect(change).toMatchObject({ mode: 'change', before: { sha256: sha256(before) } })
    expect(change.diff.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'same line 7',
      'same line 8',
      'same line 9',
      'del line 10',
      'add ten',
      'same line 11',
      'same line 12',
      'same line 13',
    ])
  })

  test('of a new file holds all of it', () => {
    expect(fileChange('f', null, 'a\nb\n')).toMatchObject({
      mode: 'create',
      before: null,
      diff: [
        { kind: 'add', after: 1, text: 'a' },
        { kind: 'add', after: 2, text: 'b' },
      ],
    })
  })

  test('refuses what changes nothing, and what nobody could look at', async () => {
    expect(await codeOf(() => fileChange('f', 'a', 'a'))).toBe('bad_input')
    expect(await codeOf(() => fileChange('f', null, 'x\n'.repeat(6000)))).toBe('too_large')
    expect(await codeOf(() => fileChange('f', null, 'x'.repeat(200_001)))).toBe('too_large')
  })
})

describe('globMatcher', () => {
  test.each([
    ['*.md', 'a.md', true],
    ['*.md', 'x/a.md', false],
    ['**/*.md', 'a.md', true],
    ['**/*.md', 'x/y/a.md', true],
    ['src/**', 'src/a/b.ts', true],
    ['src/**/*.{js,ts}', 'src/a/b.ts', true],
    ['src/**/*.{js,ts}', 'src/a/b.py', false],
    ['./a?.t[xy]t', 'ab.txt', true],
    ['a[!b]', 'ab', false],
    ['[a-c]1', 'b1', true],
    ['{a,b{c,d}}', 'bd', true],
    ['a+b(c)', 'a+b(c)', true],
    ['*', '.hidden', true],
  ])('%j on %j: %j', (pattern, path, matches) => {
    expect(globMatcher(pattern)(path)).toBe(matches)
  })

  test('takes no time on a pattern made to take for ever', () => {
    const began = performance.now()
    expect(globMatcher(`${'*a'.repeat(60)}b`)('a'.repeat(255))).toBe(false)
    expect(globMatcher(`${'**/'.repeat(60)}b`)('a/'.repeat(1000))).toBe(false)
    expect(performance.now() - began).toBeLessThan(20_000)
  })

  test('refuses braces that stand for too many patterns', async () => {
    expect(await codeOf(() => globMatcher('{a,b}'.repeat(20)))).toBe('bad_input')
  })
})

describe('createLineSearch', () => {
  test('gives lines with their numbers, at most as many as wanted', () => {
    const search = createLineSearch('b+', false)
    expect(search.find('a\nbb\r\nc\nb', 10)).toEqual([
      { line: 2, text: 'bb' },
      { line: 4, text: 'b' },
    ])
    expect(search.find('b\nb\nb', 2)).toHaveLength(2)
  })

  test('ignores case when asked, and takes expressions that only older rules allow', () => {
    expect(createLineSearch('B', true).find('b', 1)).toHaveLength(1)
    expect(createLineSearch('a\\-b', false).find('a-b', 1)).toHaveLength(1)
  })

  test('ends an expression that takes for ever', async () => {
    expect(await codeOf(() => createLineSearch('(a+)+$', false).find(`${'a'.repeat(60)}!`, 1))).toBe(
      'too_large',
    )
  })

  test('says what is wrong with an expression', async () => {
    expect(await codeOf(() => createLineSearch('(', false))).toBe('bad_input')
  })
})

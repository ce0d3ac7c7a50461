import { expect, test } from 'vitest'
import { argvLines, quoteArg } from '../../../../src/renderer/ui/command-block'

test.each([
  ['plain', 'plain'],
  ['intake/w9-2024.pdf', 'intake/w9-2024.pdf'],
  ['two words', "'two words'"],
  ["it's", "'it'\\''s'"],
  ['', "''"],
  ['$(rm -rf ~)', "'$(rm -rf ~)'"],
  ['a\nb', "'a\nb'"],
])('%j is quoted as %j', (arg, quoted) => expect(quoteArg(arg)).toBe(quoted))

test('each flag begins a line with its values', () => {
  expect(argvLines(['python3', 'x.py', '--out', 'o', 'p', '-v'])).toEqual([
    ['python3', 'x.py'],
    ['--out', 'o', 'p'],
    ['-v'],
  ])
})

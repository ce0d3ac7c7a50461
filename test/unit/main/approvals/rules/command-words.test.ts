import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  beginsWith,
  commandWords,
  whyNoCommandRule,
} from '../../../../../src/main/approvals/rules/command-words'

describe('commandWords', () => {
  test('takes a command apart into the programs that it starts', () => {
    expect(commandWords('ls -l "a b" && wc -l x | sort')).toEqual([
      ['ls', '-l', 'a b'],
      ['wc', '-l', 'x'],
      ['sort'],
    ])
  })

  test.each([
    'echo $(touch PWN)',
    'echo `touch PWN`',
    'echo "$(touch PWN)"',
    'cat <(touch PWN)',
    'echo x > PWN',
    'echo x >| PWN',
    'echo x >> PWN',
    'cat <<E\n$(x)\nE',
    'ls () { touch PWN; }; ls',
    'echo $((a[$(touch PWN)]))',
    '${x:=$(touch PWN)}',
    'ls${IFS}x',
    "$'touch' PWN",
    '{touch,PWN}',
    'X=1 ls',
    'a[0]=1 ls',
    'LD_PRELOAD+=x ls',
    '*/evil',
    '~/evil',
    '$EDITOR x',
    'eval "touch PWN"',
    'if true; then ls; fi',
    'time ls',
    '[[ -f x ]]',
    'ls\rtouch PWN',
    'ls\u2028touch PWN',
    'ls\u00a0x',
    'ls\u202Ex',
    'ls \0',
    'ls \\',
    "ls 'x",
    'ls # x',
    '   ',
    'true;'.repeat(60),
  ])('is not certain about %j', (text) => {
    expect(commandWords(text)).toBeNull()
  })

  test('never gives words that the text does not hold', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from('ab \'"\\;|&$`>(){}\n*=#')), maxLength: 30 }),
        (text) => {
          for (const word of commandWords(text)?.flat() ?? []) {
            for (const char of word) expect(text).toContain(char)
          }
        },
      ),
    )
  })
})

test.each([
  ['git status', true],
  ['/usr/bin/git status', true],
  ['python3.12 x.py', true],
  ['ls && sudo ls', true],
  ['env -S "touch PWN"', true],
  ['npx thing', true],
  ['find . -name x', false],
  ['find . -fprintf PWN x', true],
  ['find . -delete', true],
  ['sort x', false],
  ['sort -o PWN x', true],
  ['sort -uo PWN x', true],
  ['rg --pre ./x y', true],
  ['sed "w PWN"', true],
  ['tar --checkpoint-act=exec=x', true],
  ['xargs rm', true],
  ['ls -l', false],
  ['lsof_evil', false],
])('%s can start other programs: %s', (text, isSo) => {
  expect(whyNoCommandRule(text) !== null).toBe(isSo)
})

test.each([
  ['git push', 'yes'],
  ['git push --force', 'yes'],
  ['ls; git push', 'yes'],
  ['ls\ngit push', 'yes'],
  ['true || git push', 'yes'],
  ['ls | git push', 'yes'],
  ['g\\it pu"sh"', 'yes'],
  ["'git' push", 'yes'],
  ['/usr/bin/git push', 'yes'],
  ['git -C . push', 'unsure'],
  ['git $X', 'unsure'],
  ['git pu?h', 'unsure'],
  ['sudo git push', 'unsure'],
  ['bash -c "git push"', 'unsure'],
  ['xargs git push', 'unsure'],
  ['echo $(git push)', 'unsure'],
  ['git status', 'no'],
  ['git pushy', 'no'],
  ['ls', 'no'],
] as const)('"git push" is begun by %j: %s', (text, answer) => {
  expect(beginsWith(text, ['git', 'push'])).toBe(answer)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { TERMINAL_TOKENS } from '../../../../src/renderer/chat/terminal/colors'
import { pastedText } from '../../../../src/renderer/chat/terminal/paste'

describe('the terminal of a full-screen program', () => {
  test('has each of its colours from every theme, as the emulator reads them', () => {
    const css = readFileSync(join(import.meta.dirname, '../../../../src/renderer/styles/tokens.css'), 'utf8')
    const themes = css.match(/\[data-theme='[\w-]+'\] \{[^}]+\}/g) ?? []
    expect(themes).toHaveLength(4)
    for (const theme of themes)
      for (const token of Object.values(TERMINAL_TOKENS)) {
        expect(theme, token).toMatch(new RegExp(`--${token}: #[0-9a-f]{6};`))
      }
  })

  test.each([
    ['the end of a bracketed paste', 'a\u001b[201~b', 'a[201~b'],
    ['keys', 'a\u0003\u0004\u001b[A\u009bA\u007fb', 'a[AAb'],
  ])('is not given %s by the clipboard', (_what, text, typed) => {
    expect(pastedText(text)).toEqual({ text: typed, lines: 1 })
  })

  test('gets lines as they are, with a count of them; the last is the person’s to send', () => {
    expect(pastedText('one\r\ntwo\rthree\n')).toEqual({ text: 'one\ntwo\nthree', lines: 3 })
    expect(pastedText('one\n')).toEqual({ text: 'one', lines: 1 })
    expect(pastedText('a\tb é')).toEqual({ text: 'a\tb é', lines: 1 })
  })
})

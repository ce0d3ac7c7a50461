import * as fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { reveal, revealPieces, VisibleText } from '../../../../src/renderer/ui/visible-text'

test.each([
  ['right-to-left override', 'a\u202eb', 'a⟦U+202E⟧b'],
  ['zero-width space', '\u200b', '⟦U+200B⟧'],
  ['escape', '\u001b[31m', '⟦U+001B⟧[31m'],
  ['byte order mark', '\ufeffx', '⟦U+FEFF⟧x'],
  ['tag character', '\u{e0041}', '⟦U+E0041⟧'],
  ['soft hyphen', 'pay\u00adpal', 'pay⟦U+00AD⟧pal'],
])('a %s is shown by its number', (_name, text, shown) => {
  expect(reveal(text)).toBe(shown)
})

test.each(['plain text', 'tab\tand\nnewline', 'größe', '日本語', 'emoji 🎉 \ufe0f', 'non\u00a0breaking'])(
  '%j is left as it is',
  (text) => {
    expect(reveal(text)).toBe(text)
  },
)

const anyText = fc.array(fc.nat(0x10_ff_ff)).map((points) => String.fromCodePoint(...points))

test('the visible pieces put together are the text without its hidden characters', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const hidden = revealPieces(text).filter((piece) => piece.hidden).length
      const visible = revealPieces(text)
        .filter((piece) => !piece.hidden)
        .map((piece) => piece.text)
        .join('')
      expect(Array.from(text).length - Array.from(visible).length).toBe(hidden)
    }),
  )
})

test('a hidden character is marked, and text never becomes HTML', () => {
  const html = renderToStaticMarkup(createElement(VisibleText, { text: '<b>\u202e' }))
  expect(html).toBe('&lt;b&gt;<span class="inv">⟦U+202E⟧</span>')
})

import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { KeptTerminal } from '../../../../src/renderer/chat/terminal/terminal'

const out = Array.from({ length: 20 }, (_, i) => `line ${i + 1}\n`).join('')

test('says how many lines are above those it shows', () => {
  const html = renderToStaticMarkup(createElement(KeptTerminal, { out, err: '', full: null }))
  expect(html).toContain('… 8 earlier lines')
  expect(html).toContain('Show all output')
})

test('of an excerpt it counts nothing and promises not all of it', () => {
  const html = renderToStaticMarkup(createElement(KeptTerminal, { out, err: '', full: 'Full output' }))
  expect(html).toContain('<div class="t3">… earlier lines</div>')
  expect(html).toContain('Show more')
  expect(html).not.toContain('Show all output')
})

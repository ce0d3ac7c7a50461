import * as fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { splitBlocks } from '../../../../src/renderer/ui/markdown/blocks'
import type { Blocks } from '../../../../src/renderer/ui/markdown/blocks'
import { Markdown } from '../../../../src/renderer/ui/markdown/markdown'

const anyText = fc.oneof(
  fc.array(fc.nat(0xff_ff), { maxLength: 100 }).map((codes) => String.fromCharCode(...codes)),
  fc
    .array(fc.constantFrom(...'[](){}<>!*_~`#>|-=\\\n\t :/.ab1"&'.split('')), { maxLength: 60 })
    .map((chars) => chars.join('')),
)
const html = (text: string) => renderToStaticMarkup(createElement(Markdown, { text }))

describe('drawing', () => {
  test.each([
    ['emphasis', '**a** *b* ~~c~~ `d`', '<p><strong>a</strong> <em>b</em> <s>c</s> <code>d</code></p>'],
    ['a list', '- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['a numbered list that starts later', '3. a', '<ol start="3"><li>a</li></ol>'],
    ['a quote', '> a', '<blockquote><p>a</p></blockquote>'],
    ['a rule', '---', '<hr/>'],
    ['a heading below those of the page', '# a', '<h3 class="md-h1">a</h3>'],
    [
      'a table',
      '|a|\n|-|\n|b|',
      '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>',
    ],
  ])('%s', (_name, text, expected) => expect(html(text)).toContain(expected))

  test.each(['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', 'a <b>c</b>', '<!-- x -->'])(
    '%s stays text',
    (text) => {
      const drawn = html(text)
      expect(drawn).toContain('&lt;')
      expect(drawn).not.toMatch(/<(script|img|b>|!--)/)
    },
  )

  test('a remote image is a chip with its host, and nothing is fetched', () => {
    const drawn = html('![chart](https://img.example/x.png)')
    expect(drawn).toContain('chart: image from img.example, not loaded')
    expect(drawn).not.toContain('<img')
  })

  test('a link shows the host that its text leaves out', () => {
    expect(html('[docs](https://example.org/a)')).toContain('(example.org)')
  })

  test('a link with a dangerous scheme is no link', () => {
    expect(html('[x](satchel://open/a)')).not.toContain('<a ')
    expect(html('[x](javascript:alert(1))')).not.toContain('<a ')
  })

  test('hidden characters in code are shown by number', () => {
    expect(html('```sh\nrm \u202e x\n```')).toContain('⟦U+202E⟧')
  })

  test('a block of code names its language and keeps its text', () => {
    const drawn = html('```py\nprint("<a>")\n```')
    expect(drawn).toContain('>py<')
    expect(drawn.replaceAll(/<[^>]+>/g, '')).toContain('print(&quot;&lt;a&gt;&quot;)')
  })

  test('a closed block of code is coloured, one that still arrives is not', () => {
    const text = '```python\nreturn 1\n```'
    expect(html(text)).toContain('<span class="k">return</span>')
    expect(renderToStaticMarkup(createElement(Markdown, { text, open: true }))).not.toContain('class="k"')
  })

  test('no text can break the drawing', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(html(text)).toContain('class="md"')
      }),
      { numRuns: 200 },
    )
  })
})

const piece = fc.constantFrom(
  'word ',
  '\n',
  '\n\n',
  '# title\n',
  '- item\n',
  '  - inner\n',
  '1. one\n',
  '> quote\n',
  '```\n',
  '~~~js\n',
  '    code\n',
  '| a | b |\n',
  '|---|---|\n',
  '---\n',
  '===\n',
  '\r\n',
  '<div>\n',
)

describe('splitting', () => {
  test('growing text step by step gives the same blocks as splitting it at once', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        let grown: Blocks | undefined
        let text = ''
        for (const next of pieces) {
          text += next
          grown = splitBlocks(text, grown)
        }
        expect(grown?.blocks ?? []).toEqual(splitBlocks(text).blocks)
      }),
      { numRuns: 500 },
    )
  })

  test('blocks above the last one keep their identity while text is appended', () => {
    const before = splitBlocks('one\n\ntwo\n\nthr')
    const after = splitBlocks('one\n\ntwo\n\nthree and more', before)
    expect(after.blocks[0]).toBe(before.blocks[0])
    expect(after.blocks[1]).toBe(before.blocks[1])
    expect(after.blocks[2]?.source).toBe('three and more')
  })

  test('a text that is not a continuation is split anew', () => {
    const before = splitBlocks('one\n\ntwo')
    expect(splitBlocks('other', before).blocks.map((block) => block.source)).toEqual(['other'])
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anchorsIn, githubSlug, linksIn, markdownLines, maskCode } from '@shared/skill-check/markdown'

const targets = (text: string) => linksIn(markdownLines(text)).map(({ target }) => target)

describe('links in Markdown', () => {
  it.each([
    ['a link and an image', '[a](b.md) ![c](d.png)', ['b.md', 'd.png']],
    ['a title', '[a](b.md "Title (x)")', ['b.md']],
    ['parentheses in the target', '[a](b_(c).md)', ['b_(c).md']],
    ['spaces in angle brackets', '[a](<b c.md>)', ['b c.md']],
    ['an image inside a link', '[![a](b.png)](c.md)', ['b.png', 'c.md']],
    ['a definition', 'See [a][1].\n\n[1]: b.md "Title"', ['b.md']],
    ['a footnote, which is none', '[^1]: Said so.', []],
    ['tags', '<a href="b.md">x</a> <img alt="" src=\'c.png\'>', ['b.md', 'c.png']],
    ['inline code', '`[a](b.md)` and ``[a]`(c.md)`` [d](e.md)', ['e.md']],
    ['an unclosed backtick', '` [a](b.md)', ['b.md']],
    ['fenced code', '```\n[a](b.md)\n```\n[c](d.md)', ['d.md']],
    ['a fence inside a list and a quote', '- x\n  ~~~\n  [a](b.md)\n  ~~~\n> ```\n> [c](d.md)\n> ```', []],
    ['a longer fence around a shorter one', '````\n```\n[a](b.md)\n```\n````\n[c](d.md)', ['d.md']],
    ['a comment', '<!-- [a](b.md) --> [c](d.md) <!-- [e](f.md) -->', ['d.md']],
    ['a comment over lines', 'x <!-- [a](b.md)\n[c](d.md)\n[e](f.md) --> [g](h.md)', ['h.md']],
    ['a comment that never ends', '<!-- [a](b.md)\n[c](d.md)', ['b.md', 'd.md']],
    ['a comment in code', '`<!--` [a](b.md) `-->`\n```\n<!--\n```\n[c](d.md) -->', ['b.md', 'd.md']],
    ['an open end', '[a](b.md', []],
    ['nothing at all', '[a]()', []],
  ])('finds %s', (_what, text, found) => {
    expect(targets(text)).toEqual(found)
  })

  it('gives line and column of the target', () => {
    expect(linksIn(markdownLines('x\r\n  [a](b.md)', 10))).toEqual([{ target: 'b.md', line: 11, column: 7 }])
  })
})

describe('anchors in Markdown', () => {
  it.each([
    ['Hello, World!', 'hello-world'],
    ['One & two', 'one--two'],
    ['A `code` and **bold**', 'a-code-and-bold'],
    ['[Linked](a.md) title', 'linked-title'],
    ['snake_case stays', 'snake_case-stays'],
    ['Größe und 大小', 'größe-und-大小'],
    ['1.2 Rules: the 3 of them', '12-rules-the-3-of-them'],
    ['🚀 Start', '-start'],
  ])('the heading %j has the slug %s', (heading, slug) => {
    expect(githubSlug(heading)).toBe(slug)
  })

  it('numbers repeated headings, reads both heading styles, and ids', () => {
    const text = '# A\n## A ##\nB\n===\n<div id="Own">\n\n## C {#see}\n```\n# no\n```\n#no\n'
    expect([...anchorsIn(markdownLines(text))].sort()).toEqual(['a', 'a-1', 'b', 'c', 'own', 'see'])
  })
})

describe('masking of inline code', () => {
  it('keeps the length and everything outside of code', () => {
    expect(maskCode('a `b` c ``d`e`` f `g')).toBe('a     c         f `g')
    const text = fc.string({ unit: fc.constantFrom('`', 'a', ' ', '[', '\\') })
    fc.assert(
      fc.property(text, (given) => {
        const masked = maskCode(given)
        expect(masked).toHaveLength(given.length)
        for (const [at, char] of Array.from(masked).entries()) expect([given[at], ' ']).toContain(char)
      }),
    )
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldText } from '@shared/fold-text'
import { indexable, searchTerms, shown, spacedWords } from '../../../../src/main/search/search-words'
import { readTexts } from '../../../../src/main/search/skill-texts'
import { snippetOf } from '../../../../src/main/search/snippet'

/** Any code point, halves of pairs included. */
const anyUnit = fc.nat({ max: 0x10ffff }).map((code) => String.fromCodePoint(code))

describe('folded text', () => {
  it.each([
    ['Ärger', 'arger'],
    ['ÅNGSTRÖM', 'angstrom'],
    ['İstanbul', 'istanbul'],
    ['Straße', 'straße'],
    ['ΆΛΦΑ', 'αλφα'],
    ['한국어', '한국어'],
    ['𝒜 𐐀', '𝒜 𐐨'],
  ])('%j is %j', (text, want) => {
    expect(foldText(text)).toBe(want)
  })

  it('is as long as it was, and folds no further', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyUnit }), (text) => {
        const folded = foldText(text)
        expect(folded).toHaveLength(text.length)
        expect(foldText(folded)).toBe(folded)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('words', () => {
  it('are separated by anything but letters and digits', () => {
    expect(spacedWords('PDF-forms_v2.Über/x')).toBe(' pdf forms v2 uber x')
    expect(spacedWords('***')).toBe('')
  })

  it('of a query leave out operators, and know what is excluded', () => {
    expect(searchTerms('from:project pdf-forms "Fill in" -zip tokens:>3k')).toEqual({
      terms: [
        { tokens: ['pdf', 'forms'], open: true },
        { tokens: ['fill', 'in'], open: false },
      ],
      excluded: [{ tokens: ['zip'], open: true }],
    })
  })

  it('that are stored are shown as they were', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('\u200b'))
        expect(shown(indexable(text))).toBe(text.normalize('NFC'))
      }),
    )
    expect(shown(indexable('日本語の text ภาษา'))).toBe('日本語の text ภาษา')
  })
})

describe('a snippet', () => {
  const MARKS = /[\ue000\ue001]/gu

  it('marks every find, and longer ones before shorter', () => {
    expect(snippetOf('Form and forms', ['form', 'forms'])).toBe('\ue000Form\ue001 and \ue000forms\ue001')
  })

  it('is the same wherever the first find of a long text is', () => {
    for (const before of [1, 3900, 3914, 3915, 3916, 4090, 4093, 4096, 5000]) {
      const text = `${'x '.repeat(before / 2)}Form one and forms two${' y'.repeat(3000)}`
      const snippet = snippetOf(text, ['form', 'two'])!
      expect(snippet).toContain('\ue000Form\ue001 one and \ue000form\ue001s \ue000two\ue001 y y')
      expect(snippet.endsWith(' y…')).toBe(true)
      expect(snippetOf(text, ['nothing', 'two'])).toContain('\ue000two\ue001')
    }
  })

  it('finds inside words only when that is wanted', () => {
    expect(snippetOf('A restart', ['start'])).toBeNull()
    expect(snippetOf('A restart', ['start'], { inside: true })).toBe('A re\ue000start\ue001')
    expect(snippetOf('A restart, a start', ['start'], { inside: true })).toBe(
      'A restart, a \ue000start\ue001',
    )
  })

  it('is short, on one line, and says where it was cut', () => {
    const text = `${'before it\n'.repeat(50)}walrus ${'after it\t'.repeat(50)}`
    const snippet = snippetOf(text, ['walrus'])!
    expect(snippet).toMatch(/^….*\ue000walrus\ue001 after it.*…$/u)
    expect(snippet.length).toBeLessThan(220)
    expect(snippet).not.toMatch(/[\n\t]/)
  })

  it('is a piece of its text with marks around finds, and cuts no character in two', () => {
    const unit = fc.constantFrom('walrus', ' ', '\n', 'é', '𝒜', '处', 'x', '-')
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 300 }), (parts) => {
        const text = parts.join('')
        const snippet = snippetOf(text, ['walrus'], { inside: true })
        expect(snippet === null).toBe(!text.includes('walrus'))
        if (snippet === null) return
        expect(snippet).toContain('\ue000walrus\ue001')
        const flat = text.replace(/\s+/gu, ' ')
        expect(flat).toContain(snippet.replace(MARKS, '').replace(/^…|…$/gu, ''))
        expect(Buffer.from(snippet).toString()).toBe(snippet)
      }),
      { numRuns: 500 },
    )
  })
})

describe('texts of files', () => {
  const file = (path: string, size = 10) => ({ path, real: `/real/${path}`, size })
  const read = (real: string, max: number) => Buffer.alloc(max, `${real} `)

  it('are references first, then scripts, then the rest; every name is known but that of SKILL.md', () => {
    const files = ['README.md', 'SKILL.md', 'logo.png', 'references/a.md', 'scripts/run.py'].map((path) =>
      file(path),
    )
    const { paths, texts } = readTexts(files, read)
    expect(texts.map(({ path }) => path)).toEqual(['references/a.md', 'scripts/run.py', 'README.md'])
    expect(paths).toEqual(['README.md', 'logo.png', 'references/a.md', 'scripts/run.py'])
  })

  it('stay under 64 kB in all: what would go over is left out', () => {
    const files = [file('a.md', 60_000), file('b.md', 6_000), file('c.md', 5_000), file('d.md', 0)]
    const { texts } = readTexts(files, read)
    expect(texts.map(({ path }) => path)).toEqual(['a.md', 'c.md'])
  })

  it('leave skills inside the skill, and packages, to themselves', () => {
    const files = ['SKILL.md', 'inner/SKILL.md', 'inner/a.md', 'node_modules/x/a.md', 'own.md'].map((path) =>
      file(path),
    )
    expect(readTexts(files, read).paths).toEqual(['own.md'])
  })

  it('leave out what is no text or can not be read', () => {
    const files = ['binary.md', 'gone.md', 'fine.md'].map((path) => file(path))
    const { texts, paths } = readTexts(files, (real) => {
      if (real.includes('gone')) throw new Error('gone')
      return Buffer.from(real.includes('binary') ? 'a\0b' : 'fine')
    })
    expect(texts).toEqual([{ path: 'fine.md', text: 'fine' }])
    expect(paths).toHaveLength(3)
  })
})

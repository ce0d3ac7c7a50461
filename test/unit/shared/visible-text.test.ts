import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  displayArgv,
  hiddenCharacters,
  lookAlikes,
  shellWord,
  visibleLine,
  visibleText,
} from '@shared/visible-text'

describe('visibleText', () => {
  it.each([
    ['a right-to-left override in a file name', 'invoice\u202Efdp.sh', 'invoice⟦U+202E⟧fdp.sh'],
    ['a zero-width space in a domain', 'exa\u200Bmple.com', 'exa⟦U+200B⟧mple.com'],
    ['hidden tag characters', 'ok\u{E0041}', 'ok⟦U+E0041⟧'],
    ['a variation selector payload', 'a\u{E0101}\u{E0102}', 'a⟦U+E0101⟧⟦U+E0102⟧'],
    ['a variation selector after a letter', 'a\uFE0F', 'a⟦U+FE0F⟧'],
    ['a full-width slash and dots', '．．／etc', '⟦U+FF0E ×2⟧⟦U+FF0F⟧etc'],
    ['terminal controls', '\x1b[2K\rls', '␛[2K␍ls'],
    ['a line feed and a tab in an argument', 'a\nb\tc', 'a␊b␉c'],
    ['delete and C1 controls', '\x7f\x9b31m', '␡⟦U+009B⟧31m'],
    ['a byte order mark', '\uFEFF#!', '⟦U+FEFF⟧#!'],
    ['a no-break space', 'rm\u00A0-rf', 'rm⟦U+00A0⟧-rf'],
    ['its own marks, so that they can not be faked', '⟦U+202E⟧', '⟦U+27E6⟧U+202E⟦U+27E7⟧'],
    ['a drawn control picture', '␛', '⟦U+241B⟧'],
    ['half of a surrogate pair', '\uD83Dx', '⟦U+D83D⟧x'],
    ['repeats as a count', 'a\u200B\u200B\u200Bb', 'a⟦U+200B ×3⟧b'],
  ])('reveals %s', (_name, input, shown) => {
    expect(visibleText(input)).toBe(shown)
  })

  it('cuts a tower of combining marks after the fourth', () => {
    expect(visibleText('e' + '\u0301'.repeat(10_000))).toBe('e' + '\u0301'.repeat(4) + '⟦U+0301 ×9996⟧')
  })

  it.each(['plain ASCII ~', 'größe', 'наука', '数据：表', '⚠️ careful', '👩‍💻', '1️⃣', 'می‌خواهم', 'क्‍ष'])(
    'leaves ordinary text as it is: %s',
    (text) => {
      expect(visibleText(text)).toBe(text)
    },
  )

  it('keeps the characters that the caller names', () => {
    expect(visibleText('\tx\r', '\t')).toBe('\tx␍')
  })

  it('never lets a control, bidi or zero-width character through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        expect(visibleText(text)).not.toMatch(
          /[\p{Cc}\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]/u,
        )
      }),
    )
  })

  it('gives different texts different pictures', () => {
    const tricky = fc.string({
      unit: fc.constantFrom('a', '\u202E', '⟦', '⟧', 'U+202E', '\x1b', '␛', '／'),
      maxLength: 8,
    })
    fc.assert(
      fc.property(tricky, tricky, (a, b) => {
        expect(visibleText(a) === visibleText(b)).toBe(a === b)
      }),
    )
  })
})

describe('visibleLine', () => {
  it.each([
    ['a name', 'a name'],
    ['  two\r\n\n lines ', 'two lines'],
    ['invoice\u202Efdp', 'invoice⟦U+202E⟧fdp'],
    ['\u001B[2J', '␛[2J'],
    ['', ''],
  ])('%j is shown as %j', (text, shown) => {
    expect(visibleLine(text)).toBe(shown)
  })

  it('says by a mark that something was cut, also after what hides', () => {
    expect(visibleLine('x'.repeat(11), 10)).toBe(`${'x'.repeat(10)}…`)
    expect(visibleLine('x'.repeat(10), 10)).toBe('x'.repeat(10))
    expect(visibleLine(`${'\u200B'.repeat(20)}rm`, 14)).toBe('⟦U+200B ×14⟧…')
  })

  it('is one line of bounded length with nothing hidden, whatever comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const line = visibleLine(text, 20)
        expect(line.length).toBeLessThanOrEqual(21)
        expect(line).not.toMatch(/[\r\n]/)
        expect(hiddenCharacters(line)).toEqual([])
      }),
    )
  })
})

describe('hiddenCharacters', () => {
  it('counts each code point, most frequent first', () => {
    expect(hiddenCharacters('a\u200B\u200B\u202Eb')).toEqual([
      { code: 'U+200B', count: 2 },
      { code: 'U+202E', count: 1 },
    ])
  })

  it('ignores line ends, tabs, a first byte order mark and emoji', () => {
    expect(hiddenCharacters('\uFEFF# Title\r\n\tdone ⚠️ 👩‍💻\n')).toEqual([])
  })

  it('counts a lone carriage return, which hides text in a terminal', () => {
    expect(hiddenCharacters('evil\rgood')).toEqual([{ code: 'U+000D', count: 1 }])
  })

  it('counts a byte order mark inside the text', () => {
    expect(hiddenCharacters('a\uFEFFb')).toEqual([{ code: 'U+FEFF', count: 1 }])
  })
})

describe('lookAlikes', () => {
  it.each([
    ['a Cyrillic s in sudo', 'run ѕudo now', ['ѕudo']],
    ['a Greek omicron in a name', 'gοοgle.com', ['gοοgle.com']],
    ['full-width path characters', 'cat ．．／secret', ['．．／secret']],
    ['full-width letters', 'ｓｕｄｏ x', ['ｓｕｄｏ']],
  ])('names %s', (_name, text, words) => {
    expect(lookAlikes(text)).toEqual(words)
  })

  it.each(['sudo rm', 'просто слово', 'ελληνικά', '5 μs and 3 kΩ', 'файл.txt', '数据表'])(
    'leaves %s alone',
    (text) => {
      expect(lookAlikes(text)).toEqual([])
    },
  )
})

describe('displayArgv', () => {
  it('puts the program and script first, then one flag with its value per line', () => {
    expect(
      displayArgv(['python3', 'scripts/fill.py', '--template', 'a.pdf', '--dry', '--out', 'out/w9']),
    ).toEqual([['python3', 'scripts/fill.py'], ['--template', 'a.pdf'], ['--dry'], ['--out', 'out/w9']])
  })

  it('gives each argument without a flag its own line', () => {
    expect(displayArgv(['sh', 's.sh', 'one', 'two', '--k=v', 'three'])).toEqual([
      ['sh', 's.sh'],
      ['one'],
      ['two'],
      ['--k=v'],
      ['three'],
    ])
  })

  it('keeps every argument, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 12 }), (argv) => {
        expect(displayArgv(argv).flat()).toEqual(argv.map(shellWord))
      }),
    )
  })

  it('treats a minus followed by a number as a value', () => {
    expect(displayArgv(['sh', 's.sh', '--top', '-5'])).toEqual([
      ['sh', 's.sh'],
      ['--top', '-5'],
    ])
  })
})

describe('shellWord', () => {
  it.each([
    ['plain/path-1.txt', 'plain/path-1.txt'],
    ['größe.txt', 'größe.txt'],
    ['', "''"],
    ['two words', "'two words'"],
    ["it's", String.raw`'it'\''s'`],
    ['$(id)', "'$(id)'"],
    ['a\nb', "'a␊b'"],
  ])('writes %j as %s', (arg, shown) => {
    expect(shellWord(arg)).toBe(shown)
  })
})

it('finds hidden characters exactly where visibleText shows them', () => {
  const piece = fc.constantFrom(
    'a',
    '❤',
    '\uFE0F',
    '\u200D',
    '\u200B',
    '👩',
    '\u{E0041}',
    'م',
    '\u0301',
    '\x1b',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = `x${pieces.join('')}`
      expect(hiddenCharacters(text).length > 0).toBe(visibleText(text) !== text)
    }),
  )
})

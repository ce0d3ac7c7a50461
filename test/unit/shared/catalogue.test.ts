import { assert, property, string } from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { catalogue, defineStrings } from '../../../src/shared/catalogue'
import { inPseudoLocale } from '../../../src/shared/pseudo-locale'

const page = globalThis as { satchelLocale?: string }

afterEach(() => {
  delete page.satchelLocale
})

test('texts come back as they are, and stand in the catalogue', () => {
  const words = { title: 'Skills', of: (name: string) => `Skills of ${name}` }
  expect(defineStrings('a part', words)).toBe(words)
  expect(catalogue().get('a part')).toBe(words)
})

test('where the page asks for it, texts are accented, longer and in marks', () => {
  page.satchelLocale = 'pseudo'
  expect(defineStrings('another part', { title: 'Skills', list: ['One', 'Two'] })).toEqual({
    title: '«Skíllsóóó»',
    list: ['«Óñéóó»', '«Twóóó»'],
  })
})

test('a long text gets words of its own to be longer', () => {
  expect(inPseudoLocale('Nothing was found in this folder.')).toBe(
    '«Ñóthíñg wás fóúñd íñ thís fóldér. óóóóóó óóóóóóóó»',
  )
})

test.each(['', '—', '12', ' '])('%j holds no word and stays', (text) => {
  expect(inPseudoLocale(text)).toBe(text)
})

test('room around a text stays outside of the marks', () => {
  expect(inPseudoLocale(' of ')).toBe(' «ófó» ')
})

test('numbers and null are no texts', () => {
  expect(inPseudoLocale({ most: 3, none: null })).toEqual({ most: 3, none: null })
})

test('what is put into a text keeps its bytes, from objects and lists too', () => {
  const words = inPseudoLocale({
    one: (name: string) => `Delete ${name}?`,
    fields: ({ script }: { script: string }) => `Ran ${script}`,
    several: (names: readonly string[]) => `In ${names.join(', ')}`,
  })
  expect(words.one('pdf (2)')).toBe('«Délété pdf (2)?óóóó»')
  expect(words.fields({ script: 'fill.py' })).toContain(' fill.py')
  expect(words.several(['a/b', 'a/bee'])).toContain(' a/b, a/bee')
})

test('a text inside another is marked once', () => {
  const inner = inPseudoLocale('here')
  expect(inPseudoLocale({ of: (where: string) => `Skills ${where}` }).of(inner)).toBe(`«Skílls ${inner}óóó»`)
  expect(inPseudoLocale({ of: () => `Skills ${inner}` }).of()).toBe(`«Skílls ${inner}óóó»`)
})

test('any parameter is in the text byte for byte', () => {
  const say = inPseudoLocale((name: string) => `Move “${name}” to the trash`)
  assert(
    property(string({ unit: 'grapheme', minLength: 1 }), (name) => {
      expect(say(name)).toContain(`“${name}”`)
    }),
  )
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSkillMd } from '@shared/skill-md'
import { editSkillMd } from '@shared/skill-md/edit'

const fileOf = (metadata: string) =>
  `---\nname: pdf\ndescription: d\nmetadata: ${metadata}\nlicense: MIT\n---\n`
const values = (text: string) => parseSkillMd(text, { folderName: 'pdf' }).frontmatter
const metadataOf = (text: string) => values(text)['metadata'] as Record<string, unknown>
const JSON_LINES = '{\n  "one": {"a": 1}, # first\n  "two": "x", # second\n  "three": [1,  2]\n  }'

describe('an edit of a map in braces', () => {
  const cases: [what: string, from: string, key: string, value: unknown, to: string][] = [
    ['changes one value', '{a:  1 , b: "x"}', 'metadata.a', 2, '{a:  2 , b: "x"}'],
    ['keeps the quotes of a value', "{a: 'x', b: y}", 'metadata.a', "it's", "{a: 'it''s', b: y}"],
    ['quotes texts in a map like JSON', '{"a":1,"b":2}', 'metadata.a', 'x', '{"a":"x","b":2}'],
    ['changes a list within it', '{a: [1,  2], b: 3}', 'metadata.a', [1], '{a: [1], b: 3}'],
    ['reaches maps within it', '{a: {b: [x], c: 1}, d: 2}', 'metadata.a.c', 2, '{a: {b: [x], c: 2}, d: 2}'],
    ['fills in an empty value', '{a: , b: 2}', 'metadata.a', 1, '{a: 1 , b: 2}'],
    ['fills in a key without a colon', '{a, b: 2}', 'metadata.a', 1, '{a: 1, b: 2}'],
    ['adds a key behind the last', '{a: 1, b: {c: 2 } }', 'metadata.x', 1, '{a: 1, b: {c: 2 }, x: 1 }'],
    ['adds a key in the style of JSON', '{"a":1}', 'metadata.x', ['y'], '{"a":1, "x": ["y"]}'],
    ['adds a key before a last comma', '{a: 1,}', 'metadata.x', 1, '{a: 1, x: 1,}'],
    ['adds a key to an empty map', '{}', 'metadata.x', 1, '{x: 1}'],
    ['adds a key to an empty map with a space', '{ }', 'metadata.x', 1, '{ x: 1 }'],
    ['adds a map where one is missing', '{a: {b: 1}}', 'metadata.x.y', 1, '{a: {b: 1}, x: {"y": 1}}'],
    [
      'adds a key on a line of its own',
      JSON_LINES,
      'metadata.x',
      'y',
      JSON_LINES.replace('[1,  2]', '[1,  2],\n  "x": "y"'),
    ],
    [
      'adds a key behind a comment',
      '{\n  a: 1, # one\n  }',
      'metadata.x',
      2,
      '{\n  a: 1, # one\n  x: 2,\n  }',
    ],
  ]
  it.each(cases)('%s', (...[, from, key, value, to]) => {
    expect(editSkillMd(fileOf(from), { set: { [key]: value } })).toBe(fileOf(to))
    const windows = fileOf(from).replaceAll('\n', '\r\n')
    expect(editSkillMd(windows, { set: { [key]: value } })).toBe(fileOf(to).replaceAll('\n', '\r\n'))
  })

  const removals: [what: string, from: string, key: string, to: string][] = [
    ['the first key', '{a:  1 , b: "x"}', 'metadata.a', '{b: "x"}'],
    ['a key in the middle', '{a: 1, b: 2,  c: 3}', 'metadata.b', '{a: 1, c: 3}'],
    ['the last key', '{ a:  1, b: {c: 2} }', 'metadata.b', '{ a:  1 }'],
    ['the only key', '{a: 1,}', 'metadata.a', '{}'],
    ['a key that stands there twice', '{a: 1, b: 2, a: 3}', 'metadata.a', '{b: 2}'],
    [
      'a key with its line',
      JSON_LINES,
      'metadata.two',
      '{\n  "one": {"a": 1}, # first\n  "three": [1,  2]\n  }',
    ],
    [
      'the last key with its line',
      JSON_LINES,
      'metadata.three',
      '{\n  "one": {"a": 1}, # first\n  "two": "x" # second\n  }',
    ],
  ]
  it.each(removals)('removes %s', (_what, from, key, to) => {
    expect(editSkillMd(fileOf(from), { remove: [key] })).toBe(fileOf(to))
  })
})

const scalar = fc.constantFrom('1', 'x', '"a, b"', "'it''s'", 'true', 'null', '[1,  x]', '{y:  [z]}', '"{"')
const space = fc.constantFrom('', ' ', '  ', '\n  ', ' # note, {}\n  ')
const keys = fc.uniqueArray(fc.constantFrom('a', 'b', '"c"', 'd', "'e'"), { minLength: 1, maxLength: 5 })
const braces = keys.chain((names) =>
  fc.record({
    names: fc.constant(names),
    texts: fc.array(scalar, { minLength: names.length, maxLength: names.length }),
    gaps: fc.array(fc.tuple(space, space), { minLength: names.length, maxLength: names.length }),
    comma: fc.constantFrom('', ','),
  }),
)
const wantedValue = fc.oneof(
  fc.string({ maxLength: 10 }),
  fc.integer(),
  fc.boolean(),
  fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
  fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.string({ maxLength: 5 }), { maxKeys: 2 }),
)

interface Braces {
  names: string[]
  texts: string[]
  gaps: [string, string][]
  comma: string
}

/** The file around the value of one key: before it, the value, behind it. */
function around({ names, texts, gaps, comma }: Braces, at: number): [string, string, string] {
  const items = names.map((name, index) => `${gaps[index]![0]}${name}: ${texts[index]}${gaps[index]![1]}`)
  const text = texts[at]!
  const [before, behind] = [items.slice(0, at), items.slice(at + 1)]
  const own = items[at]!
  const start = `${gaps[at]![0]}${names[at]}: `
  return [
    ['{', before.map((item) => `${item},`).join(''), start].join(''),
    text,
    [own.slice(start.length + text.length), ...behind.map((item) => `,${item}`), comma, '}'].join(''),
  ]
}

const bare = (key: string) => key.replace(/["']/g, '')
const others = (all: Record<string, unknown>, key: string) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => name !== key))

describe('any map in braces', () => {
  it('keeps every byte outside the value of the key that is set', () => {
    fc.assert(
      fc.property(braces, fc.nat(4), wantedValue, (map, index, wanted) => {
        const at = index % map.names.length
        const [before, text, behind] = around(map, at)
        const edited = editSkillMd(fileOf(before + text + behind), {
          set: { [`metadata.${bare(map.names[at]!)}`]: wanted },
        })
        const [start, end] = fileOf('\u0000').split('\u0000') as [string, string]
        expect(edited.startsWith(start + before)).toBe(true)
        expect(edited.endsWith(behind + end)).toBe(true)
        expect(metadataOf(edited)[bare(map.names[at]!)]).toEqual(wanted)
      }),
      { numRuns: 250 },
    )
  })

  it('gets a new key without losing a byte, a comment or a value', () => {
    fc.assert(
      fc.property(braces, wantedValue, (map, wanted) => {
        const text = around(map, 0).join('')
        const edited = editSkillMd(fileOf(text), { set: { 'metadata.new': wanted } })
        expect(isWithin(fileOf(text), edited)).toBe(true)
        expect(metadataOf(edited)).toEqual({ ...metadataOf(fileOf(text)), new: wanted })
      }),
      { numRuns: 250 },
    )
  })

  it('loses a key and keeps the values of all others as they are written', () => {
    fc.assert(
      fc.property(braces, fc.nat(4), (map, index) => {
        const at = index % map.names.length
        const text = fileOf(around(map, 0).join(''))
        const name = bare(map.names[at]!)
        const edited = editSkillMd(text, { remove: [`metadata.${name}`] })
        expect(metadataOf(edited)).toEqual(others(metadataOf(text), name))
        const left = map.names.flatMap((key, place) => (place === at ? [] : [`${key}: ${map.texts[place]}`]))
        expect(left.every((item) => edited.includes(item))).toBe(true)
        expect(isWithin(edited, text)).toBe(true)
      }),
      { numRuns: 250 },
    )
  })
})

/** True where all characters of the first text stand in the second, in the same order. */
function isWithin(part: string, whole: string): boolean {
  let at = -1
  return part.split('').every((char) => (at = whole.indexOf(char, at + 1)) !== -1)
}

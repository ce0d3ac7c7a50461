import { describe, expect, it } from 'vitest'
import { check } from './skill-folder'

const HIDDEN = ['hidden-characters', 'bidi-characters', 'tag-characters']
const found = (...front: string[]) =>
  check({ front })
    .filter(({ code }) => HIDDEN.includes(code))
    .map(({ code, line, message }) => ({ code, line, message }))

describe('characters written as escapes in the frontmatter', () => {
  it.each([
    [String.raw`description: "Reads \u202efdp files. Use for scans."`, 'bidi-characters', 'U+202E'],
    [String.raw`description: "Reads\u200b files. Use for scans."`, 'hidden-characters', 'U+200B'],
    [String.raw`description: "Reads \U000E0041\U000E0042 files. Use it."`, 'tag-characters', '"AB"'],
    [String.raw`description: "\uFEFFReads files. Use for scans."`, 'hidden-characters', 'U+FEFF'],
    [String.raw`license: "MI\x9bT"`, 'hidden-characters', 'U+009B'],
    [String.raw`tags: [a, "b\u200b"]`, 'hidden-characters', 'U+200B'],
    [String.raw`when_to_use: "For\u2066 it"`, 'bidi-characters', 'U+2066'],
    [String.raw`x-own: "\u200b"`, 'hidden-characters', 'U+200B'],
    [String.raw`metadata: { a: [ { "b\u200b": 1 } ] }`, 'hidden-characters', 'U+200B'],
  ])('are found in %s, with the line of the key', (line, code, told) => {
    const [only, ...others] = found(line)
    expect(others).toEqual([])
    expect(only).toMatchObject({ code, line: 3 })
    expect(only!.message).toContain(told)
  })

  it('are told for each key that has them', () => {
    const lines = found(String.raw`license: "a\u200b"`, String.raw`author: "b\u200b"`, 'version: "1\\u202e"')
    expect(lines.map(({ line }) => line)).toEqual([3, 4, 5])
  })

  it('are told once where the file has them as they are too', () => {
    expect(found('license: a\u200b', String.raw`author: "b\u200b"`)).toHaveLength(1)
  })

  it.each([
    String.raw`license: "M\tI\nT \x41 \u00e9"`,
    'license: "👩\\u200d👩"',
    String.raw`license: "\U0001F3F4\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F"`,
  ])('are no problem where they are ordinary: %s', (line) => {
    expect(found(line)).toEqual([])
  })
})

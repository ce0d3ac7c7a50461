import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '@shared/errors'
import { parseSkillMd } from '@shared/skill-md'
import { editSkillMd } from '@shared/skill-md/edit'
import type { SkillEdit } from '@shared/skill-md/edit'
import { damaged, frontmatter, REAL, slippedFrontmatter } from './frontmatters'
import { tries } from '../../../helpers/sample'

const values = (text: string) => parseSkillMd(text, { folderName: 'pdf' }).frontmatter
const value = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    'yes',
    '1.0',
    'a: b',
    '# x',
    '- x',
    'a\nb',
    'a\n',
    '\n',
    'it\'s "so"',
    'x'.repeat(200),
    '\u0085',
    '---',
  ),
  fc.boolean(),
  fc.integer(),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.constant(null),
  fc.array(fc.string({ maxLength: 10 }), { maxLength: 5 }),
  fc.dictionary(
    fc.stringMatching(/^[a-z]{1,5}$/),
    fc.oneof(
      fc.string({ maxLength: 10 }),
      fc.integer(),
      fc.array(fc.string({ maxLength: 5 }), { maxLength: 2 }),
    ),
    { maxKeys: 4 },
  ),
)
const key = fc.constantFrom(
  'name',
  'description',
  'metadata',
  'tags',
  'license',
  'x.y',
  'metadata.author',
  'a',
  'b',
)
const whole = fc
  .tuple(
    fc.oneof(frontmatter, slippedFrontmatter, damaged(REAL), fc.constantFrom(...REAL)),
    fc.constantFrom('', '\uFEFF'),
    fc.constantFrom('\n', '\n', '\r\n', '\r'),
    fc.constantFrom('Body\n', '', '\n\n# T\n\ntext  \n\n'),
  )
  .map(([yaml, mark, eol, body]) => mark + `---\n${yaml}\n---\n${body}`.replaceAll('\n', eol))

/** The edited text; null where the edit was refused. */
function attempt(text: string, changes: SkillEdit): string | null {
  try {
    return editSkillMd(text, changes)
  } catch (error) {
    expect(error).toBeInstanceOf(AppError)
    return null
  }
}

const at = (all: Record<string, unknown>, path: string): unknown => {
  if (Object.hasOwn(all, path) || !path.includes('.')) return all[path]
  const [head, rest] = path.split('.') as [string, string]
  return (all[head] as Record<string, unknown> | null | undefined)?.[rest]
}
const plain = (key: string) => key.replace(/[-_]/g, '').toLowerCase()
const headsOf = (all: Record<string, unknown>, path: string) =>
  Object.hasOwn(all, path) ? [path] : [path, path.split('.')[0]!]
const others = (all: Record<string, unknown>, heads: string[]) => {
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => !heads.some((head) => plain(head) === plain(name))),
  )
}

describe('any edit', () => {
  it('writes the value, keeps every other value, and refuses or succeeds as a whole', () => {
    let edits = 0
    fc.assert(
      fc.property(whole, key, value, (text, path, wanted) => {
        const edited = attempt(text, { set: { [path]: wanted } })
        if (edited === null) return
        edits += 1
        const [before, after] = [values(text), values(edited)]
        const found = Object.entries(after).find(([name]) => plain(name) === plain(path))
        const now = found ? found[1] : at(after, path)
        if (typeof wanted === 'string' && typeof now === 'string') {
          expect(now.replace(/\n+$/, '')).toBe(wanted.replace(/\n+$/, ''))
        } else expect(now).toEqual(Object.is(wanted, -0) ? -0 : wanted)
        const heads = headsOf(before, path)
        expect(others(after, heads)).toEqual(others(before, heads))
        expect(attempt(edited, { set: { [path]: wanted } })).toBe(edited)
      }),
      { numRuns: tries(1200) },
    )
    expect(edits).toBeGreaterThan(tries(1200) / 2)
  })

  it('leaves every byte outside one stretch as it was, and the lines of all other fields', () => {
    fc.assert(
      fc.property(whole, key, value, (text, path, wanted) => {
        const edited = attempt(text, { set: { [path]: wanted } })
        if (edited === null || edited === text) return
        let start = 0
        while (start < text.length && text[start] === edited[start]) start += 1
        let end = 0
        while (
          end < Math.min(text.length, edited.length) - start &&
          text.at(-1 - end) === edited.at(-1 - end)
        )
          end += 1
        // What is replaced holds no line of another field at the top level.
        const replaced = text.slice(start, text.length - end)
        const head = path.split('.')[0]!
        const touched = replaced
          .split(/\r\n?|\n/)
          .slice(1)
          .filter((line) => /^[a-z][\w-]*:/.test(line) && plain(line.split(':')[0]!) !== plain(head))
        expect(touched).toEqual([])
        expect(edited.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
        expect(edited.slice(edited.length - end)).toBe(text.slice(text.length - end))
      }),
      { numRuns: tries(600) },
    )
  })

  it('with all the values that stand there changes nothing', () => {
    fc.assert(
      fc.property(whole, (text) => {
        const skill = parseSkillMd(text, { folderName: 'pdf' })
        const edited = attempt(text, { set: skill.frontmatter, body: skill.body })
        if (edited !== null) expect(edited).toBe(text)
      }),
      { numRuns: tries(600) },
    )
  })

  it('that removes a field removes only that', () => {
    fc.assert(
      fc.property(whole, key, (text, path) => {
        const edited = attempt(text, { remove: [path] })
        if (edited === null) return
        const after = values(edited)
        expect(Object.keys(after).some((name) => plain(name) === plain(path))).toBe(false)
        const heads = headsOf(values(text), path)
        expect(others(after, heads)).toEqual(others(values(text), heads))
      }),
      { numRuns: tries(600) },
    )
  })

  it('of the body gives that body and keeps the frontmatter', () => {
    const body = fc.array(fc.constantFrom('# T', 'text', '', '---', '  code', '\r\n', 'x  '), {
      maxLength: 6,
    })
    fc.assert(
      fc.property(whole, body, (text, parts) => {
        const wanted = parts.join('\n')
        const edited = attempt(text, { body: wanted })
        if (edited === null) return
        const [before, after] = [text, edited].map((file) => parseSkillMd(file, { folderName: 'pdf' }))
        const shown = wanted
          .replace(/\r\n?/g, '\n')
          .replace(/^(?:\s*\n)+/, '')
          .trimEnd()
        if (Object.keys(before!.frontmatter).length > 0) expect(after!.body).toBe(shown)
        expect(after!.frontmatter).toEqual(before!.frontmatter)
      }),
      { numRuns: tries(400) },
    )
  })
})

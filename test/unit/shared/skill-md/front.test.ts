import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeSkillMd, parseSkillMd, unreadable } from '@shared/skill-md'
import { readFront } from '@shared/skill-md/front'
import { damaged, frontmatter, REAL } from './frontmatters'
import { tries } from '../../../helpers/sample'

const bytes = (text: string) => new TextEncoder().encode(text)
const options = { folderName: 'pdf', complete: true }
const file = '---\nname: pdf\ndescription: Reads.\nuser-invocable: no\npriority: 2\n---\nBody\n'

/** The same fields as the full parser reads them. */
function whole(head: Uint8Array) {
  const { text, problem } = decodeSkillMd(head)
  const skill = problem ? unreadable(problem, 'pdf') : parseSkillMd(text, { folderName: 'pdf' })
  const { name, label, description, disableModelInvocation, userInvocable, priority, broken } = skill
  return { name, label, description, disableModelInvocation, userInvocable, priority, broken }
}

describe('the first look at a SKILL.md', () => {
  it.each([
    ['a description that is a map for YAML', '---\nname: pdf\ndescription:\n  Use: always\n---\n'],
    ['a name behind "##"', '---\n## name: pdf\ndescription: Reads.\n---\n'],
  ])('leaves %s to the full parser', (_what, text) => {
    expect(readFront(bytes(text), options)).toBe('not-plain')
  })

  it('gives name, description and flags', () => {
    expect(readFront(bytes(file), options)).toEqual({
      name: 'pdf',
      label: 'pdf',
      description: 'Reads.',
      disableModelInvocation: false,
      userInvocable: false,
      priority: 2,
      broken: false,
    })
  })

  it.each([
    ['CRLF', file.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${file}`],
    ['spaces behind the fences', file.replaceAll('---', '---  ')],
    ['no end of the last line', '---\nname: pdf\ndescription: d\n---'],
    ['a scope that is a word', file.replace('priority: 2', 'scope: project')],
    ['a description over two lines', file.replace('Reads.', 'Reads\n  files.')],
    ['no description', '---\nname: pdf\n---\n'],
  ])('agrees with the full parser on %s', (_what, text) => {
    expect(readFront(bytes(text), options)).toEqual(whole(bytes(text)))
  })

  it.each([
    ['a line before the fence', `\n${file}`],
    ['an indented closing fence', '---\nname: pdf\ndescription: d\n  ---\n---\n'],
    ['a slip', '---\nname: pdf\ndescription: a: b\n---\n'],
    ['no frontmatter', '# Title\n'],
    ['no closing fence', '---\nname: pdf\ndescription: d\n'],
    ['an empty file', ''],
    ['binary content', `${file}\u0000`],
    ['limits on where it may be used', file.replace('priority: 2', 'scope:\n  agents: [a]')],
  ])('leaves %s to the full parser', (_what, text) => {
    expect(readFront(bytes(text), options)).toBe('not-plain')
  })

  it('asks for more when the frontmatter does not end in what it was given', () => {
    for (let length = 0; length < file.indexOf('\n---\nBody') + 4; length += 1) {
      expect(readFront(bytes(file).subarray(0, length), { ...options, complete: false })).toBe('need-more')
    }
    const enough = bytes(file).subarray(0, file.indexOf('Body'))
    expect(readFront(enough, { ...options, complete: false })).toMatchObject({ description: 'Reads.' })
  })

  it('a character cut in two at the end of the head does no harm', () => {
    const text = file.replace('Body', 'Größe')
    const cut = bytes(text).subarray(0, text.indexOf('ö') + 1)
    expect(readFront(cut, { ...options, complete: false })).toMatchObject({ name: 'pdf' })
  })

  it('never differs from the full parser, whatever the file is', () => {
    let plain = 0
    const yaml = fc.oneof(frontmatter, damaged(REAL), fc.constantFrom(...REAL))
    const end = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r\n', '\r')
    const fence = fc.constantFrom(
      '---',
      '---',
      '---',
      '---',
      '---',
      '---',
      '---',
      '--- ',
      ' ---',
      '---\u00a0',
      '---\r',
      '----',
      '',
    )
    const text = fc
      .tuple(fc.constantFrom('', '', '', '\uFEFF', '\n'), fence, yaml, fence, end)
      .map(([start, open, fields, close, eol]) =>
        `${start}${open}\n${fields}\n${close}\nBody\n`.replaceAll('\n', eol),
      )
    fc.assert(
      fc.property(text, fc.nat(300), (content, cut) => {
        const all = bytes(content)
        const front = readFront(all, options)
        if (typeof front !== 'string') {
          plain += 1
          expect(front).toEqual(whole(all))
        }
        const early = readFront(all.subarray(0, cut), { ...options, complete: false })
        if (typeof early !== 'string') expect(early).toEqual(whole(all))
      }),
      { numRuns: tries(2000) },
    )
    expect(plain).toBeGreaterThan(tries(2000) / 20)
  })
})

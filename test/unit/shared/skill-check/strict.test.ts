import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { strictErrors, strictProperties } from '@shared/skill-check/strict'
import type { StrictFolder, StrictOptions } from '@shared/skill-check/strict'

interface Case {
  id: string
  dir: string
  files: Record<string, string>
  encoding: 'utf-8' | 'latin1'
  errors: string[]
  properties: Record<string, unknown> | string
}

const CASES = JSON.parse(
  readFileSync(new URL('../../../fixtures/conformance/skills-ref.json', import.meta.url), 'utf8'),
) as Case[]

const YAML = 'Invalid YAML in frontmatter:'
/** Only the prefix of a YAML library's message must agree; a crash of the reference is its Python message. */
const comparable = (message: string) =>
  (message.startsWith(YAML) ? YAML : message).replace(/^<<uncaught (.*)>>$/s, '$1')

function folderOf({ dir, files, encoding }: Case): StrictFolder {
  const name = (['SKILL.md', 'skill.md'] as const).find((candidate) => files[candidate] !== undefined)
  const bytes = name === undefined ? null : Buffer.from(files[name]!, encoding)
  return { path: dir, kind: 'folder', name: dir, skillMd: name && bytes ? { name, bytes } : null }
}

/** Properties, or the error as the file of cases writes it. */
function propertiesOf(test: Case, options?: StrictOptions): unknown {
  const read = strictProperties(folderOf(test), options)
  return read.ok ? read.properties : comparable(read.error)
}

const expectedProperties = (properties: Case['properties']) =>
  typeof properties === 'string'
    ? comparable(
        properties
          .replace(/^<<(?:Parse|Validation)Error: (.*)>>$/s, '$1')
          .replace(/^<<(UnicodeDecodeError: .*)>>$/s, '$1')
          .replace('$TMP/', ''),
      )
    : properties

describe('the measured cases of the reference validator', () => {
  it('are all here', () => {
    expect(CASES).toHaveLength(50)
  })

  it.each(CASES)('$id: the same errors and properties under exact', (test) => {
    expect(strictErrors(folderOf(test), { exact: true }).map(comparable)).toEqual(test.errors.map(comparable))
    expect(propertiesOf(test, { exact: true })).toEqual(expectedProperties(test.properties))
  })
})

/** Where the default differs from the reference, with the reason: [errors, properties]. */
const DIFFERENT: Readonly<Record<string, { why: string; errors: string[]; properties: unknown }>> = {
  x_bom: {
    why: 'a byte order mark is no part of the text',
    errors: [],
    properties: { name: 'my-skill', description: 'd' },
  },
  x_four_dashes: {
    why: 'a fence is exactly three hyphens',
    errors: ['SKILL.md must start with YAML frontmatter (---)'],
    properties: 'SKILL.md must start with YAML frontmatter (---)',
  },
  x_flow_list_allowed_tools: {
    why: 'flow style is YAML',
    errors: [],
    properties: { name: 'my-skill', description: 'd', 'allowed-tools': ['Read', 'Bash'] },
  },
  x_anchor: {
    why: 'an anchor is YAML',
    errors: [],
    properties: { name: 'my-skill', description: 'd' },
  },
  x_compat_empty: {
    why: 'the format asks for at least one character',
    errors: ["Field 'compatibility' must be a non-empty string"],
    properties: { name: 'my-skill', description: 'd', compatibility: '' },
  },
  x_non_utf8: {
    why: 'the reference crashes; here it is an error like any other',
    errors: [
      "SKILL.md is not UTF-8: 'utf-8' codec can't decode byte 0xe9 in position 35: invalid continuation byte",
    ],
    properties:
      "SKILL.md is not UTF-8: 'utf-8' codec can't decode byte 0xe9 in position 35: invalid continuation byte",
  },
}

describe('the same cases by default', () => {
  it.each(CASES.filter(({ id }) => !Object.hasOwn(DIFFERENT, id)))('$id: as the reference', (test) => {
    expect(strictErrors(folderOf(test)).map(comparable)).toEqual(test.errors.map(comparable))
    expect(propertiesOf(test)).toEqual(expectedProperties(test.properties))
  })

  it.each(Object.entries(DIFFERENT))('%s: differs, for $why', (id, { errors, properties }) => {
    const test = CASES.find((candidate) => candidate.id === id)!
    expect(strictErrors(folderOf(test))).toEqual(errors)
    expect(propertiesOf(test)).toEqual(properties)
    expect([errors.map(comparable), properties]).not.toEqual([
      test.errors.map(comparable),
      expectedProperties(test.properties),
    ])
  })
})

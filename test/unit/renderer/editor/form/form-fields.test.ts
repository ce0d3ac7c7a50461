import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyEdits } from '@shared/skill-md/fix-edits'
import {
  fieldEdits,
  formValues,
  listChange,
  TEXT_KEYS,
  textChange,
  toolsChange,
  whoChanges,
  type FieldChange,
  type WhoLoads,
} from '../../../../../src/renderer/editor/form/form-fields'

const SKILL = `---
# first comment
name: notes   # its name
x-unknown: {a: [1, two], 'b': "c"}
description: "Keeps notes." # why
allowed-tools: Read, Bash(git:*)
metadata:
  author: 'Ann'   # kept
  deep: {er: 1}
---

Body: stays.\t
`

function change(text: string, changes: FieldChange[]): string {
  const changed = fieldEdits(text, changes)
  if ('problem' in changed) throw new Error(changed.problem)
  return applyEdits(text, changed.edits)
}

const values = (text: string) => formValues(text, 'notes')

describe('the fields of a document', () => {
  test('show what it says, with the keys that have no field as they stand', () => {
    const shown = values(SKILL)
    expect(shown.texts).toMatchObject({ name: 'notes', description: 'Keeps notes.', license: '' })
    expect(shown.tools).toEqual(['Read', 'Bash(git:*)'])
    expect(shown.others).toEqual([{ key: 'x-unknown', value: { a: [1, 'two'], b: 'c' } }])
    expect(shown.metadata).toEqual([
      { key: 'author', value: 'Ann', nested: false },
      { key: 'deep', value: '{"er":1}', nested: true },
    ])
  })

  test('a changed text changes that value and not one byte beside it', () => {
    const changed = change(SKILL, [textChange('description', 'Keeps all notes.')])
    expect(changed).toBe(SKILL.replace('Keeps notes.', 'Keeps all notes.'))
  })

  test('an emptied text takes its field along, name and description stay', () => {
    const licensed = change(SKILL, [textChange('license', 'MIT')])
    expect(values(licensed).texts.license).toBe('MIT')
    expect(change(licensed, [textChange('license', ' ')])).toBe(SKILL)
    expect(change(SKILL, [textChange('name', '')])).toContain('name: ""')
  })

  test('tools are written as the file writes them', () => {
    const { frontmatter } = values(SKILL).parsed
    const tools = [...values(SKILL).tools, 'Glob']
    expect(change(SKILL, [toolsChange(frontmatter, tools)])).toBe(
      SKILL.replace('Read, Bash(git:*)', 'Read, Bash(git:*), Glob'),
    )
    expect(toolsChange({ 'allowed-tools': ['Read'] }, tools).value).toEqual(tools)
    expect(toolsChange({}, ['Read', 'Glob']).value).toBe('Read Glob')
    expect(toolsChange(frontmatter, []).value).toBeNull()
  })

  test.each<WhoLoads>(['both', 'person', 'agents', 'named'])('who may load it: %s, and back', (who) => {
    const changed = change(SKILL, whoChanges(who))
    expect(values(changed).who).toBe(who)
    expect(change(changed, whoChanges('both'))).toBe(SKILL)
  })

  test('what can not be read is not changed, and why is said', () => {
    expect(fieldEdits('---\nname: a\n', [textChange('name', 'x')])).toEqual({
      problem: expect.stringContaining('not closed'),
    })
  })

  test('requires in another dialect is no list to be changed', () => {
    expect(values('---\nname: a\nrequires: {mcp: [x]}\n---\n').requires).toBeNull()
  })
})

describe('fields and text stay in step over random edits', () => {
  const word = fc.constantFrom(
    'a',
    'note: b',
    '# c',
    '"d"',
    'Grüße',
    "it's",
    '- e',
    '{f}',
    'yes',
    '12',
    'g\th',
    '@i',
  )
  const anyChange = fc.oneof(
    fc.tuple(fc.constantFrom(...TEXT_KEYS), word).map(([key, text]) => [textChange(key, text)]),
    fc
      .array(fc.constantFrom('x', 'two words', 'a: b', "o'clock"), { maxLength: 3 })
      .map((items) => [listChange('tags', [...new Set(items)])]),
    fc.constantFrom<WhoLoads>('both', 'person', 'agents', 'named').map(whoChanges),
  )

  test.each(['\n', '\r\n'])(
    'with %j: the form shows what was set, everything else stays byte for byte',
    (end) => {
      fc.assert(
        fc.property(fc.array(anyChange, { maxLength: 8 }), (steps) => {
          let text = SKILL.replaceAll('\n', end)
          for (const changes of steps) {
            const before = formValues(text, 'notes')
            text = change(text, changes)
            const after = formValues(text, 'notes')
            for (const { key, value } of changes) {
              if (TEXT_KEYS.includes(key as 'name')) expect(after.texts[key as 'name']).toBe(value ?? '')
              if (key === 'tags') expect(after.tags).toEqual(value ?? [])
            }
            expect(after.others).toEqual(before.others)
            expect(after.metadata).toEqual(before.metadata)
          }
          for (const kept of [
            '# first comment',
            'x-unknown: {a: [1, two], \'b\': "c"}',
            "author: 'Ann'   # kept",
          ])
            expect(text.split(end).some((line) => line.trim() === kept)).toBe(true)
          expect(text.endsWith(`---${end}${end}Body: stays.\t${end}`)).toBe(true)
          expect(text.replaceAll(end, '')).not.toMatch(/[\r\n]/)
        }),
        { numRuns: 60 },
      )
    },
  )
})

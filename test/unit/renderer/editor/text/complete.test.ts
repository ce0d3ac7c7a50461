import { CompletionContext } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { describe, expect, test } from 'vitest'
import { complete } from '../../../../../src/renderer/editor/text/complete'

const FILES = ['SKILL.md', 'references/a.md', 'scripts/run.py']

/** What is offered at the bar in the text. */
function offered(marked: string, explicit = false): string[] {
  const at = marked.indexOf('|')
  const state = EditorState.create({ doc: marked.replace('|', '') })
  const found = complete(new CompletionContext(state, at, explicit), FILES)
  return found?.options.map(({ label }) => label) ?? []
}

describe('completion', () => {
  test('in the frontmatter offers fields that are not there yet', () => {
    const keys = offered('---\nname: a\nlic|\n---\n')
    expect(keys).toContain('license')
    expect(keys).not.toContain('name')
    expect(keys.some((key) => key.includes('.'))).toBe(false)
  })

  test('behind allowed-tools offers tools, also after the first one', () => {
    expect(offered('---\nallowed-tools: Read B|\n---\n')).toContain('Bash')
  })

  test.each(['See [a](re|', 'Run `scr|'])('in %j offers the files of the skill', (text) => {
    expect(offered(`---\nname: a\n---\n${text}`)).toEqual(FILES)
  })

  test.each(['---\nname: a\n---\nplain wor|', '---\nlicense: M|\n---\n', 'name|'])(
    'in %j offers nothing',
    (text) => {
      expect(offered(text)).toEqual([])
    },
  )

  test('of nothing typed only when it is asked for', () => {
    expect(offered('---\n|\n---\n')).toEqual([])
    expect(offered('---\n|\n---\n', true)).toContain('name')
  })
})

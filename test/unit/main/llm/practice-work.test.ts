import { describe, expect, it } from 'vitest'
import type { PracticeView, Step } from '../../../../src/main/llm/practice-view'
import { planWork } from '../../../../src/main/llm/practice-work'

const view = (
  userText: string,
  round: Step[] = [],
  tools = ['Read', 'Edit', 'Write', 'Bash'],
): PracticeView => ({
  userText,
  catalogue: [],
  hasMore: false,
  active: [],
  tried: null,
  tools: new Set(tools),
  round,
  earlier: [],
  answers: 0,
  roundAnswers: 0,
})
const done = (tool: string, input: Record<string, unknown>, result: Record<string, unknown>): Step => ({
  tool,
  input,
  result: { success: true, result, error: '', errorCode: '' },
})

describe('planWork', () => {
  it('reads a file before it changes it, then says what changed', () => {
    const asked = 'Change "two" to "TWO" in notes.md.'
    const read = done('Read', { file_path: 'notes.md' }, {})
    const edit = done('Edit', { file_path: 'notes.md' }, { mode: 'change', added: 1, removed: 1 })
    expect(planWork(view(asked))?.call).toEqual({ name: 'Read', input: { file_path: 'notes.md' } })
    expect(planWork(view(asked, [read]))?.call).toEqual({
      name: 'Edit',
      input: { file_path: 'notes.md', old_string: 'two', new_string: 'TWO' },
    })
    const last = planWork(view(asked, [read, edit]))
    expect(last?.call).toBeUndefined()
    expect(last?.text).toContain('`notes.md` is changed: +1 −1 lines.')
  })

  it.each([
    ['In src/a.ts, replace "x" with "y"', 'Read', { file_path: 'src/a.ts' }],
    [
      'please write “hello” into the file docs/new.md',
      'Write',
      { file_path: 'docs/new.md', content: 'hello\n' },
    ],
    ['Run the command `ls -la | wc`', 'Bash', { command: 'ls -la | wc' }],
  ])('understands %j', (asked, name, input) => {
    expect(planWork(view(asked))?.call).toEqual({ name, input })
  })

  it.each(['Change my notes', 'Run the report', 'Write a letter to notes.md please', 'Replace the word "x"'])(
    'leaves %j to the skills',
    (asked) => {
      expect(planWork(view(asked))).toBeNull()
    },
  )

  it('says what a command printed, and leaves what it has no tool for', () => {
    const asked = 'Run the command "ls"'
    const ran = done('Bash', { command: 'ls' }, { stdout: 'a.txt\n', stderr: '', return_code: 2 })
    expect(planWork(view(asked, [ran]))?.text).toMatch(/`ls` ended with exit code 2[\s\S]*a\.txt/)
    expect(planWork(view(asked, [], ['Read']))).toBeNull()
    expect(planWork(view(asked, [], ['sandbox_execute']))?.call?.name).toBe('Bash')
  })
})

import { describe, expect, test } from 'vitest'
import { forbiddenBy } from '../../../../src/main/sessions/gate'

const restricted = (...allowedTools: string[]) => [{ skill: 'narrow', allowedTools }]
const run = { tool: 'skills_run_script', command: ['python3', 'scripts/a.py', '--all'] }

describe('forbiddenBy', () => {
  test('a skill without a list restricts nothing', () => {
    expect(forbiddenBy(restricted(), run)).toBeNull()
  })

  test.each(['skills_load', 'skills_unload', 'skills_read', 'skills_list'])('%s always works', (tool) => {
    expect(forbiddenBy(restricted('Read'), { tool })).toBeNull()
  })

  test.each([
    ['Read', 'narrow'],
    ['Bash', null],
    ['bash', null],
    ['shell', null],
    ['skills_run_script', null],
    ['Bash(python3:*)', null],
    ['Bash(python3 *)', null],
    ['Bash(python3 scripts/a.py:*)', null],
    ['Bash(python3 scripts/a.py --all)', null],
    ['Bash(python3 scripts/a.py)', 'narrow'],
    ['Bash(python:*)', 'narrow'],
    ['Bash(git:*)', 'narrow'],
    ['NoSuchTool', 'narrow'],
  ])('a script run under allowed-tools "%s" is forbidden by %s', (token, expected) => {
    expect(forbiddenBy(restricted(token), run)).toBe(expected)
  })

  test('a tool must be allowed by each restricting skill', () => {
    const both = [
      { skill: 'open', allowedTools: ['Bash'] },
      { skill: 'closed', allowedTools: ['Read'] },
    ]
    expect(forbiddenBy(both, run)).toBe('closed')
  })

  test('an unknown tool is forbidden while a restriction holds', () => {
    expect(forbiddenBy(restricted('Bash'), { tool: 'Write' })).toBe('narrow')
  })
})

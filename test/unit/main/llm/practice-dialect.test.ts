import { describe, expect, test } from 'vitest'
import {
  inWordsOf,
  learned,
  meaningOf,
  meanings,
  otherCatalogue,
} from '../../../../src/main/llm/practice-dialect'

const RUN = { name: 'skills_run_script', input: { path: 'scripts/a.sh', skill: 'jam', args: ['x.txt'] } }

describe('inWordsOf', () => {
  test.each([
    [['skills_load'], { name: 'skills_load', input: { names: ['jam'] } }],
    [['get_skill'], { name: 'get_skill', input: { skillName: 'jam' } }],
    [['read_skill'], { name: 'read_skill', input: { skill_id: 'jam' } }],
    [['agent_skill_read'], { name: 'agent_skill_read', input: { name: 'jam' } }],
    [['Skill', 'skills_read'], { name: 'Skill', input: { skill: 'jam' } }],
  ])('with %j a skill is loaded by %j', (tools, expected) => {
    const load = { name: 'skills_load', input: { names: ['jam'] } }
    expect(inWordsOf(new Set(tools), load)).toEqual(expected)
    expect(meanings(tools)).toContain('skills_load')
  })

  test('a script is run by a command where there is one', () => {
    expect(inWordsOf(new Set(['sandbox_execute', 'skills_run_script']), RUN)).toEqual({
      name: 'sandbox_execute',
      input: { command: 'sh /.sandbox/skills/jam/scripts/a.sh x.txt' },
    })
  })

  test.each(['a b', '$HOME', 'x;y', "it's"])('an argument %j is not put into a command', (argument) => {
    const call = { ...RUN, input: { ...RUN.input, args: [argument] } }
    expect(inWordsOf(new Set(['sandbox_execute', 'skills_run_script']), call)).toBe(call)
  })
})

describe('meaningOf', () => {
  test.each([
    ['get_skill', { skillName: 'x' }, { error: "Skill 'x' not found" }, "Skill 'x' not found"],
    ['read_skill', { skill_id: 'x' }, 'There is no skill "x".', 'There is no skill "x".'],
    ['agent_skill_read', { name: 'x' }, { success: false, error: 'No.' }, 'No.'],
    ['Skill', { skill: 'x' }, { success: false, error: 'No.', error_code: 'limit' }, 'No.'],
    [
      'read_skill_resource',
      { skill_id: 'x', path: '..' },
      'Path traversal detected',
      'Path traversal detected',
    ],
    ['sandbox_execute', { command: 'ls' }, { exitCode: null, output: '', error: 'Refused.' }, 'Refused.'],
    ['list_skills', {}, { error: 'None.' }, 'None.'],
  ])('%s %j that gave %j has failed', (name, input, value, error) => {
    expect(meaningOf({ name, input }, value)?.result).toMatchObject({ success: false, error })
  })

  test('a command is the run that it means', () => {
    const call = { name: 'sandbox_execute', input: { command: 'sh /.sandbox/skills/jam/scripts/a.sh x.txt' } }
    expect(meaningOf(call, { exitCode: 3, output: 'o', error: 'e' })).toEqual({
      tool: 'skills_run_script',
      input: { skill: 'jam', path: 'scripts/a.sh', args: ['x.txt'] },
      result: {
        success: true,
        result: { exit_code: 3, stdout: 'o', stderr: 'e' },
        error: '',
        errorCode: '',
      },
    })
  })

  test('a tool of no other convention means itself', () => {
    expect(meaningOf({ name: 'skills_load', input: {} }, {})).toBeNull()
    expect(meaningOf({ name: 'toString', input: {} }, {})).toBeNull()
  })
})

describe('otherCatalogue', () => {
  const jam = [{ name: 'jam', description: 'Boils: jam.' }]
  test.each([
    [
      '[Available Skills]\n• `jam` — Boils: jam.\n(+1 more; use list_skills)\n\nUse read_skill(skill_id) to',
      [],
    ],
    ['<agent-skills>\nAvailable:\n- jam: Boils: jam. (scope: global)\n\nTo load a skill:\n- x({})', []],
    ['', ['Gets.\nAvailable skills:\n  - jam: Boils: jam.\n  (+1 more; use skills_list)']],
    ['', ['# Skill Tool\n<available_skills>\n"jam": Boils: jam.\n</available_skills>\n"not": one']],
  ])('reads the list in %j and %j', (instructions, descriptions) => {
    expect(otherCatalogue(instructions, descriptions)).toEqual(jam)
  })
})

describe('learned', () => {
  const step = (tool: string, input: Record<string, unknown>, result: Record<string, unknown>) => ({
    tool,
    input,
    result: { success: true, result, error: '', errorCode: '' },
  })
  test('texts of skills stay until they are unloaded', () => {
    const loads = ['a', 'b'].map((name) => step('skills_load', {}, { name, body: `# ${name}` }))
    expect(learned(loads).bodies.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(learned([...loads, step('skills_unload', { names: ['a'] }, {})]).bodies).toHaveLength(1)
    expect(learned([...loads, step('skills_unload', { all: true }, {})]).bodies).toEqual([])
  })

  test('what a search found is known from then on', () => {
    const found = step('skills_list', {}, { skills: [{ name: 'a', description: 'x' }] })
    expect(learned([found]).found).toEqual([{ name: 'a', description: 'x' }])
  })
})

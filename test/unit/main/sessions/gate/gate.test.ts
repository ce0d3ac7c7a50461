import { describe, expect, test } from 'vitest'
import { forbiddenBy, refusalText } from '../../../../../src/main/sessions/gate/gate'
import { shellParts } from '../../../../../src/main/lib/shell-parts'

const restricted = (...allowedTools: string[]) => [{ skill: 'narrow', allowedTools }]
const run = { tool: 'skills_run_script', command: ['python3', 'scripts/a.py', '--all'] }

describe('forbiddenBy', () => {
  test('without a list nothing is restricted', () => {
    expect(forbiddenBy([], run)).toBeNull()
  })

  test.each(['Bash', 'Read', 'Write', 'skills_run_script', 'skills_propose_update', 'mcp__mail__send'])(
    'an empty list forbids %s',
    (tool) => {
      expect(forbiddenBy(restricted(), { tool, text: 'ls', command: ['bash', 'x.sh'] })).toBe('narrow')
    },
  )

  test.each([
    'skills_load',
    'skills_unload',
    'skills_read',
    'skills_list',
    'skills.load',
    'get_skill',
    'read_skill',
    'agent_skill_read',
    'Skill',
    'list_skills',
    'read_skill_resource',
    'agent_skill_read_file',
  ])('%s always works', (tool) => {
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
    ['Bash(python3 ${CLAUDE_SKILL_DIR}/scripts/a.py *)', null],
    ['Bash(python3 {baseDir}/scripts/a.py:*)', null],
    ['Bash(python3 ./scripts/a.py --all)', null],
    ['Bash(python3 ../scripts/a.py:*)', 'narrow'],
    ['Bash(${CLAUDE_SKILL_DIR}/python3:*)', null],
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

  const SPELLINGS = [
    ['Bash', 'bash', 'bash_exec', 'shell', 'sandbox_execute'],
    ['Read', 'read_file', 'file_read'],
    ['Write', 'write_file'],
    ['Edit', 'edit_file', 'MultiEdit'],
    ['Glob', 'glob'],
    ['Grep', 'grep'],
  ]
  test.each(SPELLINGS.flatMap((names) => names.map((name) => [name, names] as const)))(
    'a list with %s allows the tool in every spelling, and no other tool',
    (token, names) => {
      const allowed = SPELLINGS.flat().filter(
        (tool) => forbiddenBy(restricted(token), { tool, text: 'ls' }) === null,
      )
      expect(allowed.sort()).toEqual([...names].sort())
    },
  )

  test.each(['skills_run_script', 'skills_propose_update', 'propose_skill_update', 'mcp__mail__send'])(
    '%s is forbidden unless it is listed',
    (tool) => {
      expect(forbiddenBy(restricted('Read'), { tool })).toBe('narrow')
      expect(forbiddenBy(restricted('Read', tool), { tool })).toBeNull()
    },
  )

  test.each([
    ['mcp__mail__send', true],
    ['mcp__mail', true],
    ['mcp__mail__*', true],
    ['mcp__*', true],
    ['mcp__ma*', false],
    ['mcp__ma', false],
    ['mcp__mail__sen', false],
    ['mcp__other__*', false],
    ['mcp__*__send', false],
    ['mcp', false],
    ['*', false],
  ])('the token %s allows a tool of the server mail: %s', (token, isAllowed) => {
    expect(forbiddenBy(restricted(token), { tool: 'mcp__mail__send' }) === null).toBe(isAllowed)
    expect(forbiddenBy(restricted(token), { tool: 'Write' })).toBe('narrow')
  })

  test.each([
    ['git status', null],
    ['git log --oneline | git cat-file x', null],
    ['git add a && git commit -m "a; b && c"', null],
    ["git commit -m 'x | y'", null],
    ['git add a;git status', null],
    ['git status\ngit diff', null],
    ['git \\\n  status', null],
    ['git status &', null],
    ['git status 2>&1', null],
    ['"git" status', null],
    ['gi\\t status', null],
    ['git log # all', 'narrow'],
    ["git log # it's\nrm -rf x #'", 'narrow'],
    ['git status; rm -rf x', 'narrow'],
    ['git status && rm x', 'narrow'],
    ['git status || rm x', 'narrow'],
    ['git status | sh', 'narrow'],
    ['git status & rm x', 'narrow'],
    ['git status\nrm x', 'narrow'],
    ['git log $(rm x)', 'narrow'],
    ['git log "$(rm x)"', 'narrow'],
    ['git log `rm x`', 'narrow'],
    ['git log "`rm x`"', 'narrow'],
    ['git log <(rm x)', 'narrow'],
    ['git log >(rm x)', 'narrow'],
    ['git log <<EOF\nx\nEOF', 'narrow'],
    ["git $'\\'' ; rm x ; echo '", 'narrow'],
    ['(git status)', 'narrow'],
    ['{ git status; }', 'narrow'],
    ['GIT_PAGER=rm git log', 'narrow'],
    ['! git status', 'narrow'],
    ['git', null],
    ['gitx status', 'narrow'],
    ['/tmp/git status', 'narrow'],
    ['$GIT status', 'narrow'],
    ['git "unfinished', 'narrow'],
    ['', 'narrow'],
    ['   ', 'narrow'],
  ])('Bash(git:*) and the command %j: %s', (text, expected) => {
    expect(forbiddenBy(restricted('Bash(git:*)'), { tool: 'Bash', text })).toBe(expected)
    expect(forbiddenBy(restricted('bash(git *)'), { tool: 'sandbox_execute', text })).toBe(expected)
    expect(forbiddenBy(restricted('Bash'), { tool: 'Bash', text })).toBeNull()
  })

  test('each part may fit another pattern', () => {
    const both = restricted('Bash(git add *)', 'Bash(npm:*)')
    expect(forbiddenBy(both, { tool: 'Bash', text: 'git add x && npm test' })).toBeNull()
    expect(forbiddenBy(both, { tool: 'Bash', text: 'git push && npm test' })).toBe('narrow')
  })

  test.each(['', '*', '()', 'Bash()', 'Bash(', 'Everything', 'Read(src/**)'])(
    'the token %j allows nothing',
    (token) => {
      for (const tool of ['Bash', 'Read', 'Write', 'skills_run_script'])
        expect(forbiddenBy(restricted(token), { tool, text: 'ls', command: ['ls'] })).toBe('narrow')
    },
  )

  test('the refusal is said in the words of S4, "Tool Restriction Security"', () => {
    expect(refusalText('Write', 'file-organiser')).toBe(
      "Tool 'Write' not allowed by active skill 'file-organiser'",
    )
  })
})

describe('shellParts', () => {
  test('never gives fewer parts than a shell would run', () => {
    expect(shellParts('a "b;c" \'d|e\' f\\;g; h | i')).toEqual([['a', 'b;c', 'd|e', 'f;g'], ['h'], ['i']])
    expect(shellParts('a ""')).toEqual([['a', '']])
    expect(shellParts(';;')).toEqual([])
  })
})

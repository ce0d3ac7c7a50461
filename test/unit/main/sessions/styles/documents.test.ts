import type { DisclosureStyle } from '@shared/domain/settings'
import { describe, expect, test } from 'vitest'
import type { Envelope } from '@shared/domain/session'
import { composeCatalogue } from '../../../../../src/main/sessions/instructions/catalogue'
import { failed, succeeded } from '../../../../../src/main/sessions/turn/envelope'
import { findStyleTool, styleOf } from '../../../../../src/main/sessions/styles/all'
import { seenResult } from '../../../../../src/main/sessions/styles/model-view'
import type { CoreCall, SkillFacts } from '../../../../../src/main/sessions/styles/style'

const roomy = { maxEntries: 50, maxTokens: 4000 }
const asIs = { nameOf: (id: string) => id }
const tool = (name: string) => findStyleTool(name)!.tool
const core = (name: string, input: unknown): CoreCall => tool(name).toCore(input, asIs)

/** What the model sees of a core result. */
function seen(
  name: string,
  input: unknown,
  result: Record<string, unknown>,
  skill: SkillFacts | null = null,
) {
  const shaped = tool(name).shape({ input, call: core(name, input), result, skill })
  return seenResult({ name, envelope: succeeded(shaped) })
}

function seenFailure(name: string, input: unknown, envelope: Envelope, unknown = false) {
  const call = core(name, input)
  const error = tool(name).shapeError?.({ input, call, envelope, unknown }) ?? envelope.error ?? ''
  return seenResult({ name, envelope: { ...envelope, error } })
}

function listText(
  id: DisclosureStyle,
  skills: Parameters<typeof composeCatalogue>[0],
  maxEntries = 50,
): string {
  const { list } = styleOf(id)
  if (typeof list === 'string') return list
  return composeCatalogue(skills, { ...roomy, maxEntries }, { format: list }).text
}

const PYTHON: SkillFacts = {
  name: 'python-dev',
  description: 'Python development environment setup and tooling',
  scope: 'personal',
  inProject: false,
  folder: 'python-dev',
  dir: '/.sandbox/skills/python-dev',
  body: '# Python Development Skill\n\nUse this skill when setting up Python development environments...',
  frontmatter: { name: 'python-dev', description: 'x', license: 'MIT', 'allowed-tools': 'Bash', odd: 1 },
  tokens: 3200,
  requires: [],
}

describe('get-skill (S0)', () => {
  const skills = [
    { name: 'python-dev', description: 'Python development environment setup and tooling' },
    { name: 'git-workflow', description: 'Git branching and PR workflow' },
  ]

  test('"What the Agent Sees": the description lists the skills, one parameter is required', () => {
    const spec = tool('get_skill').spec(listText('get-skill', skills))
    expect(spec.description).toBe(
      'Gets detailed information about an agent skill.\nAvailable skills:\n' +
        '  - git-workflow: Git branching and PR workflow\n' +
        '  - python-dev: Python development environment setup and tooling',
    )
    expect(spec.parameters).toMatchObject({
      properties: { skillName: { type: 'string', description: 'The name of the skill to retrieve' } },
      required: ['skillName'],
    })
  })

  test('"BuildSkillFunctionDescription": without skills it says so', () => {
    expect(tool('get_skill').spec('').description).toBe(
      'Gets detailed information about an agent skill. No skills are currently available.',
    )
  })

  test('"Agent Interaction Flow": get_skill gives name, description, mountPath and instructions', () => {
    expect(core('get_skill', { skillName: 'python-dev' })).toEqual({
      tool: 'skills_load',
      input: { names: ['python-dev'], mode: 'add' },
    })
    expect(seen('get_skill', { skillName: 'python-dev' }, {}, PYTHON)).toEqual({
      name: 'python-dev',
      description: 'Python development environment setup and tooling',
      mountPath: '/.sandbox/skills/python-dev',
      instructions: PYTHON.body,
    })
  })

  test('"GetSkillFunction": an unknown name gives one error in its words, any other failure its own', () => {
    const input = { skillName: 'x' }
    expect(seenFailure('get_skill', input, failed('not_found', 'There is no skill "x".'), true)).toEqual({
      error: "Skill 'x' not found",
    })
    expect(seenFailure('get_skill', input, failed('limit', 'That would be 6 active skills.'))).toEqual({
      error: 'That would be 6 active skills.',
    })
  })

  test.each([
    ['sh /.sandbox/skills/python-dev/scripts/setup.sh', 'scripts/setup.sh', []],
    ['/.sandbox/skills/python-dev/scripts/setup.sh 3.12', 'scripts/setup.sh', ['3.12']],
    ['python3 /.sandbox/skills/python-dev/run.py --all a=b', 'run.py', ['--all', 'a=b']],
    ['  bash   /.sandbox/skills/python-dev/scripts/a.sh ', 'scripts/a.sh', []],
  ])('"Agent runs scripts via existing sandbox shell": %s is a script run', (command, path, args) => {
    expect(core('sandbox_execute', { command })).toEqual({
      tool: 'skills_run_script',
      input: { skill: 'python-dev', path, args },
    })
  })

  test.each([
    'ls -la',
    'sh -e /.sandbox/skills/python-dev/scripts/setup.sh',
    'sh /.sandbox/skills/python-dev/scripts/setup.sh; rm -rf x',
    'sh /.sandbox/skills/python-dev/scripts/setup.sh "$HOME"',
    'sh /.sandbox/skills/python-dev/scripts/setup.sh > out',
    'sh /.sandbox/skills/python-dev/scripts/*.sh',
    'sh /.sandbox/skills/python-dev/../other/x.sh',
    'sh /.sandbox/skills/python-dev//x.sh',
    'sh /.sandbox/skills/python-dev',
    'cat /.sandbox/skills/python-dev/SKILL.md',
    'sh /.sandbox/skills/python-dev/scripts/a.sh\nrm x',
    'FOO=1 sh /.sandbox/skills/python-dev/scripts/a.sh',
  ])('anything else is a free command: %j', (command) => {
    expect(core('sandbox_execute', { command })).toEqual({ tool: 'Bash', input: { command } })
  })

  test('"Agent Interaction Flow": sandbox_execute gives exitCode, output and error', () => {
    const input = { command: 'sh /.sandbox/skills/python-dev/scripts/setup.sh' }
    const result = { exit_code: 0, stdout: 'Created virtual environment at /workspace/.venv\n', stderr: '' }
    expect(seen('sandbox_execute', input, result)).toEqual({
      exitCode: 0,
      output: 'Created virtual environment at /workspace/.venv',
      error: null,
    })
    expect(
      seen('sandbox_execute', { command: 'ls' }, { return_code: 2, stdout: '', stderr: 'no\n' }),
    ).toEqual({
      exitCode: 2,
      output: '',
      error: 'no',
    })
  })

  test('a command that did not run has no exit code, what it printed before, and the reason', () => {
    const envelope = failed('timed_out', 'Stopped at its limit.', { exit_code: null, stdout: 'half\n' })
    expect(seenFailure('sandbox_execute', { command: 'ls' }, envelope)).toEqual({
      exitCode: null,
      output: 'half',
      error: 'Stopped at its limit.',
    })
  })
})

describe('read-skill (S2)', () => {
  const skills = [
    {
      name: 'extension-development',
      id: 'extension-development',
      description: 'Create/modify extensions, protocols, manifests',
    },
    { name: 'reviews', id: 'code-review', description: 'Code review checklist and best practices' },
  ]

  test('"ContextProvider (L1 injection)": a line for each id, and how to load', () => {
    expect(listText('read-skill', skills)).toBe(
      [
        '[Available Skills]',
        '• `extension-development` — Create/modify extensions, protocols, manifests',
        '• `code-review` — Code review checklist and best practices',
        '',
        'Use read_skill(skill_id) to load full instructions.',
      ].join('\n'),
    )
  })

  test('"The catalog uses skill_id (the directory name)": an id becomes the name of its skill', () => {
    const finder = { nameOf: (id: string) => (id === 'code-review' ? 'reviews' : id) }
    expect(tool('read_skill').toCore({ skill_id: 'code-review' }, finder).input['names']).toEqual(['reviews'])
    expect(tool('read_skill_resource').toCore({ skill_id: 'code-review', path: 'a.md' }, finder)).toEqual({
      tool: 'skills_read',
      input: { skill: 'reviews', path: 'a.md' },
    })
  })

  test('"The response includes token-count metadata", and the hint of `requires`', () => {
    const skill = { ...PYTHON, folder: 'api-design', requires: ['extension-development'] }
    expect(seen('read_skill', { skill_id: 'api-design' }, {}, skill)).toBe(
      `${PYTHON.body}\n\nSkill loaded: api-design (approx. 3200 tokens)\n\n` +
        "This skill requires: extension-development. Load it first if you haven't already.",
    )
    expect(seen('read_skill', { skill_id: 'x' }, {}, PYTHON)).not.toContain('requires')
  })

  test('"Path traversal protection": its words for every path that leads out', () => {
    const input = { skill_id: 'x', path: '../y' }
    expect(seenFailure('read_skill_resource', input, failed('path_escape', 'outside'))).toBe(
      'Path traversal detected',
    )
    expect(seenFailure('read_skill_resource', input, failed('not_found', 'No file.'))).toBe('No file.')
  })

  test('"read_skill_resource returns a specific file": its text, and how much is missing', () => {
    const input = { skill_id: 'x', path: 'a.md' }
    const text = { content: 'one\n', from_line: 1, to_line: 1, total_lines: 1, size: 4 }
    expect(seen('read_skill_resource', input, text)).toBe('one\n')
    expect(seen('read_skill_resource', input, { ...text, total_lines: 9 })).toContain('9 lines')
    const image = { media_type: 'image/png', encoding: 'base64', content: 'AAAA', size: 3 }
    expect(seen('read_skill_resource', input, image)).toBe('(image/png, base64) AAAA')
    expect(seen('read_skill_resource', input, { media_type: 'image/png', size: 300_000 })).toContain('300000')
  })

  test('"list_skills(query)": ids with descriptions', () => {
    expect(core('list_skills', {})).toEqual({ tool: 'skills_list', input: {} })
    expect(core('list_skills', { query: 'pdf' }).input).toEqual({ query: 'pdf' })
    const result = { skills: [{ name: 'reviews', id: 'code-review', description: 'x', tokens: 1 }], total: 1 }
    expect(seen('list_skills', { query: 'x' }, result)).toEqual({
      skills: [{ skill_id: 'code-review', description: 'x' }],
      total: 1,
    })
  })

  test('"propose_skill_update(skill_id, diff, justification)" becomes a proposal', () => {
    const input = { skill_id: 'x', diff: '-a\n+b', justification: 'b is right' }
    expect(core('propose_skill_update', input)).toEqual({
      tool: 'skills_propose_update',
      input: { name: 'x', files: [{ path: 'SKILL.md', diff: '-a\n+b' }], justification: 'b is right' },
    })
    expect(seen('propose_skill_update', input, { proposal_id: 'p1', state: 'open' })).toEqual({
      proposal_id: 'p1',
      state: 'open',
    })
  })
})

describe('agent-skill-read (S3)', () => {
  test('"System prompt injection": the block of the document, with scopes, sorted', () => {
    const skills = [
      {
        name: 'pdf-processing',
        description: 'Extract text and tables from PDFs.',
        scope: 'personal' as const,
      },
      { name: 'foo', description: '...', scope: 'project' as const },
    ]
    expect(listText('agent-skill-read', skills)).toBe(
      `<agent-skills>
Available agent skills (call tools to load):
- foo: ... (scope: project)
- pdf-processing: Extract text and tables from PDFs. (scope: global)

To load a skill:
- agent_skill_read({ name: "<skill-name>" })

To read referenced files inside a skill directory:
- agent_skill_read_file({ name: "<skill-name>", filePath: "references/whatever.txt" })
</agent-skills>`,
    )
  })

  test('"Cap at 50 skills; if truncated, mention (+N more)"', () => {
    const skills = Array.from({ length: 53 }, (_, n) => ({ name: `s-${n}`, description: 'x' }))
    expect(listText('agent-skill-read', skills)).toContain('(+3 more')
  })

  test('"Return { success: true, skill: AgentSkillPackage } or { success: false, error }"', () => {
    const skill = { ...PYTHON, scope: 'project' as const }
    expect(seen('agent_skill_read', { name: 'python-dev' }, {}, skill)).toEqual({
      success: true,
      skill: {
        scope: 'project',
        directoryName: 'python-dev',
        frontmatter: {
          name: 'python-dev',
          description: 'Python development environment setup and tooling',
          license: 'MIT',
        },
        body: PYTHON.body,
      },
    })
    expect(seenFailure('agent_skill_read', { name: 'x' }, failed('not_found', 'No such skill.'))).toEqual({
      success: false,
      error: 'No such skill.',
    })
  })

  test('"agent_skill_read_file({ name, filePath, offset?, limit? })": content, lines, size, cut or not', () => {
    const input = { name: 'x', filePath: 'references/a.txt', offset: 3, limit: 2 }
    expect(core('agent_skill_read_file', input)).toEqual({
      tool: 'skills_read',
      input: { skill: 'x', path: 'references/a.txt', offset: 3, limit: 2 },
    })
    const result = { path: 'a', content: 'c\nd\n', from_line: 3, to_line: 4, total_lines: 9, size: 40 }
    expect(seen('agent_skill_read_file', input, result)).toEqual({
      success: true,
      content: 'c\nd\n',
      lines_read: 2,
      file_size: 40,
      truncated: true,
    })
  })
})

describe('skill-tool (S4)', () => {
  const skills = [
    { name: 'pdf-processing', description: 'Extract text and tables from PDFs.' },
    { name: 'commit-message-generator', description: 'Generates clear commit messages.' },
  ]

  test('"Skill Tool Description": the text of the document around the list', async () => {
    const { description } = tool('Skill').spec(listText('skill-tool', skills))
    await expect(`${description}\n`).toMatchFileSnapshot('../snapshots/skill-tool-description.txt')
    expect(description).toContain(
      '<available_skills>\n"commit-message-generator": Generates clear commit messages.\n\n' +
        '"pdf-processing": Extract text and tables from PDFs.\n</available_skills>',
    )
  })

  test.each([
    [
      { skill: 'code-review', args: 'pr-123' },
      { names: ['code-review'], mode: 'add', args: 'pr-123' },
    ],
    [{ skill_name: 'code-review' }, { names: ['code-review'], mode: 'add' }],
  ])('"How to Invoke Skills": %j', (input, expected) => {
    expect(core('Skill', input)).toEqual({ tool: 'skills_load', input: expected })
  })

  test('"Missing required parameter: X" when no skill is named', () => {
    expect(() => core('Skill', { args: 'x' })).toThrow('Missing required parameter: skill')
  })

  test('"Tool returns ToolResult": the envelope, with skill_name, base_path and content', () => {
    expect(seen('Skill', { skill: 'python-dev' }, {}, PYTHON)).toEqual({
      ...succeeded({
        skill_name: 'python-dev',
        base_path: '/.sandbox/skills/python-dev',
        content: PYTHON.body,
      }),
    })
  })

  test('"The skill loads with message"', () => {
    expect(tool('Skill').stepText?.({ skill: 'code-review' })).toBe('The "code-review" skill is loading')
  })
})

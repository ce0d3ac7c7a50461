import { describe, expect, it } from 'vitest'
import { parseSkillMd } from '@shared/skill-md'
import { FIELDS, fieldUse } from '@shared/skill-md/field-table'

const parse = (...lines: string[]) =>
  parseSkillMd(['---', 'name: pdf', 'description: Reads.', ...lines, '---', 'Body'].join('\n'), {
    folderName: 'pdf',
  })

describe('the fields of a skill', () => {
  it('have neutral values where the file has none', () => {
    expect(parse()).toMatchObject({
      whenToUse: undefined,
      model: undefined,
      effort: undefined,
      context: undefined,
      agent: undefined,
      background: undefined,
      hooks: { pre: [], post: [] },
      paths: [],
      shell: undefined,
      arguments: [],
      disallowedTools: [],
      homepage: undefined,
      author: undefined,
      source: undefined,
      dependencies: [],
      triggers: [],
      internal: false,
      scope: { agents: null, tenants: null, environments: null },
      execution: { sandbox: undefined, allowedPaths: null, network: undefined, secrets: [] },
      openclaw: undefined,
      diagnostics: [],
    })
  })

  const cases: [string, string[], Record<string, unknown>][] = [
    ['when_to_use', ['when_to_use: For forms'], { whenToUse: 'For forms' }],
    ['when-to-use', ['when-to-use: For forms'], { whenToUse: 'For forms' }],
    ['whenToUse', ['whenToUse: For forms'], { whenToUse: 'For forms' }],
    ['model and effort', ['model: small', 'effort: low'], { model: 'small', effort: 'low' }],
    [
      'a fork with its agent',
      ['context: fork', 'agent: reviewer', 'background: no'],
      { context: 'fork', agent: 'reviewer', background: false },
    ],
    ['an inline context', ['context: Inline'], { context: 'inline' }],
    [
      'hooks as lists',
      ['hooks:', '  pre: [scripts/a.sh]', '  post: scripts/b.sh'],
      { hooks: { pre: ['scripts/a.sh'], post: ['scripts/b.sh'] } },
    ],
    [
      'hooks of another tool',
      ['hooks: {PreToolUse: [{matcher: Bash}]}'],
      { hooks: { pre: [], post: [] }, frontmatter: { hooks: { PreToolUse: [{ matcher: 'Bash' }] } } },
    ],
    ['paths as a list', ['paths: [src/**, "*.md"]'], { paths: ['src/**', '*.md'] }],
    ['paths as a text', ['paths: src/**,*.{ts,tsx}'], { paths: ['src/**', '*.{ts,tsx}'] }],
    ['arguments', ['arguments: file, mode'], { arguments: ['file', 'mode'] }],
    ['the shell', ['shell: powershell'], { shell: 'powershell' }],
    [
      'disallowed tools',
      ['disallowedTools: Bash(rm *), Write'],
      { disallowedTools: ['Bash(rm *)', 'Write'] },
    ],
    [
      'who made it',
      ['author: {name: Ada}', 'source: community', 'homepage: https://example.org'],
      { author: 'Ada', source: 'community', homepage: 'https://example.org' },
    ],
    [
      'author and version within metadata',
      ['metadata: {author: Ada, version: 2}'],
      { author: 'Ada', version: '2' },
    ],
    [
      'dependencies as a text',
      ['dependencies: python>=3.9, pdf tools'],
      { dependencies: ['python>=3.9', 'pdf tools'] },
    ],
    [
      'dependencies as a map',
      ['dependencies: {python: [a], node: [b]}'],
      { dependencies: ['python', 'node'] },
    ],
    ['triggers', ['triggers: ["fill a form", merge]'], { triggers: ['fill a form', 'merge'] }],
    [
      'the scope',
      ['scope:', '  agents: [coder]', '  tenants: acme, beta', '  environments: []'],
      { scope: { agents: ['coder'], tenants: ['acme', 'beta'], environments: [] } },
    ],
    [
      'execution',
      [
        'execution:',
        '  sandbox: read-only',
        '  allowed-paths: ["/project", "/tmp"]',
        '  network: restricted',
      ],
      {
        execution: {
          sandbox: 'read-only',
          allowedPaths: ['/project', '/tmp'],
          network: 'restricted',
          secrets: [],
        },
      },
    ],
    [
      'hosts and secrets',
      ['execution: {network: [api.example.org], secrets: [API_KEY]}'],
      { execution: { network: ['api.example.org'], secrets: ['API_KEY'], allowedPaths: null } },
    ],
    ['no network', ['execution: {network: false}'], { execution: { network: 'none' } }],
    [
      'openclaw',
      [
        'metadata: {"openclaw": {"emoji": "✅", "homepage": "https://example.org", "os": ["macos", "linux"],' +
          ' "always": true, "primaryEnv": "TODO_KEY", "skillKey": "todo", "envVars": [{"name": "TODO_URL"}],' +
          ' "requires": {"bins": ["todo"], "anyBins": ["a", "b"], "env": ["TODO_KEY"], "config": ["x.y"]}}}',
      ],
      {
        openclaw: {
          requires: { bins: ['todo'], anyBins: ['a', 'b'], env: ['TODO_KEY'], config: ['x.y'] },
          os: ['darwin', 'linux'],
          always: true,
          primaryEnv: 'TODO_KEY',
          envVars: ['TODO_URL'],
          skillKey: 'todo',
          emoji: '✅',
          homepage: 'https://example.org',
        },
      },
    ],
    [
      'an older name of openclaw',
      ['metadata: {clawdbot: {requires: {bins: [jq]}}}'],
      { openclaw: { requires: { bins: ['jq'], anyBins: [], env: [], config: [] } } },
    ],
    [
      'requires of another dialect',
      ['requires: {mcp: [rube]}'],
      { requires: [], frontmatter: { requires: { mcp: ['rube'] } } },
    ],
    ['an internal skill', ['metadata: {internal: true}'], { internal: true }],
  ]
  it.each(cases)('%s is read', (_what, lines, want) => {
    const skill = parse(...lines)
    expect(skill).toMatchObject(want)
    expect(skill.diagnostics).toEqual([])
  })

  const odd: [string, string, string, Record<string, unknown>][] = [
    ['context', 'context: parallel', 'wrong-type', { context: undefined }],
    ['background', 'background: perhaps', 'wrong-type', { background: undefined }],
    ['paths', 'paths: 3', 'wrong-type', { paths: [] }],
    ['scope.agents', 'scope: {agents: 3}', 'wrong-type', { scope: { agents: [] } }],
    ['execution', 'execution: strict', 'wrong-type', { execution: { allowedPaths: null } }],
    ['execution.network', 'execution: {network: 3}', 'wrong-type', { execution: { network: 'none' } }],
    [
      'execution.allowed-paths',
      'execution: {allowed_paths: {a: 1}}',
      'wrong-type',
      { execution: { allowedPaths: [] } },
    ],
    ['homepage', 'homepage: javascript:alert(1)', 'homepage-not-web', { homepage: undefined }],
    ['priority', 'priority: high', 'wrong-type', { priority: 0 }],
    ['model', 'model: {a: 1}', 'wrong-type', { model: undefined }],
  ]
  it.each(odd)(
    'a %s of the wrong type is a problem with its line, not an error',
    (_key, line, code, want) => {
      const skill = parse(line)
      expect(skill.diagnostics).toMatchObject([{ code, line: 4 }])
      expect(skill.broken).toBe(false)
      expect(skill).toMatchObject(want)
    },
  )

  it('a problem of a field points to its line in any spelling', () => {
    expect(parse('userInvocable: perhaps').diagnostics).toMatchObject([{ code: 'wrong-type', line: 4 }])
  })
})

describe('what Satchel does with a key', () => {
  it('is said in one sentence for each that it knows', () => {
    for (const [key, { what }] of Object.entries(FIELDS)) expect(what, key).toMatch(/^[A-Z"].*\.$/)
  })
  it.each([
    ['description', 'acts'],
    ['whenToUse', 'shows'],
    ['argument-hint', 'acts'],
    ['model', 'acts'],
    ['execution', 'acts'],
    ['scope.agents', 'acts'],
    ['compatibility', 'acts'],
    ['allowed_tools', 'acts'],
    ['scope', 'acts'],
    ['license', 'shows'],
    ['shell', 'keeps'],
  ])('%s: %s', (key, use) => {
    expect(fieldUse(key).use).toBe(use)
  })
  it.each(['risk', 'toString', 'x-mine', ''])('a key that it does not know is kept: %s', (key) => {
    expect(fieldUse(key)).toEqual({ use: 'keeps', what: 'Kept, not used.' })
  })
  it('names every field that the parser reads', () => {
    const skill = parse()
    const known = new Set(
      Object.keys(FIELDS).map((key) => key.split('.').at(-1)!.replace(/[-_]/g, '').toLowerCase()),
    )
    const own = new Set([
      'label',
      'frontmatter',
      'body',
      'bodyLine',
      'diagnostics',
      'broken',
      'byHand',
      'scope',
      'restrictsTools',
      'execution',
      'openclaw',
    ])
    for (const field of Object.keys(skill)) {
      if (!own.has(field)) expect(known, field).toContain(field.toLowerCase())
    }
  })
})

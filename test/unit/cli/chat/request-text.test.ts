import { expect, test } from 'vitest'
import type { McpPlan, RequestDetail, RunPlan } from '@shared/domain/approval'
import { requestText, scriptText } from '../../../../src/cli/chat/request-text'

const PLAIN = { width: Infinity, paint: (_as: unknown, text: string) => text }
const HASH = 'a'.repeat(64)

const PLAN: RunPlan = {
  version: 1,
  kind: 'script',
  skill: { name: 'tidy', scope: 'project', key: '/p/tidy', treeDigest: HASH },
  script: { path: 'scripts/run.sh', sha256: HASH, bytes: 20 },
  interpreter: { name: 'bash', path: '/usr/bin/bash', version: '5.2', source: 'shebang', prefixes: [] },
  argv: ['/usr/bin/bash', 'run.sh', '--out', 'a b', '\u001b[2K\u202e'],
  cwd: '/p',
  workspace: '/p',
  env: [{ name: 'PATH', value: 'secret-looking' }],
  stdin: 'line one\n\u001bline two',
  interactive: false,
  timeoutMs: 120_000,
  mounts: [],
  sandbox: { backend: 'none', label: '', profile: 'none', network: 'on', writable: [], readable: [] },
}

function request(change: Partial<RequestDetail> = {}): RequestDetail {
  return {
    id: 'req_1',
    revision: 1,
    sessionId: 'ses_1',
    sessionTitle: 'Chat',
    callId: 'call_1',
    status: 'pending',
    plan: PLAN,
    planHash: HASH,
    findings: [{ id: 'f', level: 'serious', title: 'Deletes', text: 'It deletes \u202efiles.', line: 2 }],
    askReason: 'This is the first time.',
    reviewRequired: true,
    changed: null,
    restored: false,
    agentName: 'General',
    createdAt: 0,
    decidedAt: null,
    decidedBy: null,
    note: null,
    ruleText: null,
    remember: {
      args: [],
      why: null,
      wouldMatch: { exact: 0, flags: 0, anyArgs: 0, of: 0 },
      agentLabel: 'General',
      projectDir: null,
      canDenyAlways: false,
    },
    lastUserMessage: '',
    script: { text: 'echo 1\nrm -rf x\n', bytes: 16, sha256: HASH },
    previousText: 'echo 1\n',
    otherFiles: [{ path: 'SKILL.md', size: 4, text: null, sha256: HASH }],
    before: { runs: 0, succeeded: 0, lastDecision: null },
    onDisk: 'same',
    undo: null,
    secrets: [],
    hosts: [],
    ...change,
  }
}

test('a request shows everything that Allow means, and the names of variables without their values', () => {
  expect(requestText(request(), PLAIN)).toMatchInlineSnapshot(`
    "Run scripts/run.sh from skill tidy (Project)?
    General asks. This is the first time.
    Command:
      /usr/bin/bash run.sh
      --out 'a b'
      '␛[2K⟦U+202E⟧'
    Folder: /p
    Sandbox: none: it can do everything that you can
    Network: on
    Interpreter: /usr/bin/bash 5.2
    Environment: PATH, SATCHEL_RUN_ID
    Stops after: 120 s
    Standard input:
      line one
      ␛line two
    Findings:
      serious: Deletes (line 2). It deletes ⟦U+202E⟧files."
  `)
})

test('the script has its line numbers, and what changed in it', () => {
  expect(scriptText(request(), PLAIN)).toMatchInlineSnapshot(`
    "scripts/run.sh, 16 bytes, sha256 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
      1  echo 1
      2  rm -rf x
    Changes since you last allowed it
                2 + rm -rf x
    Other files of the skill
      SKILL.md, 4 bytes"
  `)
})

test('bytes that are no text are said to be none', () => {
  const binary = request({ script: { text: null, bytes: 9, sha256: HASH } })
  expect(scriptText(binary, PLAIN)).toContain("It is not text, so it can't be shown.")
})

test('a call of an MCP server shows its arguments whole, and what the server claims as a claim', () => {
  const plan: McpPlan = {
    version: 1,
    kind: 'mcp',
    server: { name: 'tickets', digest: HASH },
    tool: { name: 'close', description: '', digest: HASH, annotations: { readOnlyHint: true } },
    arguments: { id: 7, note: 'x'.repeat(3000) },
    timeoutMs: 1000,
  }
  const text = requestText(request({ plan, findings: [], script: null }), PLAIN)
  expect(text).toContain('Call close of MCP server tickets?')
  expect(text).toContain('x'.repeat(3000))
  expect(text).toContain('Claimed by the server: {"readOnlyHint":true}')
})

test('a change of a file shows every line of it', () => {
  const diff = [
    { kind: 'del' as const, before: 3, text: 'old' },
    { kind: 'add' as const, after: 3, text: 'new\u001b[1A' },
  ]
  const file = { path: 'notes.md', mode: 'change' as const, before: { sha256: HASH, bytes: 3 } }
  const after = { sha256: HASH, bytes: 7 }
  const plan = { version: 1 as const, kind: 'file_edit' as const, workspace: '/p', ...file, after, diff }
  const text = requestText(request({ plan, findings: [], script: null }), PLAIN)
  expect(text).toContain('Change notes.md?')
  expect(text).toMatch(/3\s+- old\n\s+3 \+ new␛\[1A/)
})

test('hosts that a script asks for and would not reach are named, with why and how a person gives them', () => {
  const hosts = [
    { host: 'given.example.com:443', state: 'given' },
    { host: 'api.example.com:443', state: 'not-given' },
    { host: 'closed.example.com:443', state: 'policy' },
  ] as const
  const text = requestText(request({ hosts: [...hosts] }), PLAIN)
  expect(text).not.toContain('given.example.com')
  expect(text).toContain('Asks for a host: api.example.com:443: not given\n')
  expect(text).toContain('closed.example.com:443: your organisation does not allow it')
  expect(text).toContain('Hosts can not be given in a terminal. To give one,')
  const closed = requestText(request({ hosts: [hosts[2]] }), PLAIN)
  expect(closed).not.toContain('To give one')
})

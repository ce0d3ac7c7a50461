import type { FileEditPlan, McpPlan, RequestDetail, RunPlan } from '@shared/domain/approval'

const hash = (letter: string): string => letter.repeat(64)

export function makePlan(part: Partial<RunPlan> = {}): RunPlan {
  return {
    version: 1,
    kind: 'script',
    skill: { name: 'pdf', scope: 'project', key: 'project:/p/pdf', treeDigest: hash('1') },
    script: { path: 'scripts/fill.py', sha256: hash('2'), bytes: 20 },
    interpreter: {
      name: 'python3',
      path: '/usr/bin/python3',
      version: '3.12.4',
      source: 'extension',
      prefixes: [],
    },
    argv: ['/usr/bin/python3', '/.sandbox/skills/pdf/scripts/fill.py', '--out', 'x'],
    cwd: '/home/ada/ops',
    workspace: '/home/ada/ops',
    env: [{ name: 'LANG', value: 'C' }],
    stdin: null,
    interactive: false,
    timeoutMs: 120_000,
    mounts: [],
    sandbox: {
      backend: 'bwrap',
      label: 'bubblewrap 0.8.0',
      profile: 'workspace-write',
      network: 'off',
      writable: ['/home/ada/ops'],
      readable: ['the project', 'the skill'],
    },
    ...part,
  }
}

export function makeEdit(part: Partial<FileEditPlan> = {}): FileEditPlan {
  return {
    version: 1,
    kind: 'file_edit',
    workspace: '/home/ada/ops',
    path: 'notes/today.md',
    mode: 'change',
    before: { sha256: hash('3'), bytes: 12 },
    after: { sha256: hash('4'), bytes: 14 },
    diff: [
      { kind: 'same', before: 4, after: 4, text: 'one' },
      { kind: 'del', before: 5, text: 'two' },
      { kind: 'add', after: 5, text: 'three' },
    ],
    ...part,
  }
}

export function makeCall(part: Partial<McpPlan> = {}): McpPlan {
  return {
    version: 1,
    kind: 'mcp',
    server: { name: 'tickets', digest: hash('5') },
    tool: { name: 'search', description: 'Finds tickets', digest: hash('6'), annotations: {} },
    arguments: { query: 'late' },
    timeoutMs: 60_000,
    ...part,
  }
}

export function makeRequest(part: Partial<RequestDetail> = {}): RequestDetail {
  return {
    id: 'r1',
    revision: 1,
    sessionId: 's1',
    sessionTitle: 'Ops',
    callId: 'c1',
    status: 'pending',
    plan: makePlan(),
    planHash: hash('a'),
    findings: [],
    askReason: 'Scripts ask before each run.',
    reviewRequired: false,
    changed: null,
    restored: false,
    agentName: 'Agent',
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
    lastUserMessage: 'Fill it',
    script: { text: 'print(1)\n', bytes: 9, sha256: hash('2') },
    previousText: null,
    otherFiles: [],
    before: { runs: 0, succeeded: 0, lastDecision: null },
    onDisk: 'same',
    undo: null,
    secrets: [],
    hosts: [],
    ...part,
  }
}

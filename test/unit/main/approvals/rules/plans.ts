import type { FileEditPlan, McpPlan, RunPlan } from '@shared/domain/approval'
import type { Rule, RuleDraft } from '@shared/domain/rule'
import type { Facts } from '../../../../../src/main/approvals/rules/decide'
import { asRule } from '../../../../../src/main/approvals/rules/offers'

export const digest = 'a'.repeat(64)

export const script: RunPlan = {
  version: 1,
  kind: 'script',
  skill: { name: 'pdf', scope: 'personal', key: 'personal:/pdf', treeDigest: digest },
  script: { path: 'scripts/fill.py', sha256: 'b'.repeat(64), bytes: 3 },
  interpreter: { name: 'python3', path: '/usr/bin/python3', version: '3', source: 'extension', prefixes: [] },
  argv: ['/usr/bin/python3', '/.sandbox/skills/pdf/scripts/fill.py', '--data', 'a.csv', '--fast'],
  cwd: '/w',
  workspace: '/w',
  env: [{ name: 'LANG', value: 'C.UTF-8' }],
  stdin: null,
  interactive: false,
  timeoutMs: 1000,
  mounts: [{ name: 'pdf', treeDigest: digest }],
  sandbox: {
    backend: 'bwrap',
    label: 'bubblewrap',
    profile: 'workspace-write',
    network: 'off',
    writable: ['/w'],
    readable: [],
  },
}

export const shell = (text: string): RunPlan => ({
  ...script,
  kind: 'shell',
  skill: null,
  script: null,
  argv: ['/usr/bin/bash', '-c', text],
  mounts: [],
})

export const edit: FileEditPlan = {
  version: 1,
  kind: 'file_edit',
  workspace: '/w',
  path: 'docs/notes.md',
  mode: 'change',
  before: { sha256: 'c'.repeat(64), bytes: 4 },
  after: { sha256: 'd'.repeat(64), bytes: 6 },
  diff: [{ kind: 'add', after: 1, text: 'newer' }],
}

export const mcp: McpPlan = {
  version: 1,
  kind: 'mcp',
  server: { name: 'tickets', digest },
  tool: { name: 'search', description: 'Finds', digest, annotations: {} },
  arguments: { query: 'late' },
  timeoutMs: 1000,
}

const TOOLS = {
  script: 'skills_run_script',
  prepare: 'skills_run_script',
  hook: 'skills_load',
  shell: 'Bash',
  file_edit: 'Edit',
}

export function factsOf(plan: Facts['plan'], over: Partial<Facts> = {}): Facts {
  return {
    plan,
    findings: [],
    tool: plan.kind === 'mcp' ? `mcp__${plan.server.name}__${plan.tool.name}` : TOOLS[plan.kind],
    agent: { key: 'personal:clerk', label: 'Document clerk' },
    projectDir: '/w',
    chatId: 'ses_1',
    outerChats: [],
    ...over,
  }
}

export function rule(
  draft: Partial<RuleDraft> & Pick<RuleDraft, 'effect' | 'match'>,
  over: Partial<Rule> = {},
): Rule {
  const base: RuleDraft = {
    agent: null,
    project: null,
    lifetime: 'always',
    chatId: null,
    expiresAt: null,
    example: null,
    ...draft,
  }
  return { ...asRule(base, 1), id: 'rule_1', ...over }
}

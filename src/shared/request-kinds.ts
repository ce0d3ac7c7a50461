import type { RequestPlan } from './domain/approval'

/** What a policy calls the kinds of requests (`security.md` 4.2), and what is asked for besides. */
export const REQUEST_KINDS: Readonly<Record<RequestPlan['kind'], readonly string[]>> = {
  script: ['scripts'],
  hook: ['scripts', 'hooks'],
  shell: ['scripts', 'shell'],
  prepare: ['scripts', 'prepare', 'network', 'network-tools'],
  file_edit: ['file-write'],
  mcp: ['mcp', 'network', 'network-tools'],
}

/** Each word that stands for requests, whatever they are of. */
export const REQUEST_WORDS: readonly string[] = [
  ...new Set(Object.values(REQUEST_KINDS).flat()),
  'skill-load',
  'everything',
]

/** Names that a rule may use for the tool of a request, in lower case; tools of MCP servers have their own. */
export const RULE_TOOLS: Readonly<Record<Exclude<RequestPlan['kind'], 'mcp'>, readonly string[]>> = {
  shell: ['bash', 'shell'],
  script: ['skills_run_script', 'scripts', 'script'],
  hook: ['hooks', 'hook', 'skills_run_script', 'scripts'],
  prepare: ['prepare', 'skills_run_script', 'scripts', 'script'],
  file_edit: ['write', 'edit', 'multiedit'],
}

/** Whether any request can be of the tool that a rule names. */
export function isRuleTool(name: string): boolean {
  const folded = name.toLowerCase()
  return /^(?:\*|mcp(?:__.*)?)$/s.test(folded) || Object.values(RULE_TOOLS).flat().includes(folded)
}

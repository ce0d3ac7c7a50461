/** An active skill that restricts tools: `allowed-tools` narrows, never approves (decision 5). */
export interface Restriction {
  skill: string
  /** Tokens as written: "Read", "Bash", "Bash(git:*)". */
  allowedTools: readonly string[]
}

/** What a call would do, as far as the gate needs it. */
export interface GatedCall {
  tool: string
  /** Interpreter and script path of a script run: ["python3", "scripts/x.py"]. */
  command?: readonly string[]
}

const ALWAYS = new Set(['skills_load', 'skills_unload', 'skills_list', 'skills_read'])
const BASH = new Set(['bash', 'bash_exec', 'shell', 'sandbox_execute'])

/**
 * The name of the skill that forbids this call, or null. A tool must be in the list of each restricting skill;
 * `skills_run_script` needs `Bash` or a pattern that fits its interpreter and script (R10).
 */
export function forbiddenBy(restrictions: readonly Restriction[], call: GatedCall): string | null {
  if (ALWAYS.has(call.tool)) return null
  const forbidding = restrictions.find(
    ({ allowedTools }) => allowedTools.length > 0 && !allowedTools.some((token) => permits(token, call)),
  )
  return forbidding?.skill ?? null
}

function permits(token: string, call: GatedCall): boolean {
  const match = /^([^()]+?)(?:\((.*)\))?$/.exec(token.trim())
  const name = match?.[1]?.trim().toLowerCase() ?? ''
  const pattern = match?.[2]
  if (call.tool !== 'skills_run_script') return pattern === undefined && name === call.tool.toLowerCase()
  if (!BASH.has(name)) return name === 'skills_run_script' && pattern === undefined
  if (pattern === undefined || pattern === '*') return true
  return startsWithWords(call.command ?? [], pattern)
}

/** `git:*` and `git *` mean: the first words are these. Without a star every word must match. */
function startsWithWords(command: readonly string[], pattern: string): boolean {
  const open = /[:\s]\*$/.test(pattern)
  const wanted = pattern.replace(/[:\s]\*$/, '').split(/\s+/)
  if (!open && wanted.length !== command.length) return false
  return wanted.every((word, index) => command[index] === word)
}

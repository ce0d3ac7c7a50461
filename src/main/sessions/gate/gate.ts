import { shellParts } from '../../lib/shell-parts'
import { coversFile, type GatedFile } from './path-pattern'

/** An active skill that restricts tools: `allowed-tools` narrows, never approves (decision 5). */
export interface Restriction {
  skill: string
  /** Tokens as written: "Read", "Bash", "Bash(git:*)". None: nothing but the exempt tools. */
  allowedTools: readonly string[]
}

/** What a call would do, as far as the gate needs it. */
export interface GatedCall {
  /** As the model names it, whatever its style. */
  tool: string
  /** Interpreter, script path and arguments of a script run: ["python3", "scripts/x.py"]. */
  command?: readonly string[] | undefined
  /** The text of a free command. */
  text?: string | undefined
  /** What a file tool works on; left out: no pattern covers it. */
  file?: GatedFile | undefined
}

/**
 * The name of the skill that forbids this call, or null. A tool must be in the list of each restricting skill, in any
 * of its spellings; a script run needs `Bash` or a pattern that fits its interpreter and script (R10, `runtime.md` 2).
 */
export function forbiddenBy(restrictions: readonly Restriction[], call: GatedCall): string | null {
  if (isExempt(call.tool)) return null
  return restrictions.find((restriction) => !allows(restriction, call))?.skill ?? null
}

/** Tools that no skill can forbid, in any style: they load and read what the person made available, and never act. */
export function isExempt(tool: string): boolean {
  return EXEMPT.has(toolOf(tool))
}

/** What a model is told of a call that a skill forbids, in the words of S4. */
export function refusalText(tool: string, skill: string): string {
  return `Tool '${tool}' not allowed by active skill '${skill}'`
}

/** One tool has many names: those of the styles, and those that skills of other programs write. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  bash: ['bash', 'bash_exec', 'shell', 'sandbox_execute'],
  read: ['read', 'read_file', 'file_read'],
  write: ['write', 'write_file', 'file_write'],
  edit: ['edit', 'edit_file', 'file_edit', 'multiedit'],
  glob: ['glob'],
  grep: ['grep'],
  skills_load: ['skills_load', 'skills.load', 'get_skill', 'read_skill', 'agent_skill_read', 'skill'],
  skills_unload: ['skills_unload', 'skills.unload'],
  skills_list: ['skills_list', 'list_skills'],
  skills_read: ['skills_read', 'skills.read', 'read_skill_resource', 'agent_skill_read_file'],
  skills_run_script: ['skills_run_script', 'skills.run_script'],
  skills_propose_update: ['skills_propose_update', 'propose_skill_update'],
}

const CANONICAL = new Map(
  Object.entries(SPELLINGS).flatMap(([tool, names]) => names.map((name) => [name, tool] as const)),
)

const EXEMPT = new Set(['skills_load', 'skills_unload', 'skills_list', 'skills_read'])

/** A name that is not known stands for itself, in its exact spelling but for case. */
export function toolOf(name: string): string {
  const folded = name.toLowerCase()
  return CANONICAL.get(folded) ?? folded
}

interface Token {
  tool: string
  /** Null: all of the tool. */
  pattern: string | null
}

/** True where it must be known which file a call of this tool is about. */
export function needsFile(restrictions: readonly Restriction[], name: string): boolean {
  const tool = toolOf(name)
  const tokens = restrictions.flatMap(({ allowedTools }) => allowedTools.map(parseToken))
  return FILE_TOOLS.has(tool) && tokens.some((token) => token.tool === tool && token.pattern !== null)
}

const FILE_TOOLS = new Set(['read', 'write', 'edit', 'glob', 'grep'])

function allows({ allowedTools, skill }: Restriction, call: GatedCall): boolean {
  const parsed = allowedTools.map(parseToken)
  const tool = toolOf(call.tool)
  if (FILE_TOOLS.has(tool))
    return parsed.some((token) => token.tool === tool && coversCall(token, skill, call))
  if (tool === 'bash') return allowsCommand(parsed, call)
  if (parsed.some((token) => token.pattern === null && meansTool(token.tool, tool))) return true
  return tool === 'skills_run_script' && allowsParts(parsed, [call.command ?? []])
}

function coversCall({ pattern }: Token, skill: string, { file }: GatedCall): boolean {
  if (pattern === null || pattern === '*') return true
  return file !== undefined && coversFile(pattern, skill, file)
}

/** `mcp__server` and `mcp__server__*` are all tools of that server, `mcp__*` those of every one. */
function meansTool(token: string, tool: string): boolean {
  if (token === tool) return true
  if (!token.startsWith('mcp__') || !tool.startsWith('mcp__')) return false
  const server = token.replace(/(?:__)?\*$/, '')
  return !server.includes('*') && (server === 'mcp' || tool.startsWith(`${server}__`))
}

/** A text that could run more than it shows needs the whole tool. */
function allowsCommand(tokens: readonly Token[], { text, command }: GatedCall): boolean {
  const parts = command ? [command] : shellParts(text ?? '')
  return allowsParts(tokens, parts ?? [])
}

/** Every part must begin as one of the patterns says; without parts only the whole tool helps. */
function allowsParts(tokens: readonly Token[], parts: readonly (readonly string[])[]): boolean {
  const bash = tokens.filter(({ tool }) => tool === 'bash')
  if (bash.some(({ pattern }) => pattern === null || pattern === '*')) return true
  return (
    parts.length > 0 &&
    parts.every(
      (words) => words.length > 0 && bash.some(({ pattern }) => startsWithWords(words, pattern ?? '')),
    )
  )
}

function parseToken(token: string): Token {
  const match = /^([^()]+?)(?:\((.*)\))?$/s.exec(token.trim())
  const pattern = match?.[2]?.trim() ?? null
  return { tool: toolOf(match?.[1]?.trim() ?? ''), pattern }
}

/** `git:*` and `git *` mean: the first words are these. Without a star every word must match. */
function startsWithWords(command: readonly string[], pattern: string): boolean {
  const open = /[:\s]\*$/.test(pattern)
  const wanted = pattern.replace(/[:\s]\*$/, '').split(/\s+/)
  if (!open && wanted.length !== command.length) return false
  return wanted.every((word, index) => word !== '' && command[index] === ownPath(word))
}

/** A path of the skill as its author may write it, relative to the skill as calls name it. */
function ownPath(word: string): string {
  return word.replace(/^(?:\{baseDir\}|\$\{(?:CLAUDE_)?SKILL_DIR\}|\.)\//, '')
}

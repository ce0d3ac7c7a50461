import type { McpServerInput, McpServerView } from '@shared/domain/mcp'
import { words } from './tool-strings'

/** A server as it is written in the form: texts, one thing a line. */
export interface McpDraft {
  /** The name that it had; null: it is new. */
  was: string | null
  name: string
  kind: 'program' | 'address'
  command: string
  /** One argument a line. */
  args: string
  /** `NAME=value` a line. */
  env: string
  url: string
  /** `Name: value` a line. */
  headers: string
  /** What was entered now, by variable. */
  keys: Readonly<Record<string, string>>
}

export type McpErrors = Partial<Record<'name' | 'command' | 'url' | 'env' | 'headers', string>>

export const NEW_SERVER: McpDraft = {
  was: null,
  name: '',
  kind: 'program',
  command: '',
  args: '',
  env: '',
  url: '',
  headers: '',
  keys: {},
}

export function draftOf({ name, entry }: Pick<McpServerView, 'name' | 'entry'>): McpDraft {
  const start = { ...NEW_SERVER, was: name, name }
  if ('url' in entry) {
    return { ...start, kind: 'address', url: entry.url, headers: lines(entry.headers, ': ') }
  }
  return { ...start, command: entry.command, args: entry.args.join('\n'), env: lines(entry.env, '=') }
}

/** Names of the variables in the form, in the order in which they stand. */
export function variablesOf({ kind, args, env, headers }: McpDraft): string[] {
  const text = kind === 'address' ? headers : `${args}\n${env}`
  return [...new Set([...text.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map((match) => match[1]!))]
}

/** What is saved, or what is wrong with it by field. The rest main says. */
export function checkServer(
  draft: McpDraft,
): { ok: true; input: McpServerInput } | { ok: false; errors: McpErrors } {
  const missing: McpErrors = draft.name.trim() === '' ? { name: words.mcpDraft.enterAName } : {}
  const read = draft.kind === 'address' ? readAddress(draft) : readProgram(draft)
  const errors = { ...missing, ...read.errors }
  if (read.entry === null || Object.keys(errors).length > 0) return { ok: false, errors }
  const wanted = new Set(variablesOf(draft))
  const keys = Object.entries(draft.keys).filter(([name, value]) => wanted.has(name) && value !== '')
  const { was, name } = draft
  return { ok: true, input: { was, name: name.trim(), entry: read.entry, keys: Object.fromEntries(keys) } }
}

interface Read {
  entry: McpServerInput['entry'] | null
  errors: McpErrors
}

function readAddress({ url, headers }: McpDraft): Read {
  const texts = pairs(headers, ':')
  const errors: McpErrors = url.trim() === '' ? { url: words.mcpDraft.enterTheAddress } : {}
  if (texts) return { entry: { url: url.trim(), headers: texts }, errors }
  return { entry: null, errors: { ...errors, headers: words.mcpDraft.writeOneALine } }
}

function readProgram({ command, args, env }: McpDraft): Read {
  const texts = pairs(env, '=')
  const errors: McpErrors = command.trim() === '' ? { command: words.mcpDraft.enterTheProgram } : {}
  const given = args.split('\n').filter((line) => line.trim() !== '')
  if (texts) return { entry: { command: command.trim(), args: given, env: texts }, errors }
  return { entry: null, errors: { ...errors, env: 'Write one a line: “NAME=value”.' } }
}

function lines(texts: Readonly<Record<string, string>>, between: string): string {
  return Object.entries(texts)
    .map(([name, value]) => `${name}${between}${value}`)
    .join('\n')
}

/** Null where a line has no name or no sign. */
function pairs(text: string, sign: string): Record<string, string> | null {
  const found = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => [
      line.slice(0, Math.max(0, line.indexOf(sign))).trim(),
      line.slice(line.indexOf(sign) + 1).trim(),
    ])
  return found.every(([name]) => name !== '') ? (Object.fromEntries(found) as Record<string, string>) : null
}

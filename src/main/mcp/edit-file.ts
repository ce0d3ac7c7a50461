import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '@shared/errors'
import { readDataFile } from '../lib/data-file'
import { newId } from '../lib/ids'
import { MAX_FILE, MAX_SERVERS, readEntry, VARIABLE, type ServerDefinition } from './definitions'

/** One server as it stands in the file, without its name. */
export type ServerEntry =
  | { command: string; args: string[]; env: Record<string, string> }
  | { url: string; headers: Record<string, string> }

/**
 * Writes one server into the person's own file: a new one (`was` null), or in the place of one that was there, under its
 * old or another name. What else stands in the file and in the entry stays. Throws `bad_input` for what could not be
 * used, and `not_ready` where the file can't be understood.
 */
export function saveServer(
  homeDir: string,
  { was, name, entry }: { was: string | null; name: string; entry: ServerEntry },
): ServerDefinition {
  const definition = readEntry(name, entry)
  const wrong = typeof definition === 'string' ? definition : openKey(entry)
  if (wrong !== null || typeof definition === 'string') throw refused(`It is not saved: ${wrong}.`)
  const { file, servers } = readAll(homeDir)
  if (name !== was && Object.hasOwn(servers, name)) throw refused(`There is a server "${name}" already.`)
  if (was !== null && !Object.hasOwn(servers, was))
    throw refused(`The server "${was}" is not in the file any more.`)
  if (was === null && Object.keys(servers).length >= MAX_SERVERS) {
    throw refused(`There are ${MAX_SERVERS} servers already. Remove one first.`)
  }
  const kept = Object.entries(servers)
  const changed: [string, unknown][] =
    was === null
      ? [...kept, [name, entry]]
      : kept.map(([other, value]) =>
          other === was ? [name, { ...otherKeys(value), ...entry }] : [other, value],
        )
  write(homeDir, { ...file, mcpServers: Object.fromEntries(changed) })
  return definition
}

/** Takes one out of the file; does nothing where it is not there. */
export function removeServer(homeDir: string, name: string): void {
  const { file, servers } = readAll(homeDir)
  if (!Object.hasOwn(servers, name)) return
  const left = Object.entries(servers).filter(([other]) => other !== name)
  write(homeDir, { ...file, mcpServers: Object.fromEntries(left) })
}

/** Names of the variables that a server is to get, in the order in which they stand. */
export function variablesIn(definition: ServerDefinition): string[] {
  const texts =
    definition.kind === 'http'
      ? Object.values(definition.headers)
      : [...definition.args, ...Object.values(definition.env)]
  return [...new Set(texts.flatMap((text) => [...text.matchAll(VARIABLE)].map((match) => match[1]!)))]
}

interface Read {
  file: Record<string, unknown>
  servers: Record<string, unknown>
}

function readAll(homeDir: string): Read {
  const found = readDataFile(pathOf(homeDir), MAX_FILE)
  if (found.state === 'missing') return { file: {}, servers: {} }
  const value: unknown = found.state === 'read' ? found.value : null
  const servers = isRecord(value) ? (value['mcpServers'] ?? {}) : null
  if (!isRecord(value) || !isRecord(servers)) {
    throw new AppError(
      'not_ready',
      '~/.satchel/mcp.json can not be understood, so nothing was changed in it. Correct it in an editor first.',
    )
  }
  return { file: value, servers }
}

/** As one step: a crash leaves the old file or the new one. A link to another place stays one. */
function write(homeDir: string, file: Record<string, unknown>): void {
  mkdirSync(dirname(pathOf(homeDir)), { recursive: true, mode: 0o700 })
  const path = realOr(pathOf(homeDir))
  const temp = `${path}.${newId('mcp')}`
  try {
    writeFileSync(temp, `${JSON.stringify(file, null, 2)}\n`, { mode: modeOf(path), flag: 'wx' })
    renameSync(temp, path)
  } catch (error) {
    rmSync(temp, { force: true })
    throw error
  }
}

function pathOf(homeDir: string): string {
  return join(homeDir, '.satchel', 'mcp.json')
}

function realOr(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path // not there yet
  }
}

function modeOf(path: string): number {
  return (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777
}

/** What other programs keep in an entry. */
function otherKeys(entry: unknown): Record<string, unknown> {
  const own = new Set(['command', 'args', 'env', 'url', 'headers'])
  return Object.fromEntries(Object.entries(Object(entry)).filter(([key]) => !own.has(key)))
}

/** A key in the file would be in every copy of it. */
function openKey(entry: ServerEntry): string | null {
  if ('url' in entry) return null
  const isOpen = (name: string) =>
    /key|token|secret|passw/i.test(name) && entry.env[name]!.search(VARIABLE) < 0
  const open = Object.keys(entry.env).find((name) => entry.env[name] !== '' && isOpen(name))
  return open === undefined ? null : `its variable "${open}" must name another one, as in "\${${open}}"`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refused(message: string): AppError {
  return new AppError('bad_input', message)
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const SERVER = resolve(import.meta.dirname, '../fixtures/mcp/stdio.mjs')

/** One server of `mcp.json`, as a person writes it. */
export type Entry = Record<string, unknown>

/** A real server on standard streams; `tools` are listed in the place of its own. */
export function stdioEntry(home: string, tools?: unknown): Entry {
  if (tools !== undefined) writeFileSync(join(home, 'tools.json'), JSON.stringify(tools))
  const list = tools === undefined ? [] : [join(home, 'tools.json')]
  return { command: process.execPath, args: [SERVER, join(home, 'starts'), ...list] }
}

/** Writes the person's own `~/.satchel/mcp.json`. */
export function writeServers(home: string, mcpServers: Record<string, Entry>): void {
  mkdirSync(join(home, '.satchel'), { recursive: true })
  writeFileSync(join(home, '.satchel', 'mcp.json'), JSON.stringify({ mcpServers }))
}

/** Processes of each start of the server of `stdioEntry`: its own, and one that it left behind on purpose. */
export function startsOf(home: string): number[][] {
  const file = join(home, 'starts')
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => line.split(' ').map(Number))
}

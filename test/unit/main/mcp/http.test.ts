import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NewAuditEvent } from '../../../../src/main/audit/audit'
import { createMcp, type Mcp } from '../../../../src/main/mcp/servers'
import { writeServers, type Entry } from '../../../helpers/mcp'
import { startHttpServer, type HttpServer } from '../../../helpers/mcp-http'

let home: string
let mcp: Mcp
let server: HttpServer
let warned: string[]
let recorded: NewAuditEvent[]
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'satchel-mcp-'))
  server = await startHttpServer()
  warned = []
  recorded = []
  mcp = createMcp({
    homeDir: home,
    env: { DOCS_TOKEN: 's3cret' },
    fetch,
    off: () => [],
    endMarked: () => undefined,
    changed: () => undefined,
    notice: () => undefined,
    version: '1.0.0',
    now: () => 0,
    record: (event) => void recorded.push(event),
    log: {
      info: () => undefined,
      warn: (_, data) => void warned.push(JSON.stringify(data)),
      error: () => undefined,
    },
  })
})
afterEach(async () => {
  await mcp.close()
  await server.close()
  rmSync(home, { recursive: true, force: true })
})

const call = { arguments: {}, timeoutMs: 10_000, signal: new AbortController().signal }

async function connect(more: Entry = {}): Promise<string[]> {
  const headers = { Authorization: 'Bearer ${DOCS_TOKEN}' }
  writeServers(home, { docs: { url: server.url, headers, ...more } })
  await mcp.ready('chat')
  return mcp.tools().map(({ name }) => name)
}

test('a server at an address is spoken to over HTTP, with the key of the variable', async () => {
  expect(await connect()).toEqual(['mcp__docs__find'])
  expect(await mcp.call(mcp.tools()[0]!, call)).toMatchObject({ content: [{ text: 'two pages' }] })
  expect(new Set(server.heard.map((line) => line.split(' ').slice(1).join(' ')))).toEqual(
    new Set(['Bearer s3cret']),
  )
})

test('a key goes nowhere else: no redirect is followed', async () => {
  const other = await startHttpServer()
  server.instead = { status: 307, headers: { location: other.url } }
  expect(await connect()).toEqual([])
  expect(other.heard).toEqual([])
  expect(mcp.view().servers[0]).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('another address'),
  })
  await other.close()
})

test('a redirect to another path of the same server is not followed either', async () => {
  server.instead = { status: 302, headers: { location: '/elsewhere' } }
  expect(await connect()).toEqual([])
  expect(server.heard).toEqual(['POST Bearer s3cret'])
})

test('a variable that is not set is said, and nothing is sent', async () => {
  expect(await connect({ headers: { Authorization: '${OTHER_TOKEN}' } })).toEqual([])
  expect(mcp.view().servers[0]?.error).toContain('The variable OTHER_TOKEN is not set')
  expect(server.heard).toEqual([])
})

test('an answer without end breaks off', async () => {
  const headers = { 'content-type': 'application/json' }
  server.instead = { status: 200, headers, body: `"${'x'.repeat(9 * 1024 * 1024)}"` }
  expect(await connect()).toEqual([])
  expect(mcp.view().servers[0]?.error).toContain('more than 8 MB')
})

test('a server that forgot the session is connected to anew', async () => {
  await connect()
  const [find] = mcp.tools()
  server.forget()
  expect(await mcp.call(find!, call)).toMatchObject({ cause: 'ended' })
  expect(mcp.view().servers[0]?.status).toBe('failed')
  await mcp.ready('chat')
  expect(await mcp.call(find!, call)).toMatchObject({ content: [{ text: 'two pages' }] })
})

test('no key is written to the log', async () => {
  server.instead = { status: 500, headers: {}, body: 'no' }
  await connect()
  expect(warned.join()).not.toContain('s3cret')
  expect(mcp.view().servers[0]?.error).not.toContain('s3cret')
})

test('of an address only its host is on record, and the number of a refusal', async () => {
  server.instead = { status: 503, headers: {} }
  const url = server.url
  await connect({ url: `${url}?key=s3cret` })
  const seen = recorded.map(({ action, data }) => [action, data['url'], data['why']])
  expect(seen).toEqual([
    ['mcp.started', new URL(url).origin, undefined],
    ['mcp.failed', new URL(url).origin, 'HTTP 503'],
  ])
  expect(JSON.stringify(recorded)).not.toContain('s3cret')
})

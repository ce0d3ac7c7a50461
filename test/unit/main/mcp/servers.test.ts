import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { NewAuditEvent } from '../../../../src/main/audit/audit'
import { createMcp, type Mcp } from '../../../../src/main/mcp/servers'
import { killRuns } from '../../../../src/main/runs/process-tree'
import { startsOf, stdioEntry, writeServers } from '../../../helpers/mcp'

let home: string
let mcp: Mcp
let off: string[]
let notices: string[]
let time: number
let recorded: NewAuditEvent[]
let record: (event: NewAuditEvent) => void
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'satchel-mcp-'))
  off = []
  notices = []
  recorded = []
  record = (event) => void recorded.push(event)
  time = 0
  mcp = createMcp({
    homeDir: home,
    env: process.env,
    fetch,
    off: () => off,
    endMarked: (mark) => killRuns(new Set([mark])),
    changed: () => undefined,
    notice: (message) => void notices.push(message),
    version: '1.0.0',
    now: () => time,
    record: (event) => record(event),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  })
})
afterEach(async () => {
  await mcp.close()
  rmSync(home, { recursive: true, force: true })
})

const call = { arguments: {}, timeoutMs: 10_000, signal: new AbortController().signal }
const EMPTY = { type: 'object' }
const names = () => mcp.tools().map(({ name }) => name)

test('a server of the SDK is spoken to on its standard streams', async () => {
  const file = resolve(import.meta.dirname, '../../../fixtures/mcp/sdk.mjs')
  writeServers(home, { sdk: { command: process.execPath, args: [file] } })
  await mcp.ready('chat')
  expect(names()).toEqual(['mcp__sdk__greet'])
  expect(await mcp.call(mcp.tools()[0]!, call)).toMatchObject({ content: [{ type: 'text', text: 'hello' }] })
})

test('a server that ends at once is told with its exit code and what it said last', async () => {
  const script = 'console.error("first"); console.error("no token"); process.exitCode = 3'
  writeServers(home, { tickets: { command: process.execPath, args: ['-e', script] } })
  await mcp.ready('chat')
  const words = 'It ended by itself, with exit code 3. It said last: first no token'
  expect(notices).toEqual([`The MCP server "tickets" can't be used, so its tools are not there: ${words}`])
})

test('of two tools of one name the first is used, and that is told', async () => {
  const tool = (description: string) => ({ name: 'find', description, inputSchema: EMPTY })
  writeServers(home, { tickets: stdioEntry(home, [tool('One.'), tool('Two.')]) })
  await mcp.ready('chat')
  await mcp.ready('chat')
  expect(mcp.tools()).toMatchObject([{ name: 'mcp__tickets__find', description: 'One.' }])
  expect(notices).toEqual([
    expect.stringMatching(/"tickets".*"find" is left out: a tool before it has the name/),
  ])
})

test('a server that is turned off ends, and is there again when it is turned on', async () => {
  writeServers(home, { tickets: stdioEntry(home) })
  off = ['tickets']
  await mcp.ready('chat')
  expect([names(), startsOf(home)]).toEqual([[], []])
  off = []
  await mcp.ready('chat')
  expect(names()).toContain('mcp__tickets__echo')
})

test('a server that does not start is told once, until it was there again', async () => {
  writeServers(home, { tickets: { command: 'no-such-program' }, fine: stdioEntry(home) })
  await mcp.ready('chat')
  await mcp.ready('chat')
  expect(notices).toEqual([
    'The MCP server "tickets" can\'t be used, so its tools are not there: The program was not found. Look at "command" in the file.',
  ])
  writeServers(home, { tickets: stdioEntry(home) })
  await mcp.ready('chat')
  writeServers(home, { tickets: { command: 'no-such-program' } })
  await mcp.ready('chat')
  expect(notices).toHaveLength(2)
})

test('what of the file can not be used is told', async () => {
  writeServers(home, { Wrong: stdioEntry(home) })
  await mcp.ready('chat')
  expect(notices).toEqual([expect.stringMatching(/^MCP servers in ~.*mcp.json: "Wrong" is left out: a name/)])
})

test('a server that ends again and again is left alone for a minute', async () => {
  writeServers(home, { tickets: { command: 'no-such-program' }, fine: stdioEntry(home) })
  for (let start = 0; start < 5; start += 1) {
    await mcp.ready('chat')
    const crash = mcp.tools().find(({ tool }) => tool === 'crash')
    if (crash) await mcp.call(crash, call)
  }
  expect(startsOf(home)).toHaveLength(3)
  time = 60_000
  await mcp.ready('chat')
  expect(startsOf(home)).toHaveLength(4)
})

test('what a person sees of a server is its state, its tools and why it failed', async () => {
  writeServers(home, {
    tickets: stdioEntry(home, [
      { name: 'one', inputSchema: EMPTY },
      { name: 'x'.repeat(70), inputSchema: EMPTY },
    ]),
    gone: { command: 'no-such-program', args: ['--key', '${KEY}'] },
    'no name': {},
  })
  expect(mcp.view().servers.map(({ status }) => status)).toEqual(['idle', 'idle'])
  expect(startsOf(home)).toEqual([])
  await mcp.ready('chat')
  const { servers, notes } = mcp.view()
  expect(servers).toMatchObject([
    { name: 'tickets', status: 'ready', tools: ['one'], notes: [expect.stringContaining('longer than')] },
    {
      status: 'failed',
      target: 'no-such-program --key ${KEY}',
      error: expect.stringContaining('KEY is not set'),
    },
  ])
  expect(notes).toEqual([expect.stringContaining('no name')])
})

test('a server that failed is started again when a person asks, however often it failed', async () => {
  writeServers(home, { tickets: { command: 'no-such-program' } })
  for (let start = 0; start < 5; start += 1) await mcp.ready('chat')
  expect(mcp.view().servers[0]).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('not found'),
  })
  await mcp.again('tickets')
  expect(mcp.view().servers[0]?.status).toBe('failed')
})

test('a key that was entered goes before the environment, to its own server alone, and the view never holds it', async () => {
  await mcp.close()
  mcp = createMcp({
    homeDir: home,
    env: { ...process.env, SHARED: 'from-outside' },
    fetch,
    off: () => [],
    keysOf: ({ name }): Record<string, string> => (name === 'mine' ? { SHARED: 'entered-4711' } : {}),
    endMarked: (mark) => killRuns(new Set([mark])),
    changed: () => undefined,
    notice: () => undefined,
    version: '1.0.0',
    now: () => time,
    record: (event) => record(event),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  })
  const env = { SEEN: '${SHARED}', GONE: 'x' }
  writeServers(home, { mine: { ...stdioEntry(home), env }, other: { ...stdioEntry(home), env } })
  await mcp.ready('chat')
  const seen = async (server: string) => {
    const tool = mcp.tools().find(({ name }) => name === `mcp__${server}__env`)!
    return JSON.stringify(await mcp.call(tool, call))
  }
  expect(await seen('mine')).toContain('entered-4711')
  expect(await seen('other')).toContain('from-outside')
  expect(JSON.stringify(mcp.view())).not.toContain('4711')
  expect(mcp.view().servers.map(({ keys }) => keys)).toEqual([
    [{ name: 'SHARED', from: 'entered' }],
    [{ name: 'SHARED', from: 'environment' }],
  ])
})

test('starts, failures and ends are on record for the chat, and no argument or variable is', async () => {
  const secret = 'sk-4711-not-to-be-told'
  const env = { KEY: secret }
  writeServers(home, {
    tickets: { ...stdioEntry(home), env },
    gone: { command: 'no-such-program', args: ['--key', secret], env },
    unset: { command: 'no-such-program', args: ['${NOT_SET_ANYWHERE}'] },
  })
  await mcp.ready('chat-1')
  await mcp.ready('chat-2')
  off = ['tickets']
  mcp.view()
  const seen = recorded.map(({ action, target, sessionId, data }) => [action, target, sessionId, data['why']])
  const failed = (name: string, why: string) => [
    ['mcp.started', name, 'chat-1', undefined],
    ['mcp.failed', name, 'chat-1', why],
    ['mcp.started', name, 'chat-2', undefined],
    ['mcp.failed', name, 'chat-2', why],
  ]
  expect(seen.filter(([, name]) => name === 'tickets')).toEqual([
    ['mcp.started', 'tickets', 'chat-1', undefined],
    ['mcp.ended', 'tickets', 'chat-1', 'it was turned off'],
  ])
  expect(seen.filter(([, name]) => name === 'gone')).toEqual(failed('gone', 'the program was not found'))
  expect(seen.filter(([, name]) => name === 'unset')).toEqual(failed('unset', 'a variable is not set'))
  expect(recorded.find(({ target }) => target === 'gone')).toMatchObject({
    actor: 'app',
    data: { program: 'no-such-program', digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
  })
  expect(JSON.stringify(recorded)).not.toContain('4711')
})

test('a server that ends by itself is on record as failed, once', async () => {
  writeServers(home, { tickets: stdioEntry(home) })
  await mcp.ready('chat')
  await mcp.call(
    mcp.tools().find(({ tool }) => tool === 'crash')!,
    call,
  )
  await mcp.close()
  const seen = recorded.map(({ action, data }) => [action, data['why']])
  expect(seen).toEqual([
    ['mcp.started', undefined],
    ['mcp.failed', 'it ended by itself'],
  ])
})

test('a server whose start can not be put on record is not started', async () => {
  record = () => {
    throw new Error('The disk is full.')
  }
  writeServers(home, { tickets: stdioEntry(home) })
  await mcp.ready('chat')
  expect([startsOf(home), mcp.view().servers[0]?.status]).toEqual([[], 'failed'])
})

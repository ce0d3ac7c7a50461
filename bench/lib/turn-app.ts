import { cpSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createApp, type App } from '../../src/main/app'
import { insertCall } from '../../src/main/db/call-rows'
import { insertMessage } from '../../src/main/db/message-rows'
import { endModelCall, insertModelCall } from '../../src/main/db/model-call-rows'
import { openDb, type Connection } from '../../src/main/db/open'
import { takeSeq, takeStep } from '../../src/main/db/session-rows'
import type { HistoryEntry } from '../../src/main/llm/types'
import type { Envelope, Part } from '../../src/shared/domain/session'
import { benchLog } from './scanning'

/** The model of the fake server. */
export const MODEL_ID = 'claude-bench'
export const MODEL = `bench/${MODEL_ID}`
export const PRACTICE_KEY = 'not-a-key'

/** The whole app without a window, with the skills of `home` and its data in `dataDir`. */
export async function openApp(home: string, dataDir: string): Promise<App> {
  // As in a release, not in the folder of data, whose changes would be watched then.
  const resourcesDir = join(dirname(dataDir), 'resources')
  mkdirSync(join(resourcesDir, 'skills'), { recursive: true })
  const app = await createApp({
    dataDir,
    resourcesDir,
    homeDir: home,
    policyDir: null,
    env: { PATH: process.env['PATH'], HOME: home, BENCH_KEY: PRACTICE_KEY },
    workerFile: join(__dirname, 'worker.cjs'),
    secrets: { available: false, backend: 'none', reason: '', seal: refuse, open: refuse },
    desktop: {
      pickFolder: async () => null,
      pickNewFile: async () => null,
      openExternal: async () => undefined,
      reveal: async () => undefined,
      dragFile: () => undefined,
      hasTerminal: () => false,
      openTerminal: async () => undefined,
    },
    fetch,
    now: () => Date.now(),
    log: benchLog,
    version: '0.0.0',
    runtime: 'bench',
  })
  await allSkills(app)
  return app
}

/** A folder of data with one chat in which this was said; gives the chat's id. */
export async function makeData(
  { home, dataDir, url }: { home: string; dataDir: string; url: string },
  history: readonly HistoryEntry[],
): Promise<string> {
  const app = await openApp(home, dataDir)
  await app.handlers['providers.save']({
    id: 'bench',
    kind: 'anthropic',
    label: 'Bench',
    baseUrl: url,
    models: [MODEL_ID],
    key: { store: 'env', name: 'BENCH_KEY' },
  })
  const { id } = await app.handlers['sessions.create']({ projectDir: null, model: MODEL })
  await app.close()
  const db = openDb(join(dataDir, 'satchel.db'))
  db.tx(() => {
    history.forEach((entry, at) => insertEntry(db.sql, { id, at }, entry))
    insertLastCall(db.sql, { id, at: history.length - 1 })
  })
  db.close()
  return id
}

/** Title of the chat that is measured in the window. */
export const LONG_CHAT = 'A long talk'

/** The same for the window: the chat has a title, and a newer one is there that is shown at the start. */
export async function makeWindowData(
  place: { home: string; dataDir: string; url: string },
  history: readonly HistoryEntry[],
): Promise<void> {
  const sessionId = await makeData(place, history)
  const app = await openApp(place.home, place.dataDir)
  await app.handlers['sessions.rename']({ sessionId, title: LONG_CHAT })
  await app.handlers['sessions.create']({ projectDir: null, model: MODEL })
  await app.close()
}

export function copyData(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
}

function insertEntry(sql: Connection, { id, at }: { id: string; at: number }, entry: HistoryEntry): void {
  if (entry.role === 'tool') return insertResults(sql, { id, at }, entry.results)
  const text = entry.role === 'user' ? entry.text : textIn(entry.providerMessages)
  const calls = entry.role === 'user' ? 0 : callsIn(entry.providerMessages).length
  const parts: Part[] = [
    { type: 'text', text },
    ...Array.from({ length: calls }, (): Part => ({ type: 'tool', callId: `call_${at + 1}` })),
  ]
  insertMessage(sql, {
    id: `msg_${at}`,
    sessionId: id,
    seq: takeSeq(sql, id),
    role: entry.role,
    status: 'done',
    parts,
    usage: entry.role === 'user' ? null : { inputTokens: 100, outputTokens: 20 },
    model: entry.role === 'user' ? null : MODEL,
    createdAt: at + 1,
    providerMessages: entry.role === 'user' ? null : entry.providerMessages,
  })
}

/** As the app keeps the call that the last entry answers, so that the chat opens as one that was just left. */
function insertLastCall(sql: Connection, { id: sessionId, at }: { id: string; at: number }): void {
  const texts = { blocks: [], tools: '', catalogue: '', kept: 0, added: [] }
  const counts = { parts: { conversation: 1000 }, meter: 1000 }
  const call = { id: 'mc_made', sessionId, number: 1, kind: 'answer' as const, messageId: `msg_${at}` }
  insertModelCall(sql, { ...call, ...texts, ...counts, model: MODEL, startedAt: at })
  const usage = { inputTokens: 1000, outputTokens: 20 }
  endModelCall(sql, call.id, { outcome: 'answered', usage, costUsd: null, retries: 0, endedAt: at })
}

/** The entry before it is the answer that made the calls. */
function insertResults(
  sql: Connection,
  { id, at }: { id: string; at: number },
  results: Extract<HistoryEntry, { role: 'tool' }>['results'],
): void {
  for (const { providerCallId, toolName, value } of results) {
    insertCall(sql, {
      id: `call_${at}`,
      sessionId: id,
      messageId: `msg_${at - 1}`,
      providerCallId,
      step: takeStep(sql, id),
      name: toolName,
      input: {},
      state: 'done',
      envelope: value as Envelope,
      requestId: null,
      runId: null,
      startedAt: at,
      endedAt: at,
    })
  }
}

function partsOf(providerMessages: readonly unknown[]): { type: string; text?: string }[] {
  return providerMessages.flatMap((message) => (message as { content: { type: string }[] }).content)
}

function textIn(providerMessages: readonly unknown[]): string {
  return partsOf(providerMessages)
    .map(({ text = '' }) => text)
    .join('')
}

function callsIn(providerMessages: readonly unknown[]): unknown[] {
  return partsOf(providerMessages).filter(({ type }) => type === 'tool-call')
}

/** What is still looked for in the background would be measured too. */
async function allSkills(app: App): Promise<void> {
  const closing = new AbortController()
  for await (const change of app.handlers['skills.watch']({ projectDir: null }, closing.signal)) {
    if (change.totals) closing.abort()
  }
}

function refuse(): never {
  throw new Error('there is no keyring in a benchmark')
}

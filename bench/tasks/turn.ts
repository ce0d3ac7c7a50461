import { readFileSync, rmSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAnthropic } from '@ai-sdk/anthropic'
import { jsonSchema, streamText, type ModelMessage, type ToolSet } from 'ai'
import type { App } from '../../src/main/app'
import type { HistoryEntry } from '../../src/main/llm/types'
import type { Task } from '../child'
import { madeChat, QUESTION } from '../lib/made-chat'
import { threadMs } from '../lib/scanning'
import { summarise } from '../lib/statistics'
import { copyData, makeData, MODEL_ID, openApp, PRACTICE_KEY } from '../lib/turn-app'

/** What both sides are told. */
export interface TurnArgs {
  home: string
  /** A folder of data with the chat. */
  dataDir: string
  sessionId: string
  url: string
  messages: number
  seed: number
  /** Turns that are measured, after one that is not. */
  turns: number
  /** Calls of a model in each. */
  calls: number
  /** Bare only: a file with what the app sends beside the history. */
  beside: string
}

/** Rules and tools as the app sends them, and what its tool gave. */
export interface Beside {
  system: string[]
  tools: { name: string; description: string; input_schema: Record<string, unknown> }[]
  result: unknown
}

/** Makes the folder of data that every sample starts from. `ms` is how long that took. */
export const turnData: Task<TurnArgs> = async ({ home, dataDir, url, messages, seed }) => {
  const started = performance.now()
  const id = await makeData({ home, dataDir, url }, madeChat(messages, seed))
  return { ms: performance.now() - started, found: { id: [id] } }
}

/** Turns of the whole app without a window: from sending a message to the idle chat, by call of the model. */
export const turn: Task<TurnArgs> = async ({ home, dataDir, sessionId, turns, calls }) => {
  const scratch = mkdtempSync(join(tmpdir(), 'satchel-bench-'))
  copyData(dataDir, join(scratch, 'data'))
  const app = await openApp(home, join(scratch, 'data'))
  try {
    const page = await follow(app, sessionId)
    const times: number[] = []
    let cpu = threadMs()
    for (let at = 0; at <= turns; at++) {
      if (at === 1) cpu = threadMs()
      const started = performance.now()
      await app.handlers['sessions.send']({ sessionId, text: QUESTION })
      await page.idle()
      times.push((performance.now() - started) / calls)
    }
    const thread = (threadMs() - cpu) / turns / calls
    page.close()
    const { opened, bytes } = page
    const first = times.shift()!
    return { ms: summarise(times).median, series: { times }, numbers: { first, opened, bytes, thread } }
  } finally {
    await app.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The same with the provider package alone: the history is a list in memory, the tool's result a constant. */
export const turnBare: Task<TurnArgs> = async ({ beside, url, messages, seed, turns, calls }) => {
  const { system, tools, result } = JSON.parse(readFileSync(beside, 'utf8')) as Beside
  const history: ModelMessage[] = madeChat(messages, seed).flatMap(asMessages)
  const call = bareCall({ system, tools, url })
  const times: number[] = []
  let cpu = threadMs()
  for (let at = 0; at <= turns; at++) {
    if (at === 1) cpu = threadMs()
    const started = performance.now()
    history.push({ role: 'user', content: [{ type: 'text', text: QUESTION }] })
    for (let made = 0; made < calls; made++) {
      const answer = await call(history)
      history.push(...answer, ...resultsFor(answer, result))
    }
    times.push((performance.now() - started) / calls)
  }
  const thread = (threadMs() - cpu) / turns / calls
  const first = times.shift()!
  return { ms: summarise(times).median, series: { times }, numbers: { first, thread } }
}

type Answer = Extract<ModelMessage, { role: 'assistant' }>

function bareCall({ system, tools, url }: Pick<Beside, 'system' | 'tools'> & { url: string }) {
  const model = createAnthropic({ apiKey: PRACTICE_KEY, baseURL: url })(MODEL_ID)
  const offered: ToolSet = Object.fromEntries(
    tools.map(({ name, description, input_schema }) => [
      name,
      { description, inputSchema: jsonSchema(input_schema) },
    ]),
  )
  return async (messages: ModelMessage[]): Promise<Answer[]> => {
    const result = streamText({
      model,
      instructions: system.map((content) => ({ role: 'system' as const, content })),
      messages,
      tools: offered,
      maxOutputTokens: 8192,
      maxRetries: 0,
      providerOptions: { anthropic: { toolStreaming: false } },
    })
    for await (const part of result.stream) if (part.type === 'error') throw part.error
    return (await result.responseMessages).filter((message) => message.role === 'assistant')
  }
}

function resultsFor(answer: readonly Answer[], value: unknown): ModelMessage[] {
  const calls = answer.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter((part) => part.type === 'tool-call'),
  )
  if (calls.length === 0) return []
  return [toolMessage(calls.map(({ toolCallId, toolName }) => ({ toolCallId, toolName, value })))]
}

function asMessages(entry: HistoryEntry): ModelMessage[] {
  if (entry.role === 'user') return [{ role: 'user', content: [{ type: 'text', text: entry.text }] }]
  if (entry.role === 'assistant') return entry.providerMessages as ModelMessage[]
  return [toolMessage(entry.results.map((result) => ({ ...result, toolCallId: result.providerCallId })))]
}

function toolMessage(
  results: readonly { toolCallId: string; toolName: string; value: unknown }[],
): ModelMessage {
  const content = results.map(({ toolCallId, toolName, value }) => ({
    type: 'tool-result' as const,
    toolCallId,
    toolName,
    output: { type: 'json' as const, value: value as never },
  }))
  return { role: 'tool', content }
}

interface OpenChat {
  /** Milliseconds until the page had the chat, and how much it was as JSON. */
  opened: number
  bytes: number
  /** When the turn that was sent has ended. */
  idle(): Promise<void>
  close(): void
}

/** What a page does: it opens the chat and follows it. */
async function follow(app: App, sessionId: string): Promise<OpenChat> {
  const closing = new AbortController()
  const started = performance.now()
  const events = app.handlers['sessions.watch']({ sessionId }, closing.signal)[Symbol.asyncIterator]()
  const snapshot = await events.next()
  const opened = performance.now() - started
  return {
    opened,
    bytes: Buffer.byteLength(JSON.stringify(snapshot.value)),
    async idle() {
      let ran = false
      for (;;) {
        const { value, done } = await events.next()
        if (done) throw new Error('the chat was closed')
        if (value.t !== 'session') continue
        ran ||= value.session.state === 'running'
        if (ran && value.session.state === 'idle') return
      }
    },
    close: () => closing.abort(),
  }
}

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HistoryEntry } from '../../src/main/llm/types'
import { heapMb, measureChat, type ChatTimes } from '../lib/chat-measure'
import { madeChat } from '../lib/made-chat'
import { limitVerdict, notMeasured, print, spread, table, type Outcome } from '../lib/report'
import { percentile, summarise } from '../lib/statistics'
import { LONG_CHAT, makeWindowData } from '../lib/turn-app'
import { openApp, openBare, prepareApp, untilQuiet, type MeasuredWindow } from '../lib/window-app'
import { measureList } from '../lib/window-measure'
import type { Options } from '../main'

const BARE = { open: '#open', scroller: '#list', row: '.row', filter: '#filter' }

interface Round extends ChatTimes {
  /** Megabytes of the page's heap before the chat was opened, and after it was scrolled. */
  before: number
  after: number
  /** Megabytes of the rows of the turns that were drawn, as JSON. */
  data: number
  /** The bare list: from the click to the second frame. */
  bare: number
}

/** A long chat in the real window (G6.4): opening, scrolling upwards, heap and elements. */
export async function chatSuite({ rounds, seed, messages }: Options): Promise<Outcome> {
  const outcome: Outcome = { verdicts: [], mismatches: [] }
  if (process.platform === 'linux' && !process.env['DISPLAY']) {
    const goal = { id: 'G6.4', text: 'a long chat' }
    outcome.verdicts.push(notMeasured(goal, '', 'no display: run it under xvfb-run'))
    return outcome
  }
  const scratch = mkdtempSync(join(tmpdir(), 'satchel-bench-chat-'))
  try {
    const [root, home, data] = [process.cwd(), join(scratch, 'home'), join(scratch, 'data')]
    mkdirSync(home)
    const count = messages.at(-1)!
    const chat = madeChat(count, seed)
    await makeWindowData({ home, dataDir: data, url: 'http://127.0.0.1:9' }, chat)
    const electron = prepareApp(root)
    const found: Round[] = []
    for (let round = 0; round < rounds; round += 1) {
      const ours = await within(await openApp(electron, root, home, data), measured)
      const bare = await within(await openBare(electron, root, count), ({ page }) => measureList(page, BARE))
      found.push({ ...ours, data: megabytesOf(chat, ours.turns), bare: bare.firstPaint })
    }
    print(`\n${count} messages`)
    print(table(['', 'Satchel'], rowsOf(found)))
    outcome.verdicts.push(...verdicts(found))
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return outcome
}

/** Of the last turns, each of which begins with what the person says. */
function megabytesOf(chat: readonly HistoryEntry[], turns: number): number {
  const begins = chat.flatMap(({ role }, at) => (role === 'user' ? [at] : []))
  return JSON.stringify(chat.slice(begins.at(-turns) ?? 0)).length / 1e6
}

async function within<T>(window: MeasuredWindow, work: (window: MeasuredWindow) => Promise<T>): Promise<T> {
  try {
    await untilQuiet(window)
    return await work(window)
  } finally {
    await window.close()
  }
}

async function measured({ page }: MeasuredWindow): Promise<Omit<Round, 'bare' | 'data'>> {
  const before = await heapMb(page)
  const times = await measureChat(page, LONG_CHAT)
  return { ...times, before, after: await heapMb(page) }
}

function rowsOf(rounds: readonly Round[]): string[][] {
  const of = (label: string, value: (round: Round) => number) => [label, spread(rounds.map(value))]
  return [
    of('opened, ms', ({ opened }) => opened),
    of('a bare list of as many rows, ms', ({ bare }) => bare),
    of('frame at 60 px, p95 ms', ({ slow }) => percentile(slow, 95)),
    of('frame at 1,200 px, p95 ms', ({ fast }) => percentile(fast, 95)),
    of('frames without rows at 60 px, %', ({ blankSlow }) => blankSlow * 100),
    of('frames without rows at 1,200 px, %', ({ blankFast }) => blankFast * 100),
    of('elements in the transcript', ({ nodes }) => nodes),
    of('heap of the page before, MB', ({ before }) => before),
    of('the chat in it, MB', ({ before, after }) => after - before),
    of('of that its data, MB', ({ data }) => data),
  ]
}

function verdicts(rounds: readonly Round[]): Outcome['verdicts'] {
  const of = (text: string, limit: number, unit: string, value: (round: Round) => number) =>
    limitVerdict({ id: 'G6.4', text, limit, unit }, summarise(rounds.map(value)).median)
  return [
    // 1.5 times the 30 ms of a bare virtual list of 10,000 messages.
    of('from the click to the end of the chat', 45, 'ms', ({ opened }) => opened),
    of('frame at 60 px p95', 16.8, 'ms', ({ slow }) => percentile(slow, 95)),
    of('frame at 1,200 px p95', 16.8, 'ms', ({ fast }) => percentile(fast, 95)),
    of('frames without rows at 1,200 px', 1, '%', ({ blankFast }) => blankFast * 100),
    of('elements in the transcript', 400, 'elements', ({ nodes }) => nodes),
    of('heap of the chat beside its data', 3, 'MB', ({ before, after, data }) => after - before - data),
  ]
}

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFakeProvider, type FakeProvider, type RecordedRequest } from '../../test/helpers/fake-provider'
import type { FakeTurn } from '../../test/helpers/fake-provider-turn'
import { alternate, runTask, type Samples } from '../lib/processes'
import { limitVerdict, print, short, spread, table, timesTable } from '../lib/report'
import type { Outcome } from '../lib/report'
import { summarise } from '../lib/statistics'
import { treeOf } from '../lib/tree'
import type { Options } from '../main'
import type { Beside, TurnArgs } from '../tasks/turn'

const CALLS = 6
const TURNS = 4
/** Milliseconds that the app may add to a call in a chat of at most so many messages (issue 4). */
const GOAL = { limit: 3, messages: 200 }

/** The app's time for each call of a model beside that of the provider package alone, with the same fake server. */
export async function turnSuite(options: Options): Promise<Outcome> {
  const outcome: Outcome = { verdicts: [], mismatches: [] }
  const scratch = mkdtempSync(join(tmpdir(), 'satchel-bench-turn-'))
  const fake = await startFakeProvider()
  fake.answerWith(answerTo)
  try {
    for (const messages of options.messages) {
      const dir = join(scratch, String(messages))
      await oneHistory({ options, fake, dir, messages }, outcome)
    }
  } finally {
    await fake.close()
    rmSync(scratch, { recursive: true, force: true })
  }
  return outcome
}

interface History {
  options: Options
  fake: FakeProvider
  dir: string
  messages: number
}

async function oneHistory(history: History, { verdicts, mismatches }: Outcome): Promise<void> {
  const { options, messages } = history
  const skills = options.sizes.find((size) => size >= 1000) ?? options.sizes.at(-1)!
  const args = await argsFor(history, skills)
  mismatches.push(...(await sameRequests(history, args)))
  const samples = await alternate(
    [
      { name: 'ours', task: 'turn', args },
      { name: 'bare', task: 'turn-bare', args },
    ],
    options.rounds,
    () => void history.fake.requests.splice(0),
  )
  print(`\nA call of a model, ${skills} skills, ${messages} messages, ${CALLS} calls in a turn, warm`)
  print(timesTable(samples, 'ours'))
  const added = addedBy(samples)
  print(`ours adds ${spread(added)} ms to each call; opening the chat: ${openingOf(samples)}`)
  print(`processor time of the thread alone for each call: ${threadOf(samples)}`)
  print(firstTable(samples))
  const text = `added to a call, ${skills} skills, ${messages} messages`
  const goal = { id: 'I4', text, limit: GOAL.limit, unit: 'ms' }
  if (messages <= GOAL.messages) verdicts.push(limitVerdict(goal, summarise(added).median))
}

/** The data, and what the app sends beside the history, as one run of it sends it. */
async function argsFor({ options, fake, dir, messages }: History, skills: number): Promise<TurnArgs> {
  const { home } = treeOf(skills, options.seed)
  const dataDir = join(dir, 'data')
  const beside = join(dir, 'beside.json')
  const { seed } = options
  const made: TurnArgs = {
    home,
    dataDir,
    sessionId: '',
    url: fake.url,
    messages,
    seed,
    turns: TURNS,
    calls: CALLS,
    beside,
  }
  const { result } = await runTask({ name: 'data', task: 'turn-data', args: made })
  const args = { ...made, sessionId: result.found!['id']![0]! }
  fake.requests.length = 0
  await runTask({ name: 'ours', task: 'turn', args: { ...args, turns: 1 } })
  writeFileSync(beside, JSON.stringify(besideOf(fake.requests)))
  return args
}

/** Both sides must send the same: the last call of a turn holds all that came before it. */
async function sameRequests({ fake, messages }: History, args: TurnArgs): Promise<string[]> {
  const sent: string[] = []
  for (const task of ['turn', 'turn-bare'] as const) {
    fake.requests.length = 0
    await runTask({ name: task, task, args: { ...args, turns: 1 } })
    sent.push(comparable(fake.requests.at(-1)!, fake.requests.length))
  }
  fake.requests.length = 0
  if (sent[0] === sent[1]) return []
  const length = Math.max(...sent.map((text) => text.length))
  const at = Array.from({ length }, (_, index) => index).find((index) => sent[0]![index] !== sent[1]![index])!
  const around = sent.map((text) => text.slice(Math.max(0, at - 60), at + 60))
  return [`the requests with ${messages} messages: "${around[0]}" and "${around[1]}"`]
}

interface Body {
  system: { text: string }[]
  tools: Beside['tools']
  messages: { role: string; content: { type: string; content?: { text?: string }[] | string }[] }[]
}

function besideOf(requests: readonly RecordedRequest[]): Beside {
  const { system, tools } = requests[0]!.body as Body
  const { messages } = requests[1]!.body as Body
  const content = messages.at(-1)!.content[0]!.content
  const text = typeof content === 'string' ? content : content?.[0]?.text
  return { system: system.map((block) => block.text), tools, result: JSON.parse(text ?? 'null') as unknown }
}

/** Without times and counts that the app takes while it runs, and without the marks for the provider's cache, which only the app sets. */
function comparable({ body }: RecordedRequest, requests: number): string {
  const { system, tools, messages } = body as Body
  const text = JSON.stringify({ requests, system, tools, messages }, (key, value: unknown) =>
    key === 'cache_control' ? undefined : value,
  )
  return text.replaceAll(/\\"(duration_ms|tokens|tokens_used)\\":\d+/g, '')
}

/** Calls of a tool until the last one of a turn, which is answered with text. */
function answerTo({ body }: RecordedRequest): FakeTurn {
  const { messages } = body as Body
  const asked = messages.findLastIndex(
    ({ role, content }) => role === 'user' && content.some(({ type }) => type === 'text'),
  )
  const answered = (messages.length - 1 - asked) / 2
  if (answered >= CALLS - 1) return { text: ['These are ', 'the skills ', 'about invoices.'] }
  const input = { query: 'invoice', limit: 5 }
  return { text: ['I look.'], toolCalls: [{ name: 'skills_list', input, id: `toolu_at_${messages.length}` }] }
}

function addedBy(samples: Samples): number[] {
  const [ours, bare] = [samples.get('ours')!, samples.get('bare')!]
  return ours.map(({ ms }, round) => ms - bare[round]!.ms)
}

/** What other programs take is not in it, nor what is waited for. */
function threadOf(samples: Samples): string {
  const of = (side: string) => spread(samples.get(side)!.map(({ result }) => result.numbers!['thread']!))
  return `ours ${of('ours')} ms, bare ${of('bare')} ms`
}

function openingOf(samples: Samples): string {
  const numbers = samples.get('ours')!.map(({ result }) => result.numbers!)
  const opened = spread(numbers.map((all) => all['opened']!))
  return `${opened} ms, ${short(numbers[0]!['bytes']! / 1000)} kB to the page`
}

function firstTable(samples: Samples): string {
  const rows = [...samples].map(([name, list]) => [
    name,
    spread(list.map(({ result }) => result.numbers!['first']!)),
  ])
  return table(['a call of the first turn of a process', 'ms'], rows)
}

import { parseArgs } from 'node:util'
import { describeRun } from './lib/machine'
import { exitCode, print, verdictTable } from './lib/report'
import type { Outcome } from './lib/report'
import { cleanCache } from './lib/tree'

/** What a suite is run with. */
export interface Options {
  sizes: number[]
  rounds: number
  seed: number
  /** Also with dropped caches of the system (root on Linux only). */
  cold: boolean
  /** Messages in the chat of `turn`. */
  messages: number[]
  /** Of the record of `audit`. */
  entries: number
  /** More folders of real skills for `tokens`. */
  folders: string[]
}

/** Each loads only what it needs. */
const suites: Record<string, () => Promise<(options: Options) => Promise<Outcome>>> = {
  discovery: async () => (await import('./suites/discovery')).discoverySuite,
  search: async () => (await import('./suites/search')).searchSuite,
  watch: async () => (await import('./suites/watch')).watchSuite,
  turn: async () => (await import('./suites/turn')).turnSuite,
  exec: async () => (await import('./suites/exec')).execSuite,
  audit: async () => (await import('./suites/audit')).auditSuite,
  tokens: async () => (await import('./suites/tokens')).tokensSuite,
  chat: async () => (await import('./suites/chat')).chatSuite,
  library: async () => (await import('./suites/library')).librarySuite,
}

const USAGE = `npm run bench -- <${Object.keys(suites).join('|')}> [options]

  --sizes 100,1000,10000   how many skills (search, watch and library: the largest two)
  --rounds 7               runs of each side, at least 7 for results worth keeping
  --seed 1                 of the generated skills
  --cold                   discovery: also with the system's caches dropped (root on Linux)
  --messages 200,10000     turn: how long the chat is; chat: the last of them
  --entries 1000000        audit: how long the record is
  --skills <folder>        tokens: more real skills, may be repeated
  --clean                  removes generated trees and installed packages`

async function run(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      sizes: { type: 'string', default: '100,1000,10000' },
      rounds: { type: 'string', default: '7' },
      seed: { type: 'string', default: '1' },
      messages: { type: 'string', default: '200,10000' },
      entries: { type: 'string', default: '1000000' },
      cold: { type: 'boolean', default: false },
      skills: { type: 'string', multiple: true, default: [] },
      clean: { type: 'boolean', default: false },
    },
  })
  if (values.clean) cleanCache()
  const suite = suites[positionals[0] ?? '']
  if (!suite || positionals.length > 1) {
    if (values.clean && positionals.length === 0) return 0
    process.stderr.write(`${USAGE}\n`)
    return 2
  }
  for (const line of describeRun()) print(line)
  const outcome = await (
    await suite()
  )({
    sizes: values.sizes.split(',').map((size) => countOf('--sizes', size)),
    rounds: countOf('--rounds', values.rounds),
    seed: countOf('--seed', values.seed),
    messages: values.messages.split(',').map((count) => countOf('--messages', count)),
    entries: countOf('--entries', values.entries),
    cold: values.cold,
    folders: values.skills,
  })
  print(`\n${verdictTable(outcome.verdicts)}`)
  for (const mismatch of outcome.mismatches) print(`NOT THE SAME: ${mismatch}`)
  return exitCode(outcome)
}

function countOf(option: string, text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count > 0) return count
  throw new Error(`${option} takes whole numbers above 0, not "${text}"`)
}

run(process.argv.slice(2)).then(
  (code) => void (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    process.exitCode = 1
  },
)

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { catalogueInSteps, fixedCatalogue } from '../../src/main/sessions/instructions/catalogue'
import type { Catalogue } from '../../src/main/sessions/instructions/catalogue'
import { createRelevance, warmRelevance } from '../../src/main/sessions/instructions/relevance'
import { compactStyle } from '../../src/main/sessions/styles/compact'
import { createSkillBodies } from '../../src/main/sessions/instructions/skill-bodies'
import type { Steps } from '../../src/main/sessions/turn/steps'
import type { SkillRecord } from '../../src/main/skills/record'
import { createScanner } from '../../src/main/skills/scan/scanner'
import { createStore } from '../../src/main/skills/store/store'
import { listTree } from '../../src/main/skills/store/tree'
import type { Task } from '../child'
import type { Listed } from '../lib/compare'
import { benchLog, collectDeltas, inputFor } from '../lib/scanning'

interface ActivateArgs {
  home: string
  /** How many skills are loaded. */
  skills: number
}

/** Characters of the skills that are loaded: about 10 kB in all their files. */
const SMALLEST = 8_000
const LARGEST = 14_000

/**
 * Loading a skill: every file is copied into a sealed snapshot, its digest is taken, and its text goes through a message
 * port, as it would to a window. `first` has no snapshot yet, `again` has one; `bare` only makes the same files.
 */
export const activate: Task<ActivateArgs> = async ({ home, skills }) => {
  const scratch = mkdtempSync(join(tmpdir(), 'satchel-bench-'))
  const { records, onDelta } = collectDeltas()
  const scanner = createScanner({ indexFile: null, watch: false, onDelta, log: benchLog })
  try {
    scanner.configure(inputFor(home, scratch))
    await scanner.refresh()
    const chosen = [...records.values()].filter(isTypical).slice(0, skills)
    const store = createStore({ dataDir: join(scratch, 'data') })
    const port = echo()
    const load = async (record: SkillRecord) => {
      const started = performance.now()
      const { digest } = await store.snapshot(record)
      const { body } = await createSkillBodies(store).get(digest, record.name)
      await port.send(body)
      return performance.now() - started
    }
    const bare: number[] = []
    const first: number[] = []
    const again: number[] = []
    for (const [at, record] of chosen.entries()) {
      bare.push(copyOf(record.rootDir, join(scratch, `bare-${at}`)))
      first.push(await load(record))
    }
    for (const record of chosen) again.push(await load(record))
    port.close()
    return { ms: 0, series: { bare, first, again }, numbers: { skills: chosen.length } }
  } finally {
    scanner.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Milliseconds that the system needs to make the folders and files of a copy, whose bytes are known. */
function copyOf(from: string, to: string): number {
  const { files } = listTree(from, { maxFiles: 1000, allowHardLinks: true })
  const bytes = files.map(({ real }) => readFileSync(real))
  const started = performance.now()
  for (const [at, { path }] of files.entries()) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    writeFileSync(join(to, path), bytes[at]!)
  }
  return performance.now() - started
}

function isTypical({ broken, tokens }: SkillRecord): boolean {
  const size = (tokens.body + tokens.files) * 4
  return !broken && size > SMALLEST && size < LARGEST
}

function echo(): { send(text: string): Promise<void>; close(): void } {
  const { port1, port2 } = new MessageChannel()
  port2.on('message', (text) => port2.postMessage((text as string).length))
  return {
    send: (text) =>
      new Promise((resolve) => {
        port1.once('message', () => resolve())
        port1.postMessage(text)
      }),
    close: () => port1.close(),
  }
}

interface CatalogueArgs {
  list: string
  /** Skills of the list that are in it. */
  counts: number[]
}

const LIMITS = { maxEntries: 50, maxTokens: 4000 }

/**
 * The text every model call begins with: how long the longest step takes in which nothing else can be done, how long the
 * text is. As in the app the words of the skills are counted first, in small steps, when the registry tells of them.
 */
export const catalogue: Task<CatalogueArgs> = async ({ list, counts }) => {
  const skills = JSON.parse(readFileSync(list, 'utf8')) as Listed[]
  // As the registry lists them.
  skills.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  const series: Record<string, number[]> = {}
  for (const count of counts) {
    const chosen = skills.slice(0, count)
    const blocked = await longestSlice(chosen)
    const { longest, value } = longestStep(catalogueSteps(chosen))
    const { entries, tokens, text } = value
    const compact =
      typeof compactStyle.list === 'string' ? fixedCatalogue(chosen, compactStyle.list).text : ''
    series[String(count)] = [
      Math.max(longest, blocked),
      entries,
      tokens,
      Buffer.byteLength(text),
      Buffer.byteLength(compact),
    ]
  }
  return { ms: 0, series }
}

/** As the app makes it before the next call of a model. */
function* catalogueSteps(chosen: readonly Listed[]): Steps<Catalogue> {
  const found = createRelevance(chosen)
  yield
  return yield* catalogueInSteps(chosen, LIMITS, { relevance: () => found.score('Fill in a pdf invoice') })
}

function longestStep<T>(steps: Steps<T>): { longest: number; value: T } {
  let longest = 0
  for (;;) {
    const started = performance.now()
    const step = steps.next()
    longest = Math.max(longest, performance.now() - started)
    if (step.done) return { longest, value: step.value }
  }
}

/** Milliseconds of the longest step of counting their words. */
async function longestSlice(skills: readonly Listed[]): Promise<number> {
  let before = performance.now()
  let longest = 0
  const look = setInterval(() => {
    longest = Math.max(longest, performance.now() - before)
    before = performance.now()
  }, 0)
  await warmRelevance(skills)
  clearInterval(look)
  return longest
}

import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScanner } from '../../src/main/skills/scan/scanner'
import type { Task } from '../child'
import { applyBurst, BURSTS, expectAfter, namesFor, skillMd } from '../lib/bursts'
import type { Burst, Expected } from '../lib/bursts'
import { inotifyWatches } from '../lib/inotify'
import { benchLog, collectDeltas, inputFor } from '../lib/scanning'
import type { Collected } from '../lib/scanning'
import { writeTree } from '../lib/tree'

interface Args {
  count: number
  seed: number
  /** Edits of one skill each, to see how long one takes. */
  edits: number
  /** The bursts come from another process. */
  other: boolean
}

interface World {
  dir: string
  collected: Collected
  expected: Expected
}

/** After so many milliseconds a change counts as missed: a regular look comes every 5 s. */
const PATIENCE_MS = 12_000
const STEP_MS = 2

/** A scanner that watches a fresh tree, single edits, then bursts: what was seen, after how long, what was missed. */
export const watchBurst: Task<Args> = async ({ count, seed, edits, other }) => {
  const home = mkdtempSync(join(tmpdir(), 'satchel-bench-'))
  const dir = join(home, '.satchel', 'skills')
  writeTree(dir, count, seed)
  const collected = collectDeltas()
  const indexFile = join(home, 'index.db')
  const scanner = createScanner({ indexFile, watch: true, onDelta: collected.onDelta, log: benchLog })
  const writer = other ? fork(join(__dirname, 'writer.cjs')) : null
  try {
    scanner.configure(inputFor(home, join(home, 'scratch')))
    await scanner.refresh()
    const watches = inotifyWatches() ?? -1
    const world: World = { dir, collected, expected: new Map(startOf(collected)) }
    const latency = await singleEdits(world, edits)
    return {
      ms: 0,
      series: { latency, ...(await bursts(world, writer)) },
      numbers: { watches, skills: count },
    }
  } finally {
    writer?.kill()
    scanner.close()
    rmSync(home, { recursive: true, force: true })
  }
}

function startOf(collected: Collected): [string, string][] {
  return usable(collected).map(({ folder, description }) => [folder, description])
}

function usable({ records }: Collected): { folder: string; description: string }[] {
  return [...records.values()].filter(({ broken, parent }) => !broken && parent === null)
}

async function singleEdits(world: World, edits: number): Promise<number[]> {
  const folders = [...world.expected.keys()]
  const latency: number[] = []
  for (let edit = 0; edit < edits; edit++) {
    const folder = folders[(edit * 37) % folders.length]!
    const description = `edit ${edit}`
    writeFileSync(join(world.dir, folder, 'SKILL.md'), skillMd(folder, description))
    world.expected.set(folder, description)
    const { ms } = await settle(world, [folder])
    latency.push(ms)
    await pause(20)
  }
  return latency
}

/** For each burst: how many were missed, and after how many milliseconds the last one was seen. */
async function bursts(world: World, writer: ChildProcess | null): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {}
  for (const [burst, times] of BURSTS) {
    const names = namesFor(burst, times, world.expected)
    const changes = await perform({ dir: world.dir, burst, names }, writer)
    expectAfter(world.expected, changes)
    const { missed, ms } = await settle(world, null)
    found[burst] = [missed, ms, names.length]
  }
  return found
}

function perform(
  order: { dir: string; burst: Burst; names: string[] },
  writer: ChildProcess | null,
): Promise<[string, string][]> | [string, string][] {
  if (!writer) return applyBurst(order.dir, order.burst, order.names)
  const done = new Promise<[string, string][]>((resolve, reject) => {
    writer.once('message', (changes) => resolve(changes as [string, string][]))
    writer.once('exit', () => reject(new Error('the writing process ended')))
  })
  writer.send(order)
  return done
}

/** Waits until everything (or these folders) is as it must be, at most `PATIENCE_MS`. */
async function settle(world: World, folders: string[] | null): Promise<{ missed: number; ms: number }> {
  const started = performance.now()
  for (;;) {
    const missed = wrong(world, folders)
    const ms = performance.now() - started
    if (missed === 0 || ms > PATIENCE_MS) return { missed, ms }
    await pause(folders ? STEP_MS : STEP_MS * 10)
  }
}

function wrong({ collected, expected }: World, folders: string[] | null): number {
  if (folders) {
    const records = [...collected.records.values()]
    const right = (folder: string) =>
      records.some((record) => record.folder === folder && record.description === expected.get(folder))
    return folders.filter((folder) => !right(folder)).length
  }
  const have = new Map(usable(collected).map(({ folder, description }) => [folder, description]))
  const missing = [...expected].filter(([folder, description]) => have.get(folder) !== description).length
  return missing + [...have.keys()].filter((folder) => !expected.has(folder)).length
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

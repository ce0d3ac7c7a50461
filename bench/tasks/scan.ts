import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createScanner } from '../../src/main/skills/scan/scanner'
import type { Task } from '../child'
import { benchLog, collectDeltas, cpuMs, inputFor, listedOf, threadMs } from '../lib/scanning'
import { summarise } from '../lib/statistics'

interface DiscoverArgs {
  home: string
  /** Kept from an earlier start: nothing that is unchanged is read. Null: everything is new. */
  indexFile: string | null
  withList: boolean
}

/**
 * The first look of the app in a fresh process, until every skill is there with its name, description and flags, all
 * of them checked. What comes after that (files, scripts, counts, problems) is `complete`.
 */
export const discover: Task<DiscoverArgs> = async ({ home, indexFile, withList }) => {
  const scratch = mkdtempSync(join(tmpdir(), 'satchel-bench-'))
  const collected = collectDeltas()
  const file = indexFile ?? join(scratch, 'index.db')
  const input = inputFor(home, scratch)
  const cpu = cpuMs()
  const thread = threadMs()
  const started = performance.now()
  const scanner = createScanner({ indexFile: file, watch: false, onDelta: collected.onDelta, log: benchLog })
  scanner.configure(input)
  await scanner.refresh()
  const ended = performance.now()
  scanner.close()
  rmSync(scratch, { recursive: true, force: true })
  return {
    ms: collected.listedAt - started,
    numbers: {
      complete: ended - started,
      cpu: collected.listedCpu - cpu,
      thread: collected.listedThread - thread,
      skills: collected.records.size,
    },
    ...(withList ? { listed: listedOf(collected.records.values()) } : {}),
  }
}

/** Longer than the events of a change are waited for. */
const QUIET_MS = 300

interface RescanArgs {
  home: string
  indexFile: string
  skillsDir: string
  /** Folder of the skill that is changed. */
  folder: string
  repeats: number
}

/**
 * The look at everything after one SKILL.md was changed, in a scanner that watches and has looked before, as the app
 * makes it when it is told to look anew. (A refresh by hand, and where nothing is watched, compares the times of every
 * folder too.) The file is put back afterwards.
 */
export const rescan: Task<RescanArgs> = async ({ home, indexFile, skillsDir, folder, repeats }) => {
  const scratch = mkdtempSync(join(tmpdir(), 'satchel-bench-'))
  const collected = collectDeltas()
  const scanner = createScanner({ indexFile, watch: true, onDelta: collected.onDelta, log: benchLog })
  const input = inputFor(home, scratch)
  scanner.configure(input)
  await scanner.refresh()
  const file = join(skillsDir, folder, 'SKILL.md')
  const text = readFileSync(file)
  const times: number[] = []
  const seen: string[] = []
  try {
    for (let repeat = 0; repeat < repeats; repeat++) {
      writeFileSync(file, `---\nname: ${folder}\ndescription: Change ${repeat}.\n---\nBody.\n`)
      const started = performance.now()
      const ended = collected.nextComplete()
      scanner.configure(input)
      times.push((await ended) - started)
      await setTimeout(QUIET_MS)
      seen.push([...collected.records.values()].find((record) => record.folder === folder)?.description ?? '')
    }
  } finally {
    writeFileSync(file, text)
    await scanner.refresh()
    scanner.close()
    rmSync(scratch, { recursive: true, force: true })
  }
  const missed = seen.filter((description, repeat) => description !== `Change ${repeat}.`).length
  return { ms: summarise(times).median, series: { times }, numbers: { missed } }
}

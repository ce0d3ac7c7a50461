import { watch, writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScanner } from '../../src/main/skills/scan/scanner'
import type { Task } from '../child'
import { skillMd } from '../lib/bursts'
import { benchLog, collectDeltas, inputFor } from '../lib/scanning'
import { writeTree } from '../lib/tree'

interface IdleArgs {
  home: string
  /** An index of an earlier start, so that nothing is left to be read. */
  indexFile: string
  watching: boolean
  seconds: number
}

/** What a scanner costs while nothing happens: share of one core, and memory that stays. */
export const watchIdle: Task<IdleArgs> = async ({ home, indexFile, watching, seconds }) => {
  const scratch = mkdtempSync(join(tmpdir(), 'satchel-bench-'))
  const { onDelta } = collectDeltas()
  const scanner = createScanner({ indexFile, watch: watching, onDelta, log: benchLog })
  try {
    scanner.configure(inputFor(home, scratch))
    await scanner.refresh()
    await pause(1000)
    globalThis.gc?.()
    const rssMb = process.memoryUsage.rss() / 2 ** 20
    const before = process.cpuUsage()
    await pause(seconds * 1000)
    const { user, system } = process.cpuUsage(before)
    return { ms: 0, numbers: { cpuPercent: (user + system) / 1e4 / seconds, rssMb } }
  } finally {
    scanner.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

interface LimitArgs {
  count: number
  seed: number
  /** Watches that the system allows here. */
  allowed: number
}

/** The system allows only so many watches: an edit of each skill must still be seen, and the roots must say so. */
export const watchLimit: Task<LimitArgs> = async ({ count, seed, allowed }) => {
  const home = mkdtempSync(join(tmpdir(), 'satchel-bench-'))
  const dir = join(home, '.satchel', 'skills')
  const skills = writeTree(dir, count, seed)
  const collected = collectDeltas()
  let notLive = 0
  const scanner = createScanner({
    indexFile: join(home, 'index.db'),
    watch: true,
    onDelta(delta) {
      collected.onDelta(delta)
      if (delta.roots) notLive = delta.roots.filter(({ live }) => live === 'limited').length
    },
    log: benchLog,
    fsWatch: limited(allowed),
  })
  try {
    scanner.configure(inputFor(home, join(home, 'scratch')))
    await scanner.refresh()
    for (const { folder } of skills)
      writeFileSync(join(dir, folder, 'SKILL.md'), skillMd(folder, 'Seen by looking.'))
    const started = performance.now()
    const left = () => count - [...collected.records.values()].filter(seen).length
    while (left() > 0 && performance.now() - started < 15_000) await pause(20)
    return { ms: performance.now() - started, numbers: { missed: left(), notLive } }
  } finally {
    scanner.close()
    rmSync(home, { recursive: true, force: true })
  }
}

function seen({ description }: { description: string }): boolean {
  return description === 'Seen by looking.'
}

/** `fs.watch` of a system that allows few watches. */
function limited(allowed: number): typeof watch {
  let used = 0
  const few = (...args: Parameters<typeof watch>) => {
    used += 1
    if (used > allowed) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })
    return watch(...args)
  }
  return few as typeof watch
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

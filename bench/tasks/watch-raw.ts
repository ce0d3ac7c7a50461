import { readdirSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Task } from '../child'

interface Args {
  /** Every folder in it is watched. */
  dir: string
  /** How often a SKILL.md is written. */
  edits: number
}

/** The latency of the system's own notification: one watch on each folder, a write, and the first event of it. */
export const watchRaw: Task<Args> = async ({ dir, edits }) => {
  const folders = readdirSync(dir)
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let seen: (() => void) | null = null
  const watches = folders.map((folder) => watch(join(dir, folder), () => seen?.()))
  globalThis.gc?.()
  const rssMb = (process.memoryUsage.rss() - before) / 2 ** 20
  const latency: number[] = []
  for (let edit = 0; edit < edits; edit++) {
    const event = new Promise<void>((resolve) => (seen = resolve))
    const started = performance.now()
    writeFileSync(join(dir, folders[edit % folders.length]!, 'SKILL.md'), `---\nname: x\n---\n${edit}\n`)
    await event
    latency.push(performance.now() - started)
    seen = null
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  for (const one of watches) one.close()
  return { ms: 0, series: { latency }, numbers: { rssMb } }
}

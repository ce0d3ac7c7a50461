import { createReadStream, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { Listing } from './listing'
import { slices } from '../lib/slices'
import { FileState } from './state'

/*
 * What there was before a run, on disk before it begins, so that a crash in the middle of it leaves its changes to be
 * seen and undone at the next start. One line for the folder, then one for each path. Each program has a folder of its
 * own for them: nobody else touches what a living one needs.
 */

const Head = z.object({
  root: z.string(),
  takenAt: z.number(),
  cut: z.boolean(),
  unread: z.array(z.string()),
  lines: z.number(),
})
const Line = z.union([z.tuple([z.string(), FileState]), z.tuple([z.string(), z.string()])])

export async function writeBefore(folder: string, requestId: string, listing: Listing): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { root, takenAt, cut, unread, entries, git } = listing
  const temporary = join(folder, `${requestId}.tmp`)
  const file = await open(temporary, 'w', 0o600)
  const breathe = slices()
  try {
    let block = `${JSON.stringify({ root, takenAt, cut, unread, lines: entries.size + git.size })}\n`
    for (const line of [...entries, ...git]) {
      block += `${JSON.stringify(line)}\n`
      if (block.length < 500_000) continue
      await file.write(block)
      block = ''
      await breathe()
    }
    await file.write(block)
  } finally {
    await file.close()
  }
  renameSync(temporary, fileOf(folder, requestId))
}

/** null: it is not whole. */
export async function readBefore(folder: string, requestId: string): Promise<Listing | null> {
  const input = createReadStream(fileOf(folder, requestId), 'utf8')
  let listing: Listing | null = null
  let missing = 0
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    if (!listing) {
      const { lines, ...head } = Head.parse(JSON.parse(text))
      missing = lines
      listing = { ...head, entries: new Map(), git: new Map() }
      continue
    }
    const [path, value] = Line.parse(JSON.parse(text))
    if (typeof value === 'string') listing.git.set(path, value)
    else listing.entries.set(path, value)
    missing -= 1
  }
  return missing === 0 ? listing : null
}

/** Ids of the requests of which one is kept. */
export function listBefore(folder: string): string[] {
  return namesIn(folder).flatMap((name) => (name.endsWith('.jsonl') ? [name.slice(0, -6)] : []))
}

/** Takes over what ended programs kept. Of two that do it at the same time, one gets each file. */
export function adoptBefore(folder: string, isGone: (program: string) => boolean): void {
  const all = dirname(folder)
  for (const program of namesIn(all)) {
    if (program === basename(folder) || !isGone(program)) continue
    const left = join(all, program)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const requestId of listBefore(left)) move(fileOf(left, requestId), fileOf(folder, requestId))
    rmSync(left, { recursive: true, force: true })
  }
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    // Another program was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // No run ever began.
    return []
  }
}

export function removeBefore(folder: string, requestId: string): void {
  rmSync(fileOf(folder, requestId), { force: true })
  rmSync(join(folder, `${requestId}.tmp`), { force: true })
}

function fileOf(folder: string, requestId: string): string {
  return join(folder, `${requestId}.jsonl`)
}

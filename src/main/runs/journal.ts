import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { guardsOf, Guard, makeCovers, missingCovers, removeCovers, settleGuards } from './sandbox/protected'

const Journal = z.object({
  workspace: z.string(),
  guards: z.array(Guard),
  /** Empty folders that stand in the project for this run. */
  covers: z.array(z.string()).default([]),
})
type Journal = z.infer<typeof Journal>

/** What was found at the protected paths of a project after a run. */
export interface Settled {
  /** Made by the script, moved to the quarantine. */
  moved: string[]
  /** Made while the script ran, at a place where the script could not write: it is somebody else's. */
  appeared: string[]
}

/**
 * Makes the covers of a run and notes them in its folder `dir`, with what must be looked at after it, so that a crash
 * can't lose either. Gives the covers: those of other runs in the same project too, which must not go while this one
 * lasts. Throws when the disk is full; `settleJournal` then still takes back what was made.
 */
export function openJournal(dir: string, workspace: string): string[] {
  const others = coversOfOthers(dir, workspace)
  // In the cover of another run nothing can be made, so nothing has to be covered there.
  const missing = missingCovers(workspace).filter((path) => !isUnder(others, path))
  write(dir, { workspace, guards: [], covers: [...others, ...missing] })
  const covers = [...others, ...makeCovers(workspace, missing)]
  write(dir, { workspace, guards: guardsOf(workspace).filter(({ path }) => !isUnder(covers, path)), covers })
  return covers
}

/** A run that can't write to the project: nothing is covered, links are looked at all the same. */
export function openPlainJournal(dir: string, workspace: string): void {
  write(dir, { workspace, guards: guardsOf(workspace), covers: [] })
}

/** Settles what the journal noted, once no process of the run is left. */
export function settleJournal(dir: string, quarantine: string): Settled {
  const journal = read(dir)
  if (journal === null) return { moved: [], appeared: [] }
  const others = coversOfOthers(dir, journal.workspace)
  const appeared = removeCovers(
    journal.workspace,
    journal.covers.filter((path) => !others.includes(path)),
  )
  return { moved: settleGuards(journal.workspace, journal.guards, quarantine), appeared }
}

function isUnder(covers: readonly string[], path: string): boolean {
  return covers.some((cover) => path === cover || path.startsWith(`${cover}/`))
}

/** Covers that other runs of the same project have noted, also runs of another program on the same data. */
function coversOfOthers(dir: string, workspace: string): string[] {
  const folder = dirname(dir)
  const journals = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== basename(dir))
    .map((entry) => read(join(folder, entry.name)))
  const covers = journals.flatMap((journal) => (journal?.workspace === workspace ? journal.covers : []))
  return [...new Set(covers)]
}

function write(dir: string, journal: Journal): void {
  writeFileSync(join(dir, 'journal.json'), JSON.stringify(journal), { mode: 0o600 })
}

/** Null: the crash came before the journal, or tore it, and so before the script. */
function read(dir: string): Journal | null {
  try {
    return Journal.parse(JSON.parse(readFileSync(join(dir, 'journal.json'), 'utf8')))
  } catch {
    return null
  }
}

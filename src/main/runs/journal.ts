import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { isInside } from '../lib/contain'
import { isProtectedName } from '../lib/protected-paths'
import { refuseName } from './sandbox/byte-names'
import { gitNamed } from './sandbox/git-named'
import { Found, foundAt, isSame, surveyNested } from './sandbox/nested'
import { createQuarantine, type QuarantinePlace } from './sandbox/quarantine'
import {
  guardsOf,
  Guard,
  makeCovers,
  missingCovers,
  removeCovers,
  settleGuards,
  settleNamed,
  settleNested,
} from './sandbox/protected'

const Journal = z.object({
  workspace: z.string(),
  guards: z.array(Guard),
  /** Empty folders that stand in the project for this run. */
  covers: z.array(z.string()).default([]),
  /** Protected names below the root, the folders they are looked for in, and whether all of these were looked at. */
  nested: z
    .object({ before: z.array(Found), roots: z.array(z.string()), whole: z.boolean().default(true) })
    .nullish(),
  /** What git's settings lead to inside the project, as it was; without an id: it was not there. */
  named: z.array(Found).default([]),
})
type Journal = z.infer<typeof Journal>

/** What was found at the protected paths of a project after a run; its names without secrets. */
export interface Settled {
  /** Made by the script, moved to the quarantine. */
  moved: string[]
  /** Made while the script ran, at a place where the script could not write: it is somebody else's. */
  appeared: string[]
  /** Also the folders of the project were looked through. */
  complete: boolean
  /** They were not, because of what the run made. */
  tooMany: boolean
  /** Folders that it closed, so that they can't be looked into. */
  closed: string[]
}

/** What a run needs of its journal for its mounts. */
export interface Opened {
  covers: string[]
  nested: Found[]
}

/**
 * Makes the covers of a run and notes them in its folder `dir`, with what must be looked at after it, so that a crash
 * can't lose either. Gives the covers: those of other runs in the same project too, which must not go while this one
 * lasts. Throws when the disk is full; `settleJournal` then still takes back what was made.
 */
export function openJournal(dir: string, workspace: string): Opened {
  const runs = othersOf(dir, workspace)
  const others = coversOf(runs)
  // In the cover of another run nothing can be made, so nothing has to be covered there.
  const missing = missingCovers(workspace).filter((path) => !others.includes(path))
  const { found, nested } = survey(workspace, [workspace], runs)
  const named = namedBy(workspace, found)
  write(dir, { workspace, guards: [], covers: [...others, ...missing], nested, named })
  const covers = [...others, ...makeCovers(workspace, missing)]
  const guards = guardsOf(workspace).filter(({ path }) => !covers.includes(path))
  write(dir, { workspace, guards, covers, nested, named })
  return { covers, nested: [...named.filter(isThere), ...found] }
}

/** A run that can't write to the root of the project: nothing is covered, links are looked at all the same. */
export function openPlainJournal(dir: string, workspace: string, roots: readonly string[]): Opened {
  const { found, nested } = survey(workspace, roots, othersOf(dir, workspace))
  // A run that writes nowhere in the project changes nothing that settings name.
  const all = roots.length === 0 ? [] : namedBy(workspace, found)
  const named = all.filter(({ path }) => roots.some((root) => isInside(root, join(workspace, path))))
  write(dir, { workspace, guards: guardsOf(workspace), covers: [], nested, named })
  return { covers: [], nested: [...all.filter(isThere), ...found] }
}

/** What git's settings lead to, without what is protected by its name. */
function namedBy(workspace: string, found: readonly Found[]): Found[] {
  const paths = gitNamed(
    workspace,
    found.map(({ path }) => path),
  )
  return paths
    .filter((path) => !path.split('/').some(isProtectedName))
    .map((path) => foundAt(workspace, path))
}

function isThere({ id }: Found): boolean {
  return id !== ''
}

/** What another run of the project made since it began is not taken for the person's. */
function survey(workspace: string, roots: readonly string[], runs: readonly Journal[]) {
  const { found, complete, byBytes } = surveyNested(workspace, roots)
  if (byBytes[0]) refuseName(byBytes[0].path)
  const before = found.filter((place) => runs.every(({ nested }) => isKnown(nested, place)))
  return { found, nested: { before, roots: [...roots], whole: complete } }
}

function isKnown(nested: Journal['nested'], place: Found): boolean {
  return !nested?.whole || nested.before.some((found) => isSame(found, place))
}

/** Settles what the journal noted, once no process of the run is left, letting other work in. */
export async function settleJournal(dir: string, place: QuarantinePlace): Promise<Settled> {
  const journal = read(dir)
  if (journal === null) return { moved: [], appeared: [], complete: true, tooMany: false, closed: [] }
  const { workspace, nested } = journal
  const quarantine = createQuarantine(place)
  const others = coversOf(othersOf(dir, workspace))
  const appeared = removeCovers(
    workspace,
    journal.covers.filter((path) => !others.includes(path)),
  )
  const moved = settleGuards(workspace, journal.guards, quarantine)
  const turned = settleNamed(workspace, journal.named, quarantine)
  const since = statSync(join(dir, 'journal.json')).birthtimeMs
  const below = nested
    ? await settleNested(workspace, { ...nested, named: journal.named, since }, quarantine)
    : { moved: [], complete: false, closed: [] }
  const { complete } = below
  const tooMany = !complete && nested?.whole === true
  const all = [...moved, ...turned, ...below.moved].map(place.clean)
  return { moved: all, appeared, complete, tooMany, closed: below.closed.map(place.clean) }
}

/** Other runs of the same project, also those of another program on the same data. */
function othersOf(dir: string, workspace: string): Journal[] {
  const folder = dirname(dir)
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== basename(dir))
    .flatMap((entry) => read(join(folder, entry.name)) ?? [])
    .filter((journal) => journal.workspace === workspace)
}

function coversOf(runs: readonly Journal[]): string[] {
  return [...new Set(runs.flatMap(({ covers }) => covers))]
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

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { isInside } from '../lib/contain'
import { refuseName } from './sandbox/byte-names'
import { madeAt } from './sandbox/changed'
import { outerSettings, type OuterSettings } from './sandbox/git-named'
import { ledFrom } from './sandbox/led'
import { Found, foundAt, isSame, surveyBefore, type Survey } from './sandbox/nested'
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
  standing,
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
  /** What git's settings and links in trusted places lead to, as it was; without an id: it was not there. */
  named: z.array(Found).default([]),
  /** Git's settings that count in every repository, by the environments that were known then. */
  outer: z
    .object({
      files: z.array(z.string()),
      settings: z.array(z.object({ key: z.string(), value: z.string() })),
    })
    .optional(),
  /** Protected paths of the root that were there: a mount goes when somebody outside puts another file in its place. */
  stood: z.array(Found).default([]),
})
type Journal = z.infer<typeof Journal>

/** What was found at the protected paths of a project after a run; its names without secrets. */
export interface Settled {
  /** Made by the script, moved to the quarantine. */
  moved: string[]
  /** Moved there too: replaced while it ran, by somebody outside, which opened the place to the script. */
  replaced: string[]
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
export async function openJournal(
  dir: string,
  workspace: string,
  outer: OuterSettings = outerSettings([process.env]),
): Promise<Opened> {
  const survey = await surveyBefore(workspace, [workspace])
  // Nothing is awaited from here on: no other run of this program begins or ends meanwhile.
  const runs = othersOf(dir, workspace)
  const others = coversOf(runs)
  // In the cover of another run nothing can be made, so nothing has to be covered there.
  const missing = missingCovers(workspace).filter((path) => !others.includes(path))
  const { found, closed, nested } = knownIn(workspace, { ...survey, roots: [workspace] }, runs)
  const named = ledFrom(workspace, found, outer)
  const noted = { workspace, nested, named, outer }
  write(dir, { ...noted, guards: [], covers: [...others, ...missing], stood: [] })
  const covers = [...others, ...makeCovers(workspace, missing)]
  const guards = guardsOf(workspace).filter(({ path }) => !covers.includes(path))
  const stood = standing(workspace).filter(({ path }) => !covers.includes(path))
  write(dir, { ...noted, guards, covers, stood })
  return { covers, nested: [...named.filter(isThere), ...found, ...closed] }
}

/** A run that can't write to the root of the project: nothing is covered, links are looked at all the same. */
export async function openPlainJournal(
  dir: string,
  workspace: string,
  roots: readonly string[],
  outer: OuterSettings = outerSettings([process.env]),
): Promise<Opened> {
  const survey = await surveyBefore(workspace, roots)
  const runs = othersOf(dir, workspace)
  const { found, closed, nested } = knownIn(workspace, { ...survey, roots }, runs)
  // A run that writes nowhere in the project changes nothing that is led to.
  const all = roots.length === 0 ? [] : ledFrom(workspace, found, outer)
  const named = all.filter(({ path }) => roots.some((root) => isInside(root, join(workspace, path))))
  write(dir, { workspace, guards: guardsOf(workspace), covers: [], nested, named, outer, stood: [] })
  return { covers: [], nested: [...all.filter(isThere), ...found, ...closed] }
}

/** What was found in the folders that were asked for. */
type Looked = Survey & { roots: readonly string[] }

/** What another run of the project made since it began is not taken for the person's. */
function knownIn(
  workspace: string,
  { found, complete, byBytes, closed, roots }: Looked,
  runs: readonly Journal[],
) {
  if (byBytes[0]) refuseName(byBytes[0].path)
  const before = found.filter((place) => runs.every(({ nested }) => isKnown(nested, place)))
  return {
    found,
    // A folder that can't be listed may be entered, by who knows what is in it.
    closed: closed.filter((path) => path !== '').map((path) => foundAt(workspace, path)),
    nested: { before, roots: [...roots], whole: complete },
  }
}

function isThere({ id }: Found): boolean {
  return id !== ''
}

function isKnown(nested: Journal['nested'], place: Found): boolean {
  return !nested?.whole || nested.before.some((found) => isSame(found, place))
}

/**
 * Settles what the journal noted, once no process of the run is left, letting other work in. `until`: when the run ended,
 * milliseconds, where that was long ago.
 */
export async function settleJournal(dir: string, place: QuarantinePlace, until = Infinity): Promise<Settled> {
  const journal = read(dir)
  if (journal === null) return NOTHING
  const { workspace, nested } = journal
  const quarantine = createQuarantine(place)
  const since = madeAt(join(dir, 'journal.json'))
  const below = nested
    ? await settleNested(workspace, { ...nested, ...ledBy(journal), since, until }, quarantine)
    : { moved: [], complete: false, closed: [] }
  // Nothing is awaited from here on: a run that begins counts on these covers, or finds no journal that names them.
  const others = coversOf(othersOf(dir, workspace))
  const appeared = removeCovers(
    workspace,
    journal.covers.filter((path) => !others.includes(path)),
  )
  const moved = settleGuards(workspace, journal.guards, quarantine)
  const replaced = settleNamed(workspace, journal.stood, quarantine, until).map(place.clean)
  const turned = settleNamed(workspace, journal.named, quarantine, until)
  rmSync(join(dir, 'journal.json'))
  const { complete } = below
  const tooMany = !complete && nested?.whole === true
  const all = [...moved, ...turned, ...below.moved].map(place.clean)
  return { moved: all, replaced, appeared, complete, tooMany, closed: below.closed.map(place.clean) }
}

const NOTHING: Settled = {
  moved: [],
  replaced: [],
  appeared: [],
  complete: true,
  tooMany: false,
  closed: [],
}

function ledBy({ named, outer }: Journal) {
  return outer ? { named, outer } : { named }
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

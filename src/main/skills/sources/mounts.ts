import { isAbsolute, join } from 'node:path'
import { AppError, isNoSpace } from '@shared/errors'
import { isLegalName } from '@shared/skill-md/skill-name'
import { shownFromHome } from '../roots/agent-folders'
import { unpackArchive } from './archive-source'
import { placeOf, placesInCheckout } from './git-places'
import type { SkillPlace } from './git-places'
import { describeOrigin, gitOrigin } from './git-source'
import { writeMemorySkill } from './memory-source'
import { isFolder, realOrSelf, statOrNull } from '../scan/on-disk'
import type { RootSpec } from '../record'
import { errorCode } from '../store/safe-read'
import { refusal, shown, storedSource } from './source-store'
import type { StoredSource } from './source-store'
import { isInside } from '../../lib/contain'
import { readSourcesFile } from './sources'
import type { RootNote, SkillSource } from './sources'

/** The sources, ready to be searched. */
export interface Mounted {
  specs: RootSpec[]
  /** What was not used, and why. */
  notes: RootNote[]
}

/** What sources are made ready with; a part of `ScanInput`. */
export interface MountInput {
  homeDir: string
  dataDir: string
  /** Declared by the program; those of `~/.satchel/sources.json` come on top. */
  sources: readonly SkillSource[]
}

export interface Mounts {
  /** Makes every source ready: archives are unpacked once, and again when they change. Never throws. */
  prepare(input: MountInput): Promise<Mounted>
}

/** Remembers archives by their times and sizes, so that a look costs one stat call each. */
export function createMounts(): Mounts {
  const archives: Archives = new Map()
  return {
    async prepare(input) {
      const declared = readSourcesFile(input.homeDir)
      const mounted: Mounted = { specs: [], notes: [...declared.notes] }
      for (const source of [...input.sources, ...declared.sources]) {
        try {
          mounted.specs.push(...(await mount(source, input, archives)))
        } catch (error) {
          mounted.notes.push({ location: locationOf(source, input), note: reasonOf(error) })
        }
      }
      return mounted
    },
  }
}

type Archives = Map<string, { stamp: string; done: Promise<StoredSource> }>

async function mount(source: SkillSource, input: MountInput, archives: Archives): Promise<RootSpec[]> {
  const label = locationOf(source, input)
  if ('as' in source && source.as !== undefined && !isLegalName(source.as)) {
    throw refusal(`${shown(source.as)} is no name for a skill`)
  }
  if (source.kind === 'archive') {
    return mountStored(await unpacked(source.file, input, archives), source.as, label)
  }
  if (source.kind === 'memory') {
    return mountStored(await writeMemorySkill(source, join(input.dataDir, 'sources')), source.as, label)
  }
  if (source.kind === 'git') return mountCheckout(source, input, label)
  const dir = folderAt(source.dir, input)
  if (source.kind === 'folder') return mountFolder(dir, source.as, { label, readOnly: false })
  return [{ ...specOf({ dir, handle: null }, { label, readOnly: true }, 0), scope: 'bundled' }]
}

type Shown = Pick<RootSpec, 'label' | 'readOnly'>

/** Personal, after the person's own folder. */
function specOf({ dir, handle }: SkillPlace, shown: Shown, nearness = 1): RootSpec {
  const place = { projectDir: null, sharedIn: null, containIn: null, tool: null, plugin: null } as const
  return { ...place, ...shown, dir, scope: 'personal', nearness, mountedAs: handle }
}

function mountFolder(dir: string, as: string | undefined, shown: Shown): RootSpec[] {
  return [specOf(named(placeOf(dir), as), shown)]
}

function mountCheckout(
  source: { dir: string; subdir?: string | undefined; as?: string | undefined },
  input: MountInput,
  label: string,
): RootSpec[] {
  const checkout = folderAt(source.dir, input)
  const origin = gitOrigin(checkout)
  if (!origin) throw refusal('the folder is no git checkout')
  const base = realOrSelf(join(checkout, source.subdir ?? '.'))
  const containIn = realOrSelf(checkout)
  if (!isInside(containIn, base) || !isFolder(base)) {
    throw refusal('its subdir does not exist or leads out of the checkout')
  }
  const places = source.as === undefined ? placesInCheckout(base) : [named(placeOf(base), source.as)]
  const above = label.slice(0, label.lastIndexOf('/') + 1)
  return places.map((place, at) => {
    const below = place.dir.slice(base.length).replaceAll('\\', '/')
    const shownAs = `${above}${describeOrigin(checkout, origin)}${base.slice(containIn.length)}${below}`
    return { ...specOf(place, { label: shownAs, readOnly: true }, at + 1), containIn }
  })
}

function mountStored({ dir, name }: StoredSource, as: string | undefined, label: string): RootSpec[] {
  const shown = { label, readOnly: true }
  return [
    as === undefined
      ? specOf({ dir, handle: null }, shown)
      : specOf({ dir: join(dir, name), handle: as }, shown),
  ]
}

/** Under the other name, which only a single skill can have. */
function named(place: SkillPlace, as: string | undefined): SkillPlace {
  if (as === undefined) return place
  if (place.handle === null)
    throw refusal('only one skill can have another name, and the folder has no SKILL.md')
  return { ...place, handle: as }
}

async function unpacked(file: string, input: MountInput, archives: Archives): Promise<StoredSource> {
  const path = absolute(file, input)
  const sourcesDir = join(input.dataDir, 'sources')
  const stat = statOrNull(path)
  const stamp = stat ? [stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino].join(':') : 'gone'
  const known = archives.get(path)
  if (known?.stamp !== stamp || !(await isThere(known.done, sourcesDir))) {
    archives.set(path, { stamp, done: unpackArchive(path, sourcesDir) })
  }
  return archives.get(path)!.done
}

/** True also for an archive that was refused: it is not read again before it changes. */
async function isThere(done: Promise<StoredSource>, sourcesDir: string): Promise<boolean> {
  const stored = await done.catch(() => null)
  if (!stored) return true
  return (await storedSource(sourcesDir, stored.dir.slice(sourcesDir.length + 1))) !== null
}

function folderAt(path: string, input: MountInput): string {
  const dir = absolute(path, input)
  if (!isFolder(dir)) throw refusal('there is no such folder')
  return dir
}

function absolute(path: string, { homeDir }: MountInput): string {
  const full = path.startsWith('~/') ? join(homeDir, path.slice(2)) : path
  if (!isAbsolute(full)) throw refusal('its path must be absolute or start with ~/')
  return full
}

function locationOf(source: SkillSource, { homeDir }: MountInput): string {
  if (source.kind === 'memory') return `memory/${source.name}`
  return shownFromHome(source.kind === 'archive' ? source.file : source.dir, homeDir)
}

function reasonOf(error: unknown): string {
  if (error instanceof AppError) return error.message
  if (isNoSpace(error)) return 'The disk is full. Free some space.'
  return errorCode(error) === 'ENOENT' ? 'There is no such file.' : 'It can not be read.'
}

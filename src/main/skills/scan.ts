import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, relative, sep } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Diagnostic } from '@shared/domain/skill'
import { problem } from '@shared/skill-md/problem'
import { slugOf } from '@shared/skill-md/skill-name'
import { discover } from './discover'
import type { Discovery, Found } from './discover'
import { readFacts } from './facts'
import type { IsScript, SkillFacts, SkillPlace } from './facts'
import type { RootSpec, SkillRecord } from './record'
import { isInside } from '../lib/contain'

/** What was known before; a skill whose stamp is the same is not read again. */
export interface FactsCache {
  get(skillMd: string): { stamp: string; value: SkillFacts } | null
}

export interface RootScan {
  spec: RootSpec
  state: Discovery['state']
  note?: string
  /** In path order. */
  records: SkillRecord[]
  /** Real folders whose changes matter: the root, folders between, skills. */
  watch: string[]
  /** What was read anew, for the cache. */
  fresh: { skillMd: string; stamp: string; value: SkillFacts }[]
}

/** Raised when the parser or the facts change, so that what older versions found is read again. */
const FACTS_VERSION = 1
/** The event loop is let go after this many milliseconds of file work. */
const SLICE_MS = 8

/**
 * Looks at one root: every skill below it, with stat calls only where nothing changed. Never throws for what is on
 * disk, and never reads through a link that leaves the project of a project root.
 */
export async function scanRoot(spec: RootSpec, cache: FactsCache, isScript: IsScript): Promise<RootScan> {
  const breathe = pauses()
  const search = discover(spec)
  let step = search.next()
  while (!step.done) {
    await breathe()
    step = search.next()
  }
  const { state, found, dirs, note } = step.value
  const scan: RootScan = { spec, state, records: [], watch: dirs, fresh: [], ...(note ? { note } : {}) }
  for (const item of found) {
    await breathe()
    scan.records.push(recordOf(item, scan, { cache, isScript }))
  }
  return scan
}

function pauses(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < SLICE_MS) return
    await setImmediate()
    since = performance.now()
  }
}

interface Reading {
  cache: FactsCache
  isScript: IsScript
}

function recordOf(found: Found, scan: RootScan, reading: Reading): SkillRecord {
  const { spec } = scan
  const { skillMd } = found
  if (skillMd === null) return unreadRecord(found, spec)
  const base = baseOf(found, skillMd, spec)
  if (base.problem) return unreadRecord({ ...found, problems: [base.problem] }, spec)
  scan.watch.push(base.dir)
  const allowHardLinks = spec.scope === 'bundled'
  const place = { skillMd, realDir: base.dir, folder: basename(found.dir), allowHardLinks }
  const { stamp, value, changedAt } = lookAt(place, reading)
  if (reading.cache.get(skillMd)?.stamp !== stamp) scan.fresh.push({ skillMd, stamp, value })
  const { dirs: _dirs, license, ...facts } = value
  return {
    ...facts,
    ...placeOf(found, spec),
    key: `${spec.scope}:${base.dir}`,
    rootDir: base.dir,
    skillMd,
    license,
    changedAt,
    stamp,
    diagnostics: [...found.problems, ...value.diagnostics],
    unread: false,
  }
}

/**
 * The skill's own folder: where a linked SKILL.md really lies (`format.md` 2.5, quirk 20), else the folder itself. In a
 * project the link must not leave it.
 */
function baseOf(found: Found, skillMd: string, spec: RootSpec): { dir: string; problem?: Diagnostic } {
  const real = realOrNull(skillMd)
  if (real === null) return { dir: found.realDir, problem: brokenSkillMd() }
  if (spec.containIn !== null && !isInside(spec.containIn, real))
    return { dir: '', problem: leavingSkillMd() }
  return { dir: /^skill\.md$/i.test(basename(real)) ? dirname(real) : found.realDir }
}

interface Look {
  stamp: string
  value: SkillFacts
  changedAt: number
}

function lookAt(place: SkillPlace, { cache, isScript }: Reading): Look {
  const file = statSync(place.skillMd, { bigint: true, throwIfNoEntry: false })
  const self = file ? [file.size, file.mtimeNs, file.ctimeNs, file.ino].join(':') : 'gone'
  const changedAt = file ? Number(file.mtimeMs) : 0
  const stampFor = (facts: SkillFacts) => `${FACTS_VERSION}|${self}|${facts.dirs.map(dirStamp).join(',')}`
  const known = cache.get(place.skillMd)
  // Another real folder behind the same path has other folders, so its stamp differs.
  if (known && known.value.dirs[0] === place.realDir && known.stamp === stampFor(known.value)) {
    return { ...known, changedAt }
  }
  const value = readFacts(place, isScript)
  return { stamp: stampFor(value), value, changedAt }
}

/** A folder's time changes when a file in it is added, removed or replaced. */
function dirStamp(dir: string): string {
  const stat = statSync(dir, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.ino}:${stat.mtimeNs}` : 'gone'
}

type Placed = Pick<SkillRecord, 'scope' | 'folder' | 'location' | 'projectDir' | 'sharedIn'>

function placeOf(found: Found, { dir, label, projectDir, scope, sharedIn }: RootSpec): Placed {
  const below = relative(dir, found.dir).split(sep).join('/')
  return { scope, folder: basename(found.dir), location: `${label}/${below}`, projectDir, sharedIn }
}

function unreadRecord(found: Found, spec: RootSpec): SkillRecord {
  return {
    ...placeOf(found, spec),
    key: `${spec.scope}:${found.dir}`,
    name: slugOf(basename(found.dir)),
    description: '',
    rootDir: found.dir,
    skillMd: found.skillMd ?? found.dir,
    frontmatter: {},
    allowedTools: [],
    license: undefined,
    requires: [],
    disableModelInvocation: false,
    userInvocable: true,
    priority: 0,
    tokens: { catalogue: 0, body: 0, files: 0 },
    scripts: 0,
    files: 0,
    changedAt: 0,
    stamp: found.problems.map(({ code }) => code).join(','),
    diagnostics: found.problems,
    broken: true,
    unread: true,
  }
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null // leads nowhere, or was deleted just now
  }
}

function brokenSkillMd(): Diagnostic {
  return problem('error', 'link-broken', 'Its SKILL.md is a link that leads nowhere.', {
    fix: 'Replace the link by the file itself.',
  })
}

function leavingSkillMd(): Diagnostic {
  return problem(
    'error',
    'link-leaves-project',
    'Its SKILL.md is a link that leaves the project, so it is not read.',
    {
      fix: 'Copy the file into the project.',
    },
  )
}

import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { stillAnswers } from '../registry/check-environment'
import { decidingPlaces } from '../roots/deciding-places'
import { discover, revisit } from './discover'
import type { Look } from './discover'
import { keepRoots, rootsNow } from '../roots/kept-roots'
import type { RootsNow } from '../roots/kept-roots'
import { realOrSelf } from './on-disk'
import { createReadAhead } from './read-ahead'
import type { RootSpec } from '../record'
import { hasMoved, newRootScan, readAllFacts, readFrontFacts } from './scan'
import type { RootReport } from './scan-contract'
import type { RootScan, Skill } from './scan-state'
import type { ScanState } from './scanner-state'
import { isRemote } from '../registry/watch'

/** The event loop is let go after this many milliseconds of file work. */
const SLICE_MS = 8
/** Only every so often is the time looked at, which costs as much as a stat call. */
const EACH = 8
/** So few are read whole at once; of more, names and descriptions come first. */
const AT_ONCE = 64
const ROUND_MS = 2

interface Looking {
  state: ScanState
  look: Look
  /** Skills of which more is to be read. */
  open: Skill[]
  started: number
  /** Skills or folders came, went or moved. */
  moved: boolean
  pause(): Promise<unknown> | null
}

/**
 * Looks at every root: first names, descriptions and flags of all that is new or changed, then the rest of it. Tells
 * what differs from what was told before, keeps it for the next start and watches what is there.
 */
export async function lookAtAll(state: ScanState): Promise<void> {
  const { input, told } = state
  if (!input) return
  const started = performance.now()
  const found = await rootsNow(state)
  const { specs, notes } = found.roots
  state.look += 1
  const thorough = state.thorough
  state.thorough = false
  for (const dir of state.wake.take()) suspect(state.byDir.get(dir))
  const looking = startLooking(state, started)
  const roots = syncRoots(state, specs)
  for (const root of roots) {
    await lookAtRoot(looking, root, thorough || liveness(state, root) !== 'events')
  }
  if (state.closed) return
  dropGone(state, roots)
  told.roots(reportsOf(state, roots), notes)
  if (looking.open.length > AT_ONCE) finishTold(looking, false)
  watchMoved(looking, roots)
  await finishOpen(looking)
  if (state.closed) return
  watchMoved(looking, roots)
  watchDeciding(looking, roots, found)
  told.roots(reportsOf(state, roots), notes)
  finishTold(looking, true)
  keep(state, roots)
  const tookMs = performance.now() - started
  state.wake.looked(tookMs, isLive(state, roots))
}

/** The system tells of every change. */
function isLive(state: ScanState, roots: readonly RootScan[]): boolean {
  return roots.every((root) => liveness(state, root) === 'events')
}

function hasLinks({ skills }: RootScan): boolean {
  for (const { linked } of skills) if (linked) return true
  return false
}

function finishTold({ state, started }: Looking, complete: boolean): void {
  state.told.sweep(state.look)
  state.told.finish({ listed: true, complete, scanMs: performance.now() - started })
}

/**
 * Looks at the skills that own these folders, and at those in use, file by file. False when that can't explain what
 * happened, so that everything must be looked at: a skill came, went or moved, or there are too many.
 */
export async function lookAtSome(state: ScanState, dirs: readonly string[]): Promise<boolean> {
  const owners = dirs.map((dir) => state.byDir.get(dir))
  owners.forEach(suspect)
  if (owners.includes(undefined) || owners.length > AT_ONCE) return false
  const looking = startLooking(state, performance.now())
  for (const skill of new Set([...(owners as Skill[]), ...inUse(state)])) {
    suspect(skill)
    if (revisit(skill.root, looking.look, skill.entry) !== skill || state.moved) return false
    looking.open.push(skill)
  }
  await finishOpen(looking)
  if (state.closed) return true
  if (state.moved) return false
  if (owners.some((skill) => skill?.linked)) watchNear(state, [...state.roots.values()])
  finishTold(looking, true)
  state.index.save(() => false)
  return true
}

function startLooking(state: ScanState, started: number): Looking {
  let since = performance.now()
  let asked = 0
  const ahead = createReadAhead(state.deps.readAhead)
  const looking: Looking = {
    state,
    open: [],
    started,
    moved: false,
    look: {
      number: state.look,
      now: state.deps.now ?? (() => Date.now()),
      read: readFrontFacts,
      recalls: (path) => state.index.has(path),
      recall: (skill, sig) => state.index.recall(skill, sig),
      moved: () => {
        state.moved = true
      },
      probed: (ms) => ahead.probed(ms),
      stack: [],
    },
    pause: () => {
      if (ahead.isDue()) return ahead.read(looking.look.stack)
      asked += 1
      if (asked % EACH !== 0 || performance.now() - since < SLICE_MS) return null
      return letGo().then((at) => (since = at))
    },
  }
  return looking
}

async function letGo(): Promise<number> {
  await setImmediate()
  return performance.now()
}

/** Its files are compared at the next look. */
function suspect(skill: Skill | undefined): void {
  if (skill && (skill.known === 'all' || skill.known === 'unchecked')) skill.known = 'suspect'
}

/** Roots that are still asked for keep what is known of them. */
function syncRoots(state: ScanState, specs: readonly RootSpec[]): RootScan[] {
  const before = state.roots
  state.roots = new Map(
    specs.map((spec) => {
      const id = JSON.stringify(spec)
      const remote = state.deps.isRemote ?? isRemote
      return [id, before.get(id) ?? newRootScan(spec, remote(spec.dir))]
    }),
  )
  if (before.size !== state.roots.size) state.moved = true
  if ([...state.roots.keys()].some((id) => !before.has(id))) state.moved = true
  return [...state.roots.values()]
}

/** `thorough`: the folders of unchanged skills are compared too, as no event told that they are. */
async function lookAtRoot(looking: Looking, root: RootScan, thorough: boolean): Promise<void> {
  const { state, open, look } = looking
  for (const skill of discover(root, look)) {
    const pause = looking.pause()
    if (pause) await pause
    if (state.closed) return
    if (!skill) continue
    if (thorough && skill.known === 'all' && !skill.problem) skill.known = 'unchecked'
    if (skill.known !== 'all') open.push(skill)
    // Of few changes the first thing that is told is everything.
    if (skill.known !== 'front' || open.length > AT_ONCE) state.told.skill(skill)
    if (open.length === AT_ONCE + 1) open.forEach((waiting) => state.told.skill(waiting))
  }
}

function dropGone(state: ScanState, roots: readonly RootScan[]): void {
  for (const root of roots) {
    for (const skill of root.skills) {
      if (skill.seenIn === state.look) continue
      state.moved = true
      root.skills.delete(skill)
      // What a drive holds that is away now is kept.
      if (skill.skillMd !== null && root.state === 'empty') state.index.forget(skill.skillMd)
    }
    if (root.state === 'empty' && root.skills.size > 0) root.state = 'found'
  }
}

/** Reads what is open, and what turns up inside it. */
async function finishOpen(looking: Looking): Promise<void> {
  const { state, open } = looking
  for (let at = 0; at < open.length; at++) {
    const pause = looking.pause()
    if (pause) await pause
    if (state.closed) return
    finish(looking, open[at]!)
  }
  open.length = 0
}

function finish({ state, look, open }: Looking, skill: Skill): void {
  const { told, index, watcher, environment } = state
  const unread = skill.known === 'front' || skill.known === 'nothing'
  // Watched anew before it is read, so that nothing is missed in between.
  if (skill.replaced) watcher.renew(skill.realDir)
  skill.replaced = false
  const again =
    unread || hasMoved(skill, skill.known === 'suspect') || !stillAnswers(needsOf(skill), environment)
  if (again && !skill.problem) {
    readAllFacts(skill, environment)
    index.keep(skill)
    for (const entry of skill.children) {
      if (entry.is) continue
      const child = revisit(skill.root, look, entry)
      if (child) open.push(child)
    }
  }
  skill.known = 'all'
  told.skill(skill)
}

function needsOf({ facts }: Skill): readonly string[] {
  return facts?.needs ?? []
}

/**
 * Compares the files of the skills that are next in the round, for 2 ms: a file edited in place in a sub-folder makes no
 * event and changes no folder.
 */
export async function goRound(state: ScanState): Promise<void> {
  const looking = startLooking(state, performance.now())
  const skills = [...state.byDir.values()]
  const until = performance.now() + ROUND_MS
  for (let n = 0; n < skills.length && performance.now() < until; n++) {
    state.round = (state.round + 1) % skills.length
    const skill = skills[state.round]!
    skill.known = 'suspect'
    finish(looking, skill)
  }
  await finishOpen(looking)
  if (state.closed) return
  finishTold(looking, true)
  state.index.save(() => false)
}

function inUse({ deep, byDir }: ScanState): Skill[] {
  return [...deep].flatMap((key) => byDir.get(key.slice(key.indexOf(':') + 1)) ?? [])
}

function watchMoved(looking: Looking, roots: readonly RootScan[]): void {
  if (!looking.state.moved) return
  looking.moved = true
  watchAll(looking.state, roots)
}

/** Once all that decides about the roots is watched and has kept still during a look, they are remembered. */
function watchDeciding({ state, moved }: Looking, roots: readonly RootScan[], found: RootsNow): void {
  const isSame = found.isKept && !moved && !roots.some(hasLinks)
  const isWatched = isSame || !watchNear(state, roots)
  if (isWatched && !moved && isLive(state, roots)) keepRoots(state, found)
}

function watchAll(state: ScanState, roots: readonly RootScan[]): void {
  state.moved = false
  state.byDir.clear()
  const dirs: string[] = []
  for (const root of roots) {
    for (const skill of root.skills) {
      // It is not followed, but what is done about it is seen.
      if (skill.problem && !skill.entry.link && !root.remote) dirs.push(skill.entry.real)
      if (skill.problem) continue
      state.byDir.set(skill.realDir, skill)
      if (!root.remote) dirs.push(skill.realDir)
    }
    if (!root.remote) for (const { real } of root.folders) dirs.push(real)
  }
  if (!state.deps.watch) return
  const own = roots.filter(({ remote }) => !remote).map(({ spec }) => spec.dir)
  state.watcher.set(dirs, own)
}

/** What decides about roots, and files that a SKILL.md is a link to. True when it was not watched until now. */
function watchNear(state: ScanState, roots: readonly RootScan[]): boolean {
  const { deps, input, watcher } = state
  if (!deps.watch) return false
  const deciding = deps.roots ? { names: [], folders: [] } : decidingPlaces(input!)
  const linked = roots
    .flatMap(({ skills, remote }) => (remote ? [] : [...skills]))
    .filter((one) => one.linked)
  const isOther = watcher.near({ ...deciding, always: linked.flatMap(linkedPlaces) })
  // What came while the watches were set made no event.
  if (isOther && state.look > 1) state.wake.event('')
  return isOther
}

/** The link itself, and what it leads to, where that is no SKILL.md in the folder of the skill. */
function linkedPlaces({ skillMd, foundReal, realDir }: Skill): string[] {
  if (skillMd === null) return []
  const link = join(foundReal, basename(skillMd))
  const target = realOrSelf(link)
  return [...(foundReal === realDir ? [] : [link]), ...(dirname(target) === realDir ? [] : [target])]
}

function liveness({ deps, watcher }: ScanState, root: RootScan): RootReport['live'] {
  if (!deps.watch) return 'off'
  if (root.remote) return 'remote'
  return watcher.limited() ? 'limited' : 'events'
}

function reportsOf(state: ScanState, roots: readonly RootScan[]): RootReport[] {
  const there = new Map<string, boolean>()
  return roots.map((root) => {
    const { spec, note } = root
    const dir = spec.projectDir
    if (dir !== null && !there.has(dir)) there.set(dir, existsSync(dir))
    const projectThere = dir === null || there.get(dir)!
    return { spec, state: root.state, note, live: liveness(state, root), projectThere }
  })
}

/** Rows of roots that are not looked at now stay: their project may be opened again. */
function keep(state: ScanState, roots: readonly RootScan[]): void {
  const looked = roots.filter(({ state: found }) => found === 'found' || found === 'empty')
  state.index.save((path) => looked.some(({ spec }) => path.startsWith(spec.dir)))
}

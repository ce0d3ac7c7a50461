import { realOrSelf } from '../scan/on-disk'
import { foldersUpToGitRoot } from './project-folders'
import { rootSpecs } from './roots'
import type { Roots, ScanInput } from './roots'
import type { ScanState } from '../scan/scanner-state'

/** Where the roots were at a look. */
export interface KeptRoots {
  roots: Roots
  /** `rootsMoved` before they were looked for. */
  moved: number
  /** The folders that each project reached then, as text: no watch tells of a new checkout. */
  reached: string
}

export interface RootsNow extends KeptRoots {
  /** They were not looked for: nothing that decides about them has changed. */
  isKept: boolean
}

/** Finding the roots is a few hundred stat calls: not done again where every place that decides about them kept still. */
export async function rootsNow(state: ScanState): Promise<RootsNow> {
  const { rootsKept, rootsMoved: moved } = state
  const reached = reachedBy(state.input!)
  if (rootsKept?.moved === moved && rootsKept.reached === reached) return { ...rootsKept, isKept: true }
  return { roots: await currentRoots(state), isKept: false, moved, reached }
}

/**
 * Remembers them after a look during which all that decides about them was watched. Who owns an Enterprise folder is
 * looked at each time, and what no watch tells of is found by the regular look, which trusts nothing that is remembered.
 */
export function keepRoots(state: ScanState, { roots, moved, reached }: RootsNow): void {
  const isEnterprise = roots.specs.some(({ scope }) => scope === 'enterprise')
  if (state.deps.roots || isEnterprise) return
  state.rootsKept = { roots, moved, reached }
}

/** Something happened there: where that is no folder of a known skill, the roots may be elsewhere. */
export function mayMoveRoots(state: ScanState, dir: string): void {
  if (!state.byDir.has(dir)) state.rootsMoved += 1
}

async function currentRoots({ deps, input, mounts }: ScanState): Promise<Roots> {
  if (deps.roots) return deps.roots(input!)
  return rootSpecs(input!, await mounts.prepare(input!))
}

function reachedBy({ homeDir, projects }: ScanInput): string {
  if (projects.length === 0) return ''
  const above = realOrSelf(homeDir)
  return JSON.stringify(projects.map(({ dir }) => foldersUpToGitRoot(dir, above)))
}

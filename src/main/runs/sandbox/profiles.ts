import { lstatSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { SandboxPlan } from '@shared/domain/approval'
import { SandboxProfile } from '@shared/domain/settings'
import { bothHosts } from '@shared/network-host'
import type { SkillExecution } from '@shared/skill-md/run-fields'
import { isInside } from '../../lib/contain'
import { isProtected } from '../../lib/protected-paths'

/** The profiles of SB-4, narrowest first. Data, so that a plan of another version is known to be one. */
export const PROFILES = {
  version: 1,
  profiles: [
    { name: 'read-only', writes: 'nothing' },
    { name: 'workspace-write', writes: 'workspace' },
  ],
} as const

/** What one run may reach, as its plan says it. */
export type Reach = Pick<
  SandboxPlan,
  'profile' | 'profileVersion' | 'writable' | 'narrowed' | 'hostsAsked' | 'hosts'
>

interface Narrowed {
  profile: SandboxProfile
  /** Real paths inside the workspace. */
  writable: string[]
}

/** What a run may reach by the chosen profile and by what its skill, or each of the active ones, asks to be held to. */
export function reachOf(chosen: SandboxProfile, wishes: readonly SkillExecution[], workspace: string): Reach {
  const { profile, writable } = wishes
    .map((wish) => narrow(chosen, wish, workspace))
    .reduce(strictest, narrow(chosen, null, workspace))
  const whole = narrow(chosen, null, workspace)
  const narrowed = profile !== whole.profile || writable.join('\n') !== whole.writable.join('\n')
  const asked = wishes.flatMap(({ network }) => (Array.isArray(network) ? network : []))
  const hosts = [...new Set(asked)]
  return {
    profile,
    profileVersion: PROFILES.version,
    writable,
    ...(narrowed ? { narrowed } : {}),
    ...(hosts.length > 0 ? { hostsAsked: hosts } : {}),
  }
}

/**
 * The hosts that a script may reach: those that the person gave, as far as its skill asks for them by name and the
 * organisation allows them (`allowed`; null: it has no list).
 */
export function hostsFor(
  given: readonly string[],
  wish: SkillExecution['network'],
  allowed: readonly string[] | null,
): string[] {
  const hosts = Array.isArray(wish) ? bothHosts(given, wish) : []
  return allowed === null ? hosts : bothHosts(hosts, allowed)
}

/** The same without what a backend decides: a plan's own words, to see whether they would be said again. */
export function reachFields({
  profile,
  profileVersion,
  writable,
  narrowed,
  hostsAsked,
}: Reach): Omit<Reach, 'hosts'> {
  return {
    profile,
    writable,
    ...(profileVersion === undefined ? {} : { profileVersion }),
    ...(narrowed === undefined ? {} : { narrowed }),
    ...(hostsAsked === undefined ? {} : { hostsAsked }),
  }
}

/**
 * The profile that was chosen, narrowed by what the skill asks for: the narrower of both, and of its `allowed-paths`
 * those that are there, inside the workspace and not protected. A word that is not known narrows to reading, since it
 * was meant to confine; nothing that a skill says ever widens (SB-4).
 */
function narrow(chosen: SandboxProfile, wish: SkillExecution | null, workspace: string): Narrowed {
  const profile = narrower(chosen, wishedProfile(wish?.sandbox))
  if (writesOf(profile) === 'nothing') return { profile, writable: [] }
  if (wish === null || wish.allowedPaths === null) return { profile, writable: [workspace] }
  const places = wish.allowedPaths.flatMap((path) => placeIn(workspace, path))
  return { profile, writable: withoutNested(places) }
}

/** The narrower profile, and what both may write. */
function strictest(one: Narrowed, other: Narrowed): Narrowed {
  const both = one.writable.flatMap((path) =>
    other.writable.flatMap((place) => {
      if (isInside(place, path)) return [path]
      return isInside(path, place) ? [place] : []
    }),
  )
  return { profile: narrower(one.profile, other.profile), writable: withoutNested(both) }
}

/** Without a wish, or with one for more than there is: as it was chosen. */
function wishedProfile(word: string | undefined): SandboxProfile {
  if (word === undefined || word === 'full' || word === 'workspace-write+domains') return 'workspace-write'
  const known = SandboxProfile.safeParse(word)
  return known.success ? known.data : 'read-only'
}

function narrower(one: SandboxProfile, other: SandboxProfile): SandboxProfile {
  return rank(one) < rank(other) ? one : other
}

function rank(name: SandboxProfile): number {
  return PROFILES.profiles.findIndex((profile) => profile.name === name)
}

function writesOf(name: SandboxProfile): 'nothing' | 'workspace' {
  return PROFILES.profiles[rank(name)]?.writes ?? 'nothing'
}

/** A path of the list as a mount: nothing for one that is missing, protected, outside, or led through a link. */
function placeIn(workspace: string, path: string): string[] {
  const relative = path.replace(/\/(?:\*\*?)?$/, '').replace(/^\.\//, '')
  if (relative === '' || relative === '.') return path === '' ? [] : [workspace]
  const place = join(workspace, relative)
  if (!isInside(workspace, place) || isProtected(relative) || relative.includes('\0')) return []
  try {
    const stat = lstatSync(place)
    const plain = (stat.isFile() || stat.isDirectory()) && realpathSync(place) === place
    return plain ? [place] : []
  } catch {
    // It is not there: nothing can be mounted, and nothing is made for it.
    return []
  }
}

function withoutNested(places: readonly string[]): string[] {
  const all = [...new Set(places)].sort()
  return all.filter((place) => !all.some((other) => other !== place && isInside(other, place)))
}

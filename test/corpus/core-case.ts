/** Where one case plays: a project of its own, a skill of its own, and what lies around them. */
export interface Place {
  home: string
  dataDir: string
  project: string
  /** The live folder of the case's skill. */
  skill: string
  /** A folder beside the project, with the file `secret`. */
  outside: string
  /** A listener of this computer. */
  port: number
  abstractSocket: string
}

/** One attack as data (`security.md` 5): what is tried, and what must come of it. */
export interface CoreCase {
  id: string
  title: string
  /** Files of the case's skill beside its SKILL.md. */
  files?: Record<string, string>
  body?: string
  /** Made before the skill is loaded. */
  prepare?(place: Place): void
  tool?: string
  input?: (place: Place) => Record<string, unknown>
  /**
   * `deny`: refused with this code, and nobody is asked. `ask`: a person is asked as always. `stale`: after `meddle`
   * the click runs nothing. `contain`: it runs, and the effect is not there.
   */
  expected: Deny | Ask | Stale | Contain
}

interface Deny {
  kind: 'deny'
  code: string
  /** What the refusal names. */
  names?: string
}
interface Ask {
  kind: 'ask'
  /** The arguments that the person sees. */
  args?: string[]
}
interface Stale {
  kind: 'stale'
  meddle(place: Place): void
}
export interface Contain {
  kind: 'contain'
  /** Code of the call's failure; by default it succeeds. */
  code?: string
  prints?: RegExp
  never?: RegExp
  /** What is wrong afterwards, in words. */
  check?(place: Place): string[]
}

/** What every planted secret says. */
export const SECRET = 'PLANTED-SECRET'

/** A script `scripts/a.sh` as the only file of the skill. */
export function sh(text: string): Record<string, string> {
  return { 'scripts/a.sh': `#!/usr/bin/env bash\n${text}\n` }
}

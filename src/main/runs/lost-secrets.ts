import type { HeldSecret } from '../lib/redact'
import { cleaner } from './channel'
import type { Context } from './context'

/** What is known of the secrets that the output of a run may hold. */
export interface KnownSecrets {
  held: readonly HeldSecret[]
  /** Names of those that the run was given and whose values are not at hand any more: kept only until the app closed. */
  lost: readonly string[]
}

/** Of a run that was given none. */
export const NO_SECRETS: KnownSecrets = { held: [], lost: [] }

/** What can be taken out of a run's output now, and what of its secrets can't. */
export function secretsOfRun({ deps, rows }: Pick<Context, 'deps' | 'rows'>, runId: string): KnownSecrets {
  const held = deps.heldSecrets?.() ?? []
  const names = new Set(held.map(({ name }) => name))
  return { held, lost: rows.secretsOf(runId).filter((name) => !names.has(name)) }
}

/** What may be told of names that a run made; nothing, where a secret of it is not known any more. */
export function nameCleaner({ held, lost }: KnownSecrets): (name: string) => string {
  return lost.length > 0 ? () => 'not noted: it may hold a secret that is not known any more' : cleaner(held)
}

/** Why there is no more of an output. */
export function restNotKept(lost: readonly string[]): string {
  const which = lost.length === 1 ? 'the secret' : 'the secrets'
  const known = lost.length === 1 ? 'which is' : 'which are'
  return `\n[The rest of the output is not kept: it may hold ${which} ${lost.join(', ')}, ${known} not known any more.]\n`
}

/**
 * A logged text up to the first character that moves the cursor: behind it letters could come together to a value that
 * nobody can look for any more. The lines of a terminal end with CR LF.
 */
export function beforeMoves(text: string): string {
  const at = text.search(MOVES)
  return at < 0 ? text : text.slice(0, at)
}

// oxlint-disable-next-line no-control-regex -- these are what is looked for
const MOVES = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)/

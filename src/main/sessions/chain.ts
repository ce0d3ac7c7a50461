import type { Fork, SessionRow } from '../db/session-rows'
import { failed } from './envelope'

export type Chain = Fork['chain']
type Link = Chain[number]

/** Skills one behind the other, each loaded by what the one before said. */
const MAX_DEPTH = 5

/**
 * The chain that a load in this chat ends (R14): the skills of the forks that have not ended, then for a fork the skill
 * that was loaded last here, then the skill itself.
 */
export function chainTo(session: SessionRow, { key, name }: Link, isFork: boolean): Chain {
  const before = session.fork?.chain ?? []
  const last = session.activeSkills.at(-1)
  const led = isFork && last && last.key !== key && !before.some((link) => link.key === last.key)
  return [...before, ...(led ? [{ key: last.key, name: last.name }] : []), { key, name }]
}

/** Why a load may not be: the chain with the skill in it twice, or too long. Null when it may. */
export function chainRefusal(chain: Chain): ReturnType<typeof failed> | null {
  const { key } = chain.at(-1)!
  const at = chain.findIndex((link) => link.key === key)
  if (at < chain.length - 1) {
    const error = `This would go round in a circle: ${words(chain.slice(at))}. Go on without loading it again.`
    return failed('cycle', error)
  }
  if (chain.length <= MAX_DEPTH) return null
  const error = `At most ${MAX_DEPTH} skills may lead to each other: ${words(chain)}. Finish with what is loaded.`
  return failed('depth', error)
}

function words(chain: Chain): string {
  return chain.map(({ name }) => name).join(' → ')
}

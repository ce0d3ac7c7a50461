import { getSession, type Fork, type SessionRow } from '../../db/session-rows'
import { agentOf, type AgentDeps } from './agent'
import { failed } from '../turn/envelope'

export type Chain = Fork['chain']
type Link = Chain[number]

/** Skills and agents one behind the other, each called by what the one before said. */
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

/** The chain of a task for another agent: what has not ended yet, then that agent. */
export function chainToAgent(session: SessionRow, name: string): Chain {
  return [...(session.fork?.chain ?? []), agentLink(name)]
}

/** Why another agent may not be handed a task: it works on the way to this chat already, or that is too long. */
export function agentChainRefusal(
  deps: AgentDeps,
  session: SessionRow,
  name: string,
): ReturnType<typeof failed> | null {
  const way = wayTo(deps, session)
  const at = way.findIndex(({ key }) => key === agentLink(name).key)
  return at >= 0 ? circle([...way.slice(at), agentLink(name)]) : chainRefusal(chainToAgent(session, name))
}

/** Every agent and forked skill from the chat of the person to this one. */
function wayTo(deps: AgentDeps, session: SessionRow): Chain {
  const { fork } = session
  const here = agentLink(agentOf(deps, session).name)
  const parent = fork ? getSession(deps.db.sql, fork.parentId) : null
  if (!fork || !parent) return [here]
  const before = wayTo(deps, parent)
  if (fork.kind === 'agent') return [...before, here]
  return [...before, ...fork.chain.slice(-1), ...(before.some(({ key }) => key === here.key) ? [] : [here])]
}

function agentLink(name: string): Link {
  return { key: `agent:${name}`, name }
}

/** Why a load may not be: the chain with the skill in it twice, or too long. Null when it may. */
export function chainRefusal(chain: Chain): ReturnType<typeof failed> | null {
  const { key } = chain.at(-1)!
  const at = chain.findIndex((link) => link.key === key)
  if (at < chain.length - 1) return circle(chain.slice(at))
  if (chain.length <= MAX_DEPTH) return null
  const error = `At most ${MAX_DEPTH} skills and agents may lead to each other: ${words(chain)}. Finish with what is here.`
  return failed('depth', error)
}

function circle(chain: Chain): ReturnType<typeof failed> {
  return failed('cycle', `This would go round in a circle: ${words(chain)}. Go on without it.`)
}

function words(chain: Chain): string {
  return chain.map(({ name }) => name).join(' → ')
}

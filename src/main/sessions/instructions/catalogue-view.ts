import type { SkillCatalogue } from '@shared/domain/skill'
import { getSession, type SessionRow } from '../../db/session-rows'
import { agentOf, GENERAL } from '../agent/agent'
import type { Catalogue } from './catalogue'
import { modelFor, usualAgent } from '../agent/choose-agent'
import { catalogueOf, mustPrepare, prepareCatalogue } from './compose'
import type { SessionDeps } from '../deps'
import { usableSkills } from './usable-skills'

const MAX_UNSEEN = 500

/**
 * The catalogue as the next call of this chat is sent it; where there is no such chat in the project, as a new one would
 * be. The page works none of it out by itself (`ux.md` 3.3, "When the catalogue is cut").
 */
export async function catalogueFor(
  deps: SessionDeps,
  projectDir: string | null,
  sessionId: string | null,
): Promise<SkillCatalogue> {
  const chat = sessionId === null ? null : getSession(deps.db.sql, sessionId)
  const session = chat && chat.projectDir === projectDir ? chat : newChatIn(deps, projectDir)
  const messages = session === chat ? undefined : []
  if (mustPrepare(deps, session, messages)) await prepareCatalogue(deps, session, messages)
  const catalogue = catalogueOf(deps, session, messages)
  const { entries, omitted, tokens, descriptions, shown } = catalogue
  return {
    agent: agentOf(deps, session).label,
    entries,
    omitted,
    tokens,
    descriptions,
    shown: shown.map(({ name, why }) => ({ name, why })),
    leftBy: whyLeft(catalogue),
    unseen: unseenBy(deps, session),
  }
}

function whyLeft({ left }: Catalogue): string | null {
  return left[0]?.why ?? null
}

/** Effective for people, but nothing that the agent may load. */
function unseenBy(deps: SessionDeps, session: SessionRow): string[] {
  const seen = new Set(usableSkills(deps, session).map(({ name }) => name))
  return deps.registry
    .list(session.projectDir)
    .filter(({ record, status }) => status === 'effective' && !record.disableModelInvocation)
    .map(({ record }) => record.name)
    .filter((name) => !seen.has(name))
    .slice(0, MAX_UNSEEN)
}

/** As `createChat` would make it, without making it. */
function newChatIn(deps: SessionDeps, projectDir: string | null): SessionRow {
  const entry = usualAgent(deps.agents, projectDir, deps.settings())
  const at = deps.now()
  return {
    id: '',
    title: '',
    projectDir,
    model: modelFor(deps, entry),
    agent: entry?.agent.name ?? GENERAL,
    agentScope: entry?.scope ?? 'bundled',
    agentDigest: '',
    state: 'idle',
    activeSkills: [],
    agentModels: [],
    draft: '',
    createdAt: at,
    updatedAt: at,
  }
}

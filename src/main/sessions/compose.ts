import { AppError } from '@shared/errors'
import { listMessages } from '../db/message-rows'
import type { SessionRow } from '../db/session-rows'
import { wellFormed } from '../lib/well-formed'
import { composeCatalogue, type Catalogue } from './catalogue'
import type { SessionDeps } from './deps'
import { textOf } from './history'
import { projectInstructions } from './project-instructions'
import { composeInstructions, GENERAL_ROLE } from './prompt'
import { isInert } from './tools/active'

/** `runtime.md` 1: whichever comes first. */
const MAX_ENTRIES = 50
const WINDOW_SHARE = 0.02

export interface NextCall {
  /** One text for each cache mark. */
  texts: string[]
  /** Without skills there is no block and no tool. */
  hasSkills: boolean
}

/** Gathers what the pure composition needs: project file, catalogue, bodies of the active skills by digest. */
export async function nextCall(deps: SessionDeps, session: SessionRow): Promise<NextCall> {
  const catalogue = catalogueOf(deps, session)
  const usable = session.activeSkills.filter(({ key }) => !isInert(deps, session, key))
  const active = await Promise.all(
    usable.map(async ({ name, scope, digest }) => ({
      name,
      scope,
      digest,
      body: await bodyOf(deps, digest, name),
    })),
  )
  const trusted = session.projectDir !== null && deps.isTrusted(session.projectDir)
  const texts = composeInstructions({
    role: GENERAL_ROLE,
    projectInstructions: trusted && session.projectDir ? await projectInstructions(session.projectDir) : '',
    catalogue: catalogue.text,
    active,
  })
  return { texts: texts.map(wellFormed), hasSkills: catalogue.entries > 0 || active.length > 0 }
}

/** One damaged snapshot must not end the chat: its place in the instructions says what happened. */
async function bodyOf(deps: SessionDeps, digest: string, name: string): Promise<string> {
  try {
    return (await deps.bodies.get(digest, name)).body
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    deps.log.warn('the body of an active skill could not be read', { digest, reason: error.message })
    return 'The text of this skill can not be read any more. Load it again with skills_load.'
  }
}

/** What the model always sees of the skills that may be used here. */
export function catalogueOf(deps: SessionDeps, session: SessionRow): Catalogue {
  const entries = deps.registry
    .list(session.projectDir)
    .filter(({ status, record }) => status === 'effective' && !record.disableModelInvocation)
    .map(({ record }) => ({ name: record.name, description: record.description }))
  const maxTokens = Math.floor(deps.llm.contextWindow(session.model) * WINDOW_SHARE)
  const lastMessages = listMessages(deps.db.sql, session.id)
    .filter((message) => message.role === 'user')
    .slice(-2)
    .map(textOf)
  return composeCatalogue(entries, { maxEntries: MAX_ENTRIES, maxTokens }, lastMessages)
}

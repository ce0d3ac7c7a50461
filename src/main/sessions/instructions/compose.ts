import type { ActiveSkill } from '@shared/domain/session'
import { AppError } from '@shared/errors'
import { listCalls, type CallRow } from '../../db/call-rows'
import { listMessages, type MessageRow } from '../../db/message-rows'
import type { SessionRow } from '../../db/session-rows'
import { wellFormed } from '../../lib/well-formed'
import type { ToolSpec } from '../../llm/types'
import { agentOf } from '../agent/agent'
import { catalogueInSteps, fixedCatalogue, type Catalogue } from './catalogue'
import type { ComposeDeps } from '../deps'
import { textOf } from '../history/history'
import { projectInstructions } from './project-instructions'
import {
  composeInstructions,
  instructionParts,
  skillDir,
  type ActiveBody,
  type InstructionPart,
} from './prompt'
import { skillText } from './skill-text'
import { atOnce, inSteps, type Steps } from '../turn/steps'
import { styleOf } from '../styles/all'
import { offeredTools } from '../styles/offer'
import { standsInResult } from '../styles/model-view'
import type { Style } from '../styles/style'
import { coreFor } from '../agent/subagents'
import { isInert } from '../tools/active'
import { newerOnDisk } from '../tools/receipt'
import { entriesOf, relevanceOf, usableHere, usableSkills, type Usable } from './usable-skills'

export interface NextCall {
  /** One text for each cache mark. */
  texts: string[]
  /** The same by block. */
  parts: InstructionPart[]
  /** What is in the catalogue and what not, and why. */
  catalogue: Catalogue
  style: Style
  /** Without skills there is no block and no tool, but where a document has a text for that. */
  hasSkills: boolean
  /** The tools that this call offers, of those that there are. */
  tools(core: readonly ToolSpec[], calledBefore: boolean): ToolSpec[]
}

/**
 * Gathers what the pure composition needs: agent, project file, catalogue, bodies of the active skills by digest. `calls`
 * and `messages` are those of the chat, where they are known already.
 */
export async function nextCall(
  deps: ComposeDeps,
  session: SessionRow,
  calls: readonly CallRow[] = listCalls(deps.db.sql, session.id),
  messages?: readonly MessageRow[],
): Promise<NextCall> {
  if (mustPrepare(deps, session, messages)) await prepareCatalogue(deps, session, messages)
  const agent = agentOf(deps, session)
  const style = styleOf(agent.style)
  const catalogue = catalogueOf(deps, session, messages)
  const usable = session.activeSkills.filter(({ key }) => !isInert(deps, session, key))
  const inText = usable.filter((active) => !standsInResult(active, calls))
  const hasSkills = catalogue.text !== '' || usable.length > 0
  const input = {
    role: agent.role,
    overrides: agent.overrides,
    style,
    projectInstructions: await projectText(deps, session),
    catalogue: style.listIn === 'instructions' ? catalogue.text : '',
    hasSkills,
    active: await Promise.all(inText.map((active) => activeBody(deps, active))),
    newer: newerOnDisk(deps, usable),
    tried: session.trial?.name,
  }
  const list = style.listIn === 'tool' ? wellFormed(catalogue.text) : ''
  const { omitted } = catalogue
  return {
    texts: composeInstructions(input).map(wellFormed),
    parts: instructionParts(input),
    catalogue,
    style,
    hasSkills,
    // A history with calls needs their tools declared, also when every skill is gone.
    tools: (core, calledBefore) =>
      offeredTools({
        style,
        core: coreFor(deps, session, core),
        list,
        omitted,
        hasSkills: hasSkills || calledBefore,
      }),
  }
}

/** What the model always sees of the skills that may be used here. */
export function catalogueOf(
  deps: ComposeDeps,
  session: SessionRow,
  messages?: readonly MessageRow[],
): Catalogue {
  const wish = wishOf(deps, session, messages)
  return writtenBefore(wish) ?? keep(wish, atOnce(wish.write()))
}

/** Of fewer skills the catalogue is written in one go. */
const MANY = 500

/**
 * Writes the catalogue of many skills in short steps, so that `catalogueOf` has it: from one list of the registry,
 * whatever happens meanwhile. Where the skills or the question are others by then, `catalogueOf` sees it and writes anew.
 */
export async function prepareCatalogue(
  deps: ComposeDeps,
  session: SessionRow,
  messages?: readonly MessageRow[],
): Promise<void> {
  const before = preparing
  const work = async () => {
    await before
    const wish = wishOf(deps, session, messages)
    if (wish.heard === null || writtenBefore(wish)) return
    keep(wish, await inSteps(wish.write()))
  }
  const done = work()
  // One after another: two for the same question are one, and steps stay short.
  preparing = done.catch(() => undefined)
  await done
}

/** True when `catalogueOf` would be busy for long now, and `prepareCatalogue` is worth waiting for. */
export function mustPrepare(
  deps: ComposeDeps,
  session: SessionRow,
  messages?: readonly MessageRow[],
): boolean {
  if (usableSkills(deps, session).length <= MANY) return false
  const wish = wishOf(deps, session, messages)
  return wish.heard !== null && !writtenBefore(wish)
}

let preparing: Promise<void> = Promise.resolve()

/** A catalogue to be written, with all that decides about it as of now. */
interface Wish {
  usable: Usable
  /** What is asked, besides the skills. */
  key: string
  /** What the conversation is about; null where nothing must be chosen. */
  heard: string | null
  write(): Steps<WrittenOnce>
}

interface WrittenOnce {
  catalogue: Catalogue
  /** The same key will mean the same catalogue. */
  keep: boolean
}

function wishOf(deps: ComposeDeps, session: SessionRow, messages?: readonly MessageRow[]): Wish {
  const agent = agentOf(deps, session)
  const { list } = styleOf(agent.style)
  const { catalogueMax: maxEntries, catalogueShare: share } = deps.settings()
  const usable = usableHere(deps, session)
  const maxTokens = Math.floor(deps.llm.contextWindow(session.model) * share)
  const recent = session.activeSkills.map(({ name }) => name).reverse()
  // Only where entries must be chosen does the conversation count.
  const hear = () => lastHeard(messages ?? listMessages(deps.db.sql, session.id))
  const heard = usable.records.length > maxEntries ? hear() : null
  const key = JSON.stringify([agent.style, maxEntries, maxTokens, agent.usesSkills, recent, heard])
  function* write(): Steps<WrittenOnce> {
    const entries = entriesOf(usable)
    if (typeof list === 'string') return { catalogue: fixedCatalogue(entries, list), keep: true }
    yield
    const found = heard === null ? null : relevanceOf(usable)
    yield
    const relevance = () => (found ?? relevanceOf(usable)).score(heard ?? hear())
    const options = { format: list, alwaysOn: new Set(agent.usesSkills), recent, relevance }
    const catalogue = yield* catalogueInSteps(entries, { maxEntries, maxTokens }, options)
    // Where names alone did not fit, what was chosen depends on more than the key says.
    return { catalogue, keep: heard !== null || catalogue.omitted === 0 }
  }
  return { usable, key, heard, write }
}

const REMEMBERED = 20
/** Written once for the same skills and the same question: most calls of a chat ask for the same. */
const remembered = new WeakMap<Usable, Map<string, Catalogue>>()

function writtenBefore({ usable, key }: Wish): Catalogue | undefined {
  return remembered.get(usable)?.get(key)
}

function keep({ usable, key }: Wish, written: WrittenOnce): Catalogue {
  const known = remembered.get(usable) ?? new Map<string, Catalogue>()
  remembered.set(usable, known)
  if (written.keep) known.set(key, written.catalogue)
  const oldest = known.keys().next().value
  if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest)
  return written.catalogue
}

/** The last two messages of the person, the last one first. */
function lastHeard(messages: readonly MessageRow[]): string {
  const isHeard = ({ role, status }: MessageRow) => role === 'user' && status !== 'queued'
  const last = messages.findLastIndex(isHeard)
  const before = messages.findLast((message, at) => at < last && isHeard(message))
  return [messages[last], before].flatMap((message) => (message ? [textOf(message)] : [])).join('\n')
}

async function projectText(deps: ComposeDeps, { projectDir }: SessionRow): Promise<string> {
  return projectDir !== null && deps.isTrusted(projectDir) ? projectInstructions(projectDir) : ''
}

async function activeBody(deps: ComposeDeps, active: ActiveSkill): Promise<ActiveBody> {
  const { name, scope, digest, args } = active
  const body = await bodyOf(deps, digest, name)
  return { name, scope, digest, body: skillText(body, { dir: skillDir(name), args }) }
}

/** One damaged snapshot must not end the chat: its place in the instructions says what happened. */
async function bodyOf(deps: ComposeDeps, digest: string, name: string): Promise<string> {
  try {
    return (await deps.bodies.get(digest, name)).body
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    deps.log.warn('the body of an active skill could not be read', { digest, reason: error.message })
    return 'The text of this skill can not be read any more. Load it again.'
  }
}

import type { PartTokens } from '@shared/domain/context'
import type { Usage } from '@shared/domain/session'
import { PRACTICE_MODEL } from '@shared/domain/settings'
import { lastAnswerCall, type EndedCallRow } from '../../db/model-call-rows'
import type { SessionRow } from '../../db/session-rows'
import { listUsage } from '../../db/usage-rows'
import { costOf } from '../../llm/cost'
import { plainMessages } from '../../llm/history'
import type { HistoryEntry } from '../../llm/types'
import { TOOLS } from '../turn/call-step'
import type { Catalogue } from '../instructions/catalogue'
import { agentOf } from '../agent/agent'
import type { ChatRows } from '../instructions/compose-call'
import type { SessionDeps } from '../deps'
import { compactionIn, toHistory } from '../history/history'
import { bodyCalls, measureAll, partTokens, totalTokens, type Measured } from './measure'
import { instructionParts } from '../instructions/prompt'
import { styleOf } from '../styles/all'
import { asSeen, standsInResult } from '../styles/model-view'
import { offeredTools } from '../styles/offer'
import { coreFor } from '../agent/subagents'

/** The meter of a chat: what its next call holds. */
export interface Meter {
  rules: number
  catalogue: number
  activeSkills: number
  filesRead: number
  conversation: number
  /** All of it: as the provider counted the last call, with what came since. */
  used: number
  /** Nothing in `used` is estimated. */
  counted: boolean
  window: number
}

/** What a chat has used so far. */
export interface Spent {
  inputTokens: number
  outputTokens: number
  /** US dollars of the calls whose price is known. */
  costUsd: number
  /** Calls of models without a known price, other than those of this computer. */
  unpriced: number
  /** Calls of other computers that are in it by an estimate: they broke off before they were counted. */
  estimated: number
  /** Every answer came from this computer: there is nothing to pay. */
  local: boolean
}

/** What a meter is read from. */
export interface MeterInput extends ChatRows {
  catalogue: Catalogue
  /** Tokens of the project's instructions, as the last call had them. */
  project: number
}

/** Tokens of the next call by part. Files and bodies are not read for it, so it can be asked at any time. */
export function meterOf(
  deps: SessionDeps,
  session: SessionRow,
  chat: ChatRows & { catalogue: Catalogue },
): Meter {
  const last = lastAnswerCall(deps.db.sql, session.id)
  const parts = estimateNext(deps, session, { ...chat, project: last?.parts.project ?? 0 })
  return {
    ...byName(parts),
    ...usedBy(last, totalTokens(parts), chat),
    window: deps.llm.contextWindow(session.model),
  }
}

/** Tokens by part under the names of the meter. */
export function byName(parts: PartTokens): Omit<Meter, 'used' | 'counted' | 'window'> {
  const sum = (...names: (keyof PartTokens)[]) => names.reduce((all, name) => all + (parts[name] ?? 0), 0)
  return {
    rules: sum('role', 'tools', 'skills', 'project', 'overrides', 'tool-list'),
    catalogue: sum('catalogue'),
    activeSkills: sum('active'),
    filesRead: sum('files-read'),
    conversation: sum('conversation'),
  }
}

/** What the meter says of a call, to be kept with it. */
export function meterAt(deps: SessionDeps, session: SessionRow, chat: MeterInput): number {
  return totalTokens(estimateNext(deps, session, chat))
}

/** What the calls of a chat used, and what that cost. */
export function spentIn({ db, llm }: Pick<SessionDeps, 'db' | 'llm'>, sessionId: string): Spent {
  const rows = listUsage(db.sql, { sessionId })
  const spent = { inputTokens: 0, outputTokens: 0, costUsd: 0, unpriced: 0, estimated: 0, local: true }
  for (const { usage, model, calls, estimated } of rows) {
    const cost = costOf(usage, model)
    const local = llm.isLocal(model)
    spent.inputTokens += usage.inputTokens
    spent.outputTokens += usage.outputTokens
    spent.costUsd += cost ?? 0
    spent.unpriced += cost === null && !local ? calls : 0
    spent.estimated += local ? 0 : estimated
    spent.local &&= local
  }
  return spent
}

/** True for tokens that a provider counted: the practice agent only estimates, and some servers count nothing. */
export function isCounted(model: string, usage: Usage | null): usage is Usage {
  return usage !== null && usage.inputTokens > 0 && model !== PRACTICE_MODEL
}

/** As `composeCall` counts, without what must be read from disk. */
function estimateNext(deps: SessionDeps, session: SessionRow, chat: MeterInput): PartTokens {
  const { calls, catalogue, messages } = chat
  const agent = agentOf(deps, session)
  const style = styleOf(agent.style)
  const hasSkills = catalogue.text !== '' || session.activeSkills.length > 0
  const inTool = style.listIn === 'tool'
  const input = {
    role: agent.role,
    overrides: agent.overrides,
    style,
    hasSkills,
    active: [],
    projectInstructions: '',
    catalogue: inTool ? '' : catalogue.text,
  }
  const tools = offeredTools({
    style,
    core: coreFor(
      deps,
      session,
      TOOLS.map(({ spec }) => spec),
    ),
    list: inTool ? catalogue.text : '',
    omitted: catalogue.omitted,
    hasSkills: hasSkills || calls.length > 0,
  })
  const parts = partTokens({
    parts: instructionParts(input),
    listInTool: inTool ? catalogue.tokens : 0,
    tools,
    messages: measureSaid(asSeen(toHistory(messages, calls))),
    bodies: bodyCalls(session, calls),
  })
  const inText = session.activeSkills.filter((active) => !standsInResult(active, calls))
  const active = inText.reduce((sum, { tokens }) => sum + tokens, parts.active ?? 0)
  return { ...parts, active, project: chat.project }
}

/** What was said, without what the model layer adds behind an answer to let it go on. */
export function measureSaid(history: readonly HistoryEntry[]): readonly Measured[] {
  const messages = plainMessages(history)
  if (history.at(-1)?.role !== 'assistant') return measureAll(messages)
  return measureAll(messages.slice(0, messages.findLastIndex(({ role }) => role === 'assistant') + 1))
}

/** The provider's number of the last call, with its answer, and an estimate of what came or went since. */
function usedBy(
  last: EndedCallRow | null,
  estimate: number,
  { messages }: ChatRows,
): Pick<Meter, 'used' | 'counted'> {
  // On another branch, or before older messages were summarised, it says nothing of the next call.
  const summarised = compactionIn(messages)?.message.seq ?? 0
  const answered = messages.findLast(({ id }) => id === last?.messageId)
  if (!last || !answered || answered.seq <= summarised || !isCounted(last.model, last.usage)) {
    return { used: estimate, counted: false }
  }
  const answer = measureSaid(toHistory([answered], []))
  const since = estimate - last.meter - answer.reduce((sum, { tokens }) => sum + tokens, 0)
  const { inputTokens, outputTokens, reasoningTokens = 0 } = last.usage
  return { used: Math.max(0, inputTokens + outputTokens - reasoningTokens + since), counted: since === 0 }
}

import type { Decision } from '@shared/domain/approval'
import type { ChatPage, ChatPlace, SessionDetail, SessionEvent, SessionSummary } from '@shared/domain/session'
import { isNoSpace } from '@shared/errors'
import { dropUnusedAgentFiles } from '../db/agent-rows'
import type { RequestRow } from '../db/request-rows'
import {
  deleteSession,
  getSession,
  listSessions,
  rootIdOf,
  updateSession,
  type SessionPatch,
} from '../db/session-rows'
import { bringAlwaysOn } from './instructions/always-on'
import { branchAtAnswer, showBranch } from './history/branches'
import { createChatEnds } from './history/chat-ends'
import { PAGE_BYTES } from './history/chat-pages'
import {
  confirmTools,
  emptyChats,
  followAgents,
  modelFor,
  setAgent,
  takeNewAgent,
  usualAgent,
} from './agent/choose-agent'
import { choiceOf, type ModelChoice } from './agent/choose-model'
import { createContexts, type Contexts } from './context/context-view'
import { decide, expire, renew } from './requests/decide'
import type { SessionDeps } from './deps'
import { emitSession, familyOf, shownPage, snapshotOf, toDetail, toSummary } from './history/detail'
import { atRest, holding, refuseFork } from './turn/holding'
import { noteCalls } from './turn/own-calls'
import { stepOfPerson, type PersonStep } from './turn/person-step'
import { createChat, type NewChat } from './new-chat'
import { createSeen } from './history/seen'
import { editMessage, sendMessage, unqueueMessage } from './turn/send'
import { loadTool } from './tools/load'
import { readRunScriptInput, runScriptTool } from './tools/run-script'
import { unloadTool } from './tools/unload'
import { need } from './turn/turn'
import { createTurns, type Turns } from './turn/turns'
import { createWaiting, type Waiting } from './requests/waiting'

/** Chats: what a person can do with them. Several may run at once; each runs one turn at a time. */
export interface Sessions extends Waiting {
  list(): SessionSummary[]
  /** With the agent's own model where none is named, and with General where no agent is. */
  create(input: NewChat): SessionDetail
  /** Brings the skills that the chat's agent always uses; done by itself when a turn begins. */
  prepare(sessionId: string): Promise<SessionDetail>
  /** Throws `bad_input` for a chat in which something was said. */
  setAgent(sessionId: string, name: string): Promise<void>
  /** The agent's file of now in the place of the one that the chat began with. */
  takeNewAgent(sessionId: string): Promise<void>
  /** Lets the tools that a project's file allows be used without asking. */
  confirmTools(sessionId: string): void
  /** Agents' files changed: empty chats follow, open ones say so. */
  agentsChanged(): void
  rename(sessionId: string, title: string): void
  remove(sessionId: string): Promise<void>
  /** Sends now, or queues for after the current step. */
  send(sessionId: string, text: string): { messageId: string; queued: boolean }
  /** Takes a message out of the queue. */
  unqueue(sessionId: string, messageId: string): void
  /** Says another text in the place of an earlier message; returns the id of the new one. */
  edit(sessionId: string, messageId: string, text: string): Promise<string>
  /** Asks for another answer in the place of this one. */
  retry(sessionId: string, messageId: string): Promise<void>
  /** Shows the branch that was written last under this message. */
  showBranch(sessionId: string, messageId: string): Promise<void>
  stop(sessionId: string, force: boolean): Promise<void>
  /** Has the model summarise older messages; what was said stays. */
  compact(sessionId: string): Promise<void>
  /** Goes on with a chat that was interrupted. */
  resume(sessionId: string): void
  decide(decision: Decision): Promise<RequestRow>
  /** What a waiting request would run is looked at anew. */
  renew(requestId: string): Promise<void>
  /** Nobody is there to answer: the request ends as expired, and the chat goes on. */
  expire(requestId: string, why: string): Promise<void>
  loadSkill(sessionId: string, name: string): Promise<void>
  /** Asks for a script as an agent would; the chat goes on with it. Throws `bad_input`. */
  runScript(sessionId: string, input: unknown): Promise<void>
  unloadSkill(sessionId: string, name: string): Promise<void>
  setDraft(sessionId: string, text: string): void
  setModel(sessionId: string, model: string): void
  /** Uses the model that an active skill or another agent prefers, or keeps the chat's. Throws `stale`. */
  chooseModel(sessionId: string, said: ModelChoice): void
  /** Chats in which nothing was said yet follow a change of the default model. */
  useInEmptyChats(model: string): void
  /** The same for the default agent, where they were with the one before. */
  useDefaultAgent(before: string): Promise<void>
  /** `endFirst`: a snapshot of a long chat may say less than it could, and is followed by the rest. */
  watch(sessionId: string, signal: AbortSignal, endFirst?: boolean): AsyncIterable<SessionEvent>
  /** What lies before a page of the chat. */
  page(sessionId: string, before: ChatPlace): Promise<ChatPage>
  /** What the model was sent, call by call. */
  contexts: Contexts
  /** Skills changed on disk: open chats show their catalogue and active skills anew. */
  skillsChanged(): void
  /** Another program changed rows: open chats are told what is new in them. */
  changedElsewhere(): void
  /** Chats whose turn is running now. */
  running(): number
  /** Stops every turn and waits for it. */
  close(): Promise<void>
}

interface Context extends SessionDeps {
  turns: Turns
}

export function createSessions(deps: SessionDeps): Sessions {
  const context: Context = { ...deps, turns: createTurns(deps) }
  return {
    list: () => listSessions(deps.db.sql).map((session) => toSummary(deps, session)),
    create: (input) => createChat(deps, input),
    ...agentParts(context),
    ...waitingParts(context),
    rename: (sessionId, title) => patch(context, sessionId, { title }),
    remove: (sessionId) => holding(context, sessionId, () => remove(context, sessionId)),
    send: (sessionId, text) => sendHolding(context, sessionId, text),
    unqueue: (sessionId, messageId) => unqueueMessage(context, sessionId, messageId),
    edit: (sessionId, messageId, text) =>
      atRest(context, sessionId, () => editMessage(context, { sessionId, messageId, text })),
    retry: (sessionId, messageId) =>
      atRest(context, sessionId, () => {
        branchAtAnswer(context, sessionId, messageId)
        context.turns.start(sessionId)
      }),
    showBranch: (sessionId, messageId) =>
      atRest(context, sessionId, () => showBranch(context, sessionId, messageId)),
    stop: (sessionId, force) => stop(context, sessionId, force),
    compact: (sessionId) => holding(context, sessionId, () => context.turns.compact(sessionId)),
    resume: (sessionId) => context.turns.start(rootIdOf(need(deps, sessionId))),
    renew: (requestId) => renew(deps, requestId),
    decide: (decision) =>
      holding(context, chatOfRequest(context, decision.requestId), () => decideAndGoOn(context, decision)),
    expire: (requestId, why) =>
      holding(context, chatOfRequest(context, requestId), async () => {
        if (expire(context, requestId, why)) goOnIfAnswered(context, chatOfRequest(context, requestId))
      }),
    loadSkill: (sessionId, name) =>
      byPerson(context, sessionId, { tool: loadTool, input: { names: [name], mode: 'add' } }),
    runScript: (sessionId, input) => runScriptByPerson(context, sessionId, input),
    unloadSkill: (sessionId, name) =>
      byPerson(context, sessionId, { tool: unloadTool, input: { names: [name] } }),
    setDraft: (sessionId, text) => {
      need(deps, sessionId)
      deps.db.tx(() => updateSession(deps.db.sql, sessionId, { draft: text }))
    },
    setModel: (sessionId, model) => patch(context, sessionId, { model }),
    chooseModel: (sessionId, said) =>
      patch(context, sessionId, choiceOf(context, need(context, sessionId), said)),
    useInEmptyChats: (model) => useInEmptyChats(context, model),
    useDefaultAgent: (before) => useDefaultAgent(context, before),
    ...watchParts(deps),
    contexts: createContexts(deps),
    skillsChanged: () => deps.live.watched().forEach((sessionId) => emitSession(deps, sessionId)),
    running: () => context.turns.running(),
    close: () => context.turns.close(),
  }
}

function watchParts(deps: SessionDeps): Pick<Sessions, 'changedElsewhere' | 'page' | 'watch'> {
  const seen = createSeen(deps)
  const ends = createChatEnds(deps, seen)
  return {
    watch(sessionId, signal, endFirst = false) {
      const snapshot = () => {
        const end = endFirst ? ends.open(need(deps, sessionId)) : null
        if (end) return end
        seen.remember(sessionId)
        return snapshotOf(deps, need(deps, sessionId))
      }
      return deps.live.watch(sessionId, snapshot, signal)
    },
    async page(sessionId, before) {
      await ends.read(sessionId)
      return shownPage(deps, need(deps, sessionId).id, { before, maxBytes: PAGE_BYTES })
    },
    changedElsewhere: seen.tell,
  }
}

function waitingParts(context: Context): Waiting {
  return createWaiting({
    deps: context,
    holding: (sessionId, work) => holding(context, sessionId, work),
    goOn: (sessionId) => goOnIfAnswered(context, sessionId),
    chatOf: (requestId) => chatOfRequest(context, requestId),
    decide: (decision) => decideAndGoOn(context, decision),
    pauseAll: () => context.turns.pauseAll(),
  })
}

/** An agent with a model of its own keeps it. */
function useInEmptyChats(context: Context, model: string): void {
  for (const session of emptyChats(context)) {
    const entry = context.agents.find(session.projectDir, session.agent)
    patch(context, session.id, { model: entry?.agent.model ? modelFor(context, entry) : model })
  }
}

async function useDefaultAgent(context: Context, before: string): Promise<void> {
  for (const { id, agent, projectDir } of emptyChats(context)) {
    const usual = usualAgent(context.agents, projectDir, context.settings())
    if (agent !== before || usual === null || usual.agent.name === agent) continue
    await changeAgent(context, id, () => setAgent(context, id, usual.agent.name))
  }
}

type AgentParts = 'prepare' | 'setAgent' | 'takeNewAgent' | 'confirmTools' | 'agentsChanged'

function agentParts(context: Context): Pick<Sessions, AgentParts> {
  return {
    prepare: (sessionId) =>
      holding(context, sessionId, async () => {
        await bringAlwaysOn(context, sessionId)
        return toDetail(context, need(context, sessionId))
      }),
    setAgent: (sessionId, name) => changeAgent(context, sessionId, () => setAgent(context, sessionId, name)),
    takeNewAgent: (sessionId) => changeAgent(context, sessionId, () => takeNewAgent(context, sessionId)),
    confirmTools: (sessionId) => {
      confirmTools(context, sessionId)
      emitSession(context, sessionId)
    },
    agentsChanged: () => {
      followAgents(context)
      for (const sessionId of context.live.watched()) emitSession(context, sessionId)
    },
  }
}

async function changeAgent(context: Context, sessionId: string, change: () => void): Promise<void> {
  await holding(context, sessionId, async () => {
    change()
    await bringAlwaysOn(context, sessionId)
  })
  emitSession(context, sessionId)
  context.emit({ t: 'sessions.changed' })
}

function patch(context: Context, sessionId: string, change: SessionPatch): void {
  need(context, sessionId)
  context.db.durable(() => updateSession(context.db.sql, sessionId, change))
  emitSession(context, sessionId)
  context.emit({ t: 'sessions.changed' })
}

async function remove(context: Context, sessionId: string): Promise<void> {
  // A message that came during the stop has begun another turn.
  do await context.turns.stop(sessionId, true)
  while (context.inTurn.has(sessionId))
  context.db.durable(() => {
    deleteSession(context.db.sql, sessionId)
    dropUnusedAgentFiles(context.db.sql)
  })
  context.emit({ t: 'sessions.changed' })
  context.emit({ t: 'approvals.changed', sessionId })
}

function sendHolding(context: Context, sessionId: string, text: string): ReturnType<typeof sendMessage> {
  refuseFork(context, sessionId)
  const release = context.owner.hold(need(context, sessionId).id)
  try {
    return sendMessage(context, sessionId, text)
  } finally {
    release()
  }
}

/** Also while a full disk refuses the row that would say who has the chat: nobody else can write it either. */
async function stop(context: Context, sessionId: string, force: boolean): Promise<void> {
  const work = () => context.turns.stop(sessionId, force)
  try {
    await holding(context, sessionId, work)
  } catch (error) {
    if (!isNoSpace(error) || context.owner.isElsewhere(sessionId)) throw error
    await work()
  }
}

async function decideAndGoOn(context: Context, decision: Decision): Promise<RequestRow> {
  // What was stopped while the disk was full must not be answered after all.
  context.live.held.retry()
  const row = await decide(context, decision)
  const sessionId = chatOfRequest(context, row.id)
  if (decision.choice === 'deny_stop') await context.turns.stop(sessionId, false)
  else goOnIfAnswered(context, sessionId)
  emitSession(context, sessionId)
  context.emit({ t: 'sessions.changed' })
  return row
}

/** A chat goes on when nothing in it waits for a person any more. */
function goOnIfAnswered(context: Context, sessionId: string): void {
  const isWaiting = familyOf(context, sessionId).some((id) => context.broker.pending(id).length > 0)
  if (!isWaiting) context.turns.start(sessionId)
}

/** The chat of the person: a fork goes on as a part of it. */
function chatOfRequest({ broker, db }: Context, requestId: string): string {
  const session = getSession(db.sql, broker.get(requestId)?.sessionId ?? '')
  return session ? rootIdOf(session) : ''
}

function runScriptByPerson(context: Context, sessionId: string, input: unknown): Promise<void> {
  return holding(context, sessionId, async () => {
    need(context, sessionId)
    noteCalls(context, sessionId, [{ name: runScriptTool.spec.name, input: readRunScriptInput(input) }])
    context.turns.start(sessionId)
  })
}

function byPerson(context: Context, sessionId: string, step: PersonStep): Promise<void> {
  return holding(context, sessionId, async () => {
    if ((await stepOfPerson(context, sessionId, step)) === 'waiting') context.turns.start(sessionId)
  })
}

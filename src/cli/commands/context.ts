import type { CallContext } from '@shared/domain/context'
import { AppError } from '@shared/errors'
import { openEmpty } from '../../main/db/look'
import { lastCallNumber } from '../../main/db/model-call-rows'
import type { Connection } from '../../main/db/open'
import { getSession } from '../../main/db/session-rows'
import type { SessionRow } from '../../main/db/session-rows'
import { instructionsFile } from '../../main/lib/instructions-file'
import { limitsOf } from '../../main/llm/models'
import { createProviders } from '../../main/llm/provider-settings'
import { GENERAL } from '../../main/sessions/agent/agent'
import { usualAgent } from '../../main/sessions/agent/choose-agent'
import { chatRows } from '../../main/sessions/instructions/compose-call'
import { keptContext, nextContext } from '../../main/sessions/context/context-view'
import type { ComposeDeps } from '../../main/sessions/deps'
import { createSkillBodies } from '../../main/sessions/instructions/skill-bodies'
import { createStore } from '../../main/skills/store/store'
import { roomNotice } from '../chat/room'
import { openAgentsHere } from '../here/agents'
import type { AgentsHere } from '../here/agents'
import { wrongUse } from '../grammar/command'
import type { Given, Outcome } from '../grammar/command'
import { contextText } from '../terminal/context-text'
import { readKnownState } from '../here/known-state'
import type { KnownState } from '../here/known-state'
import { openMcpHere } from '../here/mcp'
import { noticesOf, noticeText } from '../row'
import { newChatHere } from '../here/new-chat'
import type { SkillsHere } from '../here/skills'
import type { World } from '../world'

/** `satchel context`: what a model is sent, of a call that was made or of the next one. Nothing is written. */
export async function run(given: Given, world: World): Promise<Outcome> {
  checkTogether(given)
  const state = await readKnownState(world)
  try {
    const session = chosenSession(given, state)
    if (given.values.has('call')) return outcomeOf(keptCall(given, world, state, session!), [])
    return await nextCallOf(given, world, session)
  } finally {
    state.close()
  }
}

function checkTogether({ values }: Given): void {
  const call = values.get('call')
  if (call === undefined) return
  if (!values.has('session'))
    throw wrongUse('--call needs --session.', 'satchel context --session <id> --call <n>')
  if (call !== 'last' && !/^[1-9]\d{0,8}$/.test(call))
    throw wrongUse(
      `--call can't be "${call}". It is a number, or last.`,
      'satchel context --session <id> --call last',
    )
}

function chosenSession({ values }: Given, { sql }: KnownState): SessionRow | null {
  const id = values.get('session')
  if (id === undefined) return null
  if (sql && !isNewest(sql)) throw new AppError('not_ready', OLD_DATA)
  const session = sql && getSession(sql, id)
  if (!session) throw new AppError('not_found', `There is no chat "${id}". Its id begins with "ses_".`)
  return session
}

function keptCall({ values }: Given, world: World, { sql }: KnownState, { id }: SessionRow): CallContext {
  const asked = values.get('call')!
  const number = asked === 'last' && sql ? lastCallNumber(sql, id) : Number(asked)
  if (!sql || number === 0) throw new AppError('not_found', 'No call of this chat was kept.')
  return keptContext(sql, { sessionId: id, number, window: windowOf(world, sql), isRunning: false })
}

const OLD_DATA = 'The data is of an older version. Start Satchel once, then try again.'

/** Data of an older version lacks tables that are asked here; the newest of them tells. */
function isNewest(sql: Connection): boolean {
  return sql.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'agent_files'").get() !== undefined
}

async function nextCallOf(given: Given, world: World, session: SessionRow | null): Promise<Outcome> {
  const dir = session?.projectDir
  const values = dir ? new Map([...given.values, ['project', dir]]) : given.values
  const here = await openAgentsHere({ ...given, values }, world)
  const { mcp, notes } = await openMcpHere(world, {
    settings: here.skills.state.settings,
    dataDir: here.skills.dataDir,
    sessionId: session?.id ?? null,
  })
  try {
    const deps = { ...composeDeps(here, world), mcp }
    const skills = [...noticesOf(here.skills), ...instructionsNotice(here.skills)]
    const notices = [...skills, ...here.agents.notes(), ...notes]
    if (session) {
      const next = await nextContext(deps, session, chatRows(deps, session.id))
      return outcomeOf(next, [...notices, ...roomNotices(next, session)])
    }
    const chat = await newChatHere(here, given.values.get('agent') ?? usualName(here))
    const rows = { calls: [], messages: [] }
    return outcomeOf(await nextContext({ ...deps, bodies: chat.bodies }, chat.session, rows), notices)
  } finally {
    await mcp.close()
    here.close()
  }
}

function usualName({ agents, skills }: AgentsHere): string {
  return usualAgent(agents, skills.projectDir, skills.state.settings)?.agent.name ?? GENERAL
}

/** As the chat itself tells it. */
function roomNotices({ tokens, window }: CallContext, { id }: SessionRow): string[] {
  const notice = roomNotice({ id, context: { used: tokens, window } })
  return notice === null ? [] : [notice]
}

/** What a project tells every agent counts only once it is trusted. */
function instructionsNotice({ projectDir, trusted }: SkillsHere): string[] {
  const file = projectDir === null || trusted ? null : instructionsFile(projectDir)
  if (file === null) return []
  return [
    `The ${file} of this project is not in use, because you did not trust the folder. Open it in Satchel to look at it and decide.`,
  ]
}

function composeDeps({ agents, skills }: AgentsHere, world: World): Omit<ComposeDeps, 'mcp'> {
  const { registry, projectDir, trusted, dataDir, state } = skills
  const sql = state.sql ?? openEmpty()
  return {
    db: { sql },
    agents,
    registry,
    settings: () => state.settings,
    isTrusted: (dir) => dir === projectDir && trusted,
    bodies: createSkillBodies(createStore({ dataDir: dataDir ?? '' })),
    llm: { contextWindow: windowOf(world, state.sql) },
    // Whole folders are not read for this: that a newer version is on disk is told in the app only.
    currentDigest: () => null,
    log: { info() {}, warn() {}, error() {} },
  }
}

/** Windows of models; without data there are no providers, and the model's name must do. */
function windowOf({ env, now }: World, sql: Connection | null): (model: string) => number {
  const refuse = (): never => {
    throw new AppError('internal', 'This command only reads.')
  }
  const secrets = { available: false, backend: 'none', reason: '', seal: refuse, open: refuse }
  const db = sql && { sql, tx: refuse, durable: refuse, soon: refuse, close() {} }
  const providers = db ? createProviders({ db, secrets, env, now }) : { config: () => null }
  return (model) => limitsOf({ providers }, model).contextWindow
}

function outcomeOf(context: CallContext, notices: readonly string[]): Outcome {
  return {
    result: { ...context, notices },
    text: (style, err) => ({
      out: contextText(context, style),
      err: noticeText(notices, err),
    }),
  }
}

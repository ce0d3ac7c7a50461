import { DisclosureStyle } from '@shared/domain/settings'
import type { SessionDetail } from '@shared/domain/session'
import { AppError } from '@shared/errors'
import type { WireError } from '@shared/errors'
import type { App } from '../../main/app'
import { commandAdvice, type Advice } from '../chat/advice'
import { oneOffProvider } from '../chat/choice'
import { jsonLines } from '../chat/json-lines'
import { chatNotices, openChat, snapshotOf } from '../chat/open-chat'
import { tellNotices, type Notices } from '../chat/notices'
import { openCore } from '../chat/open-core'
import type { Allow } from '../chat/questions'
import { compactChat, isCompact, makeRoom, roomNotice } from '../chat/room'
import { screen } from '../chat/screen'
import { skillNotices } from '../chat/skill-notices'
import type { Teller } from '../chat/teller'
import { exitOf, runTurn, usedBetween } from '../chat/turn'
import type { TurnEnd } from '../chat/turn'
import { wrongUse } from '../grammar/command'
import type { Given, Outcome } from '../grammar/command'
import { styleFor } from '../terminal/output'
import type { Style } from '../terminal/output'
import type { World } from '../world'

interface Talk {
  app: App
  world: World
  teller: Teller
  /** Of stderr. */
  style: Style
  allow: Allow
  session: SessionDetail
  advice: Advice
  notices: Notices
  /** What was told of its skills. */
  told: Set<string>
  /** One message was given: nobody is there to choose what becomes of a full chat. */
  isAlone: boolean
  /** Ctrl-C came twice in one turn: the command ends with it. */
  isLeaving: boolean
}

/** `satchel chat`: the app's own core in a terminal (`runtime.md` 8). */
export async function run(given: Given, world: World): Promise<Outcome> {
  const prompt = given.values.get('prompt')
  const json = given.flags.has('json')
  if (prompt === undefined) refuseWithoutTerminal(world, json)
  else if (prompt.trim() === '') throw wrongUse('The message is empty.', 'satchel chat -p "..."')
  const style = styleFor(world.stderr, world, given.flags.has('no-color'))
  const teller = json ? jsonLines(world) : screen(world, style)
  const provider = oneOffProvider(given)
  const app = await openCore(world, {
    provider,
    ignoresRules: given.values.get('allow') === 'never',
    style: DisclosureStyle.nullable().parse(given.values.get('style') ?? null),
    onError: (message) => teller.notice(message),
  })
  const notices = tellNotices(app, teller)
  try {
    const session = await openChat(app, given, world)
    teller.chat(session)
    for (const notice of await chatNotices(app, session)) teller.notice(notice)
    const allow = (given.values.get('allow') ?? 'ask') as Allow
    const { providers } = await app.handlers['settings.get']({})
    const advice = commandAdvice(provider, providers)
    const parts = { app, world, teller, style, allow, session, advice, notices }
    const isAlone = prompt !== undefined
    const talk: Talk = { ...parts, isAlone, told: new Set(), isLeaving: false }
    return prompt === undefined ? await talkByLine(talk) : outcomeOf(session, await say(talk, prompt))
  } finally {
    await notices.end()
    world.stdin.close()
    await app.close()
  }
}

function refuseWithoutTerminal({ stdin }: World, json: boolean): void {
  const type = 'satchel chat -p "..."'
  if (json) throw wrongUse('--json needs a message: -p "...".', type)
  if (!stdin.isTTY) throw wrongUse('There is no terminal to type in. Give the message with -p "...".', type)
}

/** One message. The first Ctrl-C stops its turn, the second one ends at once what still runs, and the command. */
async function say(talk: Talk, text: string): Promise<TurnEnd> {
  const { app, world, teller, session } = talk
  const stopping = new AbortController()
  const stopOnInterrupt = world.onInterrupt(() => {
    const force = stopping.signal.aborted
    talk.isLeaving = force
    stopping.abort()
    void Promise.resolve(app.handlers['sessions.stop']({ sessionId: session.id, force })).catch(
      (error: unknown) => teller.notice(error instanceof Error ? error.message : String(error)),
    )
  })
  try {
    const end = await sayOrCompact(talk, text, stopping.signal)
    return stopping.signal.aborted ? { ...end, status: 'stopped' } : end
  } finally {
    stopOnInterrupt()
  }
}

async function sayOrCompact(talk: Talk, text: string, signal: AbortSignal): Promise<TurnEnd> {
  const { app, world, teller, style, allow, advice, session } = talk
  const before = (await snapshotOf(app, session.id)).session
  const asking = { app, world, teller, style, allow, advice, signal }
  tellOfSkills(talk, before)
  const asked = () => runTurn(asking, session.id, text)
  const end = isCompact(text) ? await compactOnly(talk) : await answered(talk, before, asked)
  const after = (await snapshotOf(app, session.id)).session
  tellOfSkills(talk, after)
  const room = roomNotice(after)
  if (room !== null) teller.notice(room)
  return { ...end, usage: usedBetween(before.spent, after.spent) }
}

async function answered(talk: Talk, before: SessionDetail, ask: () => Promise<TurnEnd>): Promise<TurnEnd> {
  if (talk.isAlone) await makeRoom(talk, before)
  return withLimit(await ask(), talk)
}

/** `/compact`: a turn without an answer. */
async function compactOnly(talk: Talk): Promise<TurnEnd> {
  const end = { text: '', answers: [], calls: [], blocked: false, usage: usedBetween(null, null) }
  try {
    await compactChat(talk)
    return { ...end, status: 'done', error: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...end, status: 'failed', error: error }
  }
}

function tellOfSkills({ told, teller }: Talk, session: SessionDetail): void {
  for (const notice of skillNotices(session).filter((words) => !told.has(words))) {
    told.add(notice)
    teller.notice(notice)
  }
}

/** A turn that its agent's limit ended did not come to its end. */
async function withLimit(end: TurnEnd, { notices }: Talk): Promise<TurnEnd> {
  const message = await notices.takeLimit()
  return message === null ? end : { ...end, status: 'failed', error: { code: 'limit', message } }
}

/** Until Ctrl-D, or Ctrl-C where nothing is to be stopped. */
async function talkByLine(talk: Talk): Promise<Outcome> {
  const { world, teller, session } = talk
  const leaving = new AbortController()
  while (!talk.isLeaving) {
    const stopListening = world.onInterrupt(() => leaving.abort())
    const line = await world.stdin.ask('› ', { signal: leaving.signal })
    stopListening()
    if (line === null) break
    if (line.trim() === '') continue
    const { error, status } = await say(talk, line)
    if (error) teller.notice(error.message)
    else if (status === 'stopped') teller.notice('Stopped.')
  }
  const goOn = `Go on with: satchel chat --session ${session.id}`
  return {
    result: { session: session.id },
    text: (_out, err) => ({ out: '', err: `\n${err.paint('quiet', goOn)}` }),
  }
}

/** Throws where the turn failed or did not come to its end. */
function outcomeOf(session: SessionDetail, end: TurnEnd): Outcome {
  const { text, answers, usage } = end
  const tokens = usage.inputTokens + usage.outputTokens
  const failure = failureIn(session, end)
  const used = { tokens, cost: usage.costUsd }
  if (failure) throw new AppError(failure.code, failure.message, { session: session.id, ...used })
  const count = (answer: string) => answers.filter((one) => one === answer).length
  return {
    result: {
      session: session.id,
      text,
      requests: { allowed: count('allowed'), denied: count('denied'), expired: count('expired') },
      usage,
    },
    exit: exitOf(end),
    ...used,
    text: () => ({ out: '' }),
  }
}

function failureIn(
  { id }: SessionDetail,
  { error, status }: TurnEnd,
): Pick<WireError, 'code' | 'message'> | null {
  const goOn = `Go on with: satchel chat --session ${id}`
  if (error?.code === 'limit') return { code: 'limit', message: `${error.message} ${goOn}` }
  if (error) return { code: error.code === 'not_ready' ? 'not_ready' : 'provider', message: error.message }
  if (status === 'stopped') return { code: 'cancelled', message: 'The turn was stopped.' }
  return status === 'done' ? null : { code: 'cancelled', message: `The turn was interrupted. ${goOn}` }
}

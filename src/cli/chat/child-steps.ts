import type { SessionEvent, ToolCall } from '@shared/domain/session'
import type { App } from '../../main/app'
import type { Teller } from './teller'
import type { Typing } from './typing'

/** Steps of the skills and agents that work for a chat, in chats of their own. */
export interface ChildSteps {
  /** Begins to tell of what the call began, if it began something. */
  follow(call: ToolCall): void
  /** All that has happened is told. */
  end(): Promise<void>
}

interface Context {
  app: App
  teller: Teller
  typing: Typing
  ending: AbortController
  known: Map<string, Promise<void>>
}

export function createChildSteps(parts: Pick<Context, 'app' | 'teller' | 'typing'>): ChildSteps {
  const context: Context = { ...parts, ending: new AbortController(), known: new Map() }
  return {
    follow: (call) => follow(context, call),
    async end() {
      // What was sent with the end of the turn arrives before.
      await new Promise((arrived) => void setImmediate(arrived))
      context.ending.abort()
      await Promise.allSettled(context.known.values())
    },
  }
}

function follow(context: Context, { childId }: ToolCall): void {
  if (childId === undefined || context.known.has(childId)) return
  context.known.set(childId, tellAll(context, childId))
}

async function tellAll(context: Context, sessionId: string): Promise<void> {
  const { app, ending } = context
  let name = ''
  for await (const event of app.handlers['sessions.watch']({ sessionId }, ending.signal)) {
    if (event.t === 'snapshot') name = event.session.title
    for (const call of callsIn(event)) {
      context.teller.step(call, { session: sessionId, name })
      context.typing.follow(call)
      follow(context, call)
    }
  }
}

function callsIn(event: SessionEvent): readonly ToolCall[] {
  if (event.t === 'snapshot') return event.calls
  return event.t === 'call' ? [event.call] : []
}

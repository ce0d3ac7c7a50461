import type { ToolCall } from '@shared/domain/session'
import type { App } from '../../main/app'
import type { World } from '../world'
import { createPieceText } from './piece-text'
import type { Asking } from './questions'
import type { Teller } from './teller'

/** Scripts that were allowed to be typed to. */
export interface Typing {
  /** Where the call's script runs and takes input: the terminal is its own until it ends; without one it is ended. */
  follow(call: ToolCall): void
  /** No script has the terminal any more. */
  end(): Promise<void>
}

interface Context {
  app: App
  world: Pick<World, 'stdin' | 'stderr'>
  teller: Teller
  ending: AbortController
  known: Map<string, Promise<void>>
  prints?: Asking['prints']
}

const NEVER = new AbortController().signal

const NOBODY =
  'The script wants to be typed to, and there is no terminal to type in, so it was ended. Run the chat in a terminal or in the window of Satchel.'

export function createTyping(parts: Pick<Context, 'app' | 'world' | 'teller' | 'prints'>): Typing {
  const context: Context = { ...parts, ending: new AbortController(), known: new Map() }
  return {
    follow({ runId, state }) {
      if (state !== 'running' || runId === null || context.known.has(runId)) return
      context.known.set(runId, serve(context, runId))
    },
    async end() {
      context.ending.abort()
      await Promise.allSettled(context.known.values())
    },
  }
}

async function serve(context: Context, runId: string): Promise<void> {
  const { app, world, teller, ending } = context
  const { handlers } = app
  const { interactive } = await handlers['runs.get']({ runId })
  if (!interactive) return print(context, runId)
  if (!world.stdin.isTTY) {
    teller.notice(NOBODY)
    await handlers['runs.kill']({ runId, force: false })
    return
  }
  teller.notice('What you type goes to the script until it ends.')
  const giveBack = world.stdin.keys((data) => void handlers['runs.input']({ runId, data }))
  const pieces = createPieceText()
  try {
    for await (const { data } of handlers['runs.output']({ runId, from: 0 }, ending.signal)) {
      world.stderr.write(pieces.push(data))
    }
    world.stderr.write(pieces.end())
  } finally {
    giveBack()
  }
}

/** To the end of the log, which comes with that of the run. */
async function print({ app, prints }: Context, runId: string): Promise<void> {
  if (!prints) return
  const pieces = { out: createPieceText(), err: createPieceText() }
  for await (const { channel, data } of app.handlers['runs.output']({ runId, from: 0 }, NEVER)) {
    prints(channel, pieces[channel].push(data))
  }
  for (const channel of ['out', 'err'] as const) prints(channel, pieces[channel].end())
}

import type { RunScriptInput } from '../../main/sessions/tools/run-script'
import type { SessionDetail, ToolCall } from '@shared/domain/session'
import { AppError } from '@shared/errors'
import type { App } from '../../main/app'
import { openChat } from '../chat/open-chat'
import { tellNotices } from '../chat/notices'
import { openCore } from '../chat/open-core'
import { screen } from '../chat/screen'
import type { Asking } from '../chat/questions'
import type { Teller } from '../chat/teller'
import { runSteps } from '../chat/turn'
import type { Given, Outcome } from '../grammar/command'
import { EXIT } from '../grammar/exit-codes'
import { shownLines, styleFor } from '../terminal/output'
import type { World } from '../world'

const SILENT: Teller = {
  chat() {},
  notice() {},
  text() {},
  step() {},
  request() {},
  message() {},
}

/**
 * `satchel run SKILL SCRIPT -- ARGS`: a request like an agent's, asked in this terminal, in a chat of its own. Ends with
 * the script's own code when it ran, 3 when it was denied or nobody was there to ask, 4 when the policy blocks it.
 */
export async function run(given: Given, world: World): Promise<Outcome> {
  const style = styleFor(world.stderr, world, given.flags.has('no-color'))
  const teller = given.flags.has('json') ? SILENT : screen(world, style)
  const app = await openCore(world, {
    provider: null,
    style: null,
    ignoresRules: true,
    onError: (message) => teller.notice(message),
  })
  const stopping = new AbortController()
  const notices = tellNotices(app, teller)
  try {
    const session = await openChat(app, given, world)
    const stopListening = world.onInterrupt(() => stop(app, session, stopping))
    const [skill = '', path = ''] = given.words
    const input = scriptInput(given, path)
    const live = given.flags.has('json') ? null : livePrinter(world)
    const asking = {
      app,
      world,
      teller,
      style,
      allow: 'ask' as const,
      signal: stopping.signal,
      ...(live ? { prints: live.prints } : {}),
    }
    const { calls } = await runSteps(asking, session.id, async () => {
      await app.handlers['sessions.rename']({ sessionId: session.id, title: `satchel run ${skill} ${path}` })
      await app.handlers['sessions.loadSkill']({ sessionId: session.id, name: skill })
      await app.handlers['sessions.runScript']({ sessionId: session.id, input })
    })
    stopListening()
    return outcomeOf(session, calls, live)
  } finally {
    world.stdin.close()
    await notices.end()
    await app.close()
  }
}

function scriptInput({ words, values }: Given, path: string): RunScriptInput {
  const timeout = Number(values.get('timeout') ?? 0)
  return {
    path,
    args: words.slice(2),
    env: {},
    interactive: false,
    ...(timeout > 0 ? { timeout_ms: Math.round(timeout * 1000) } : {}),
    ...(values.has('workdir') ? { workdir: values.get('workdir') } : {}),
  }
}

/** The first Ctrl-C stops the script politely, the second one at once. */
function stop(app: App, { id }: SessionDetail, stopping: AbortController): void {
  const force = stopping.signal.aborted
  stopping.abort()
  void Promise.resolve(app.handlers['sessions.stop']({ sessionId: id, force })).catch(() => undefined)
}

/** What the script prints, where it belongs, as it comes. */
interface Live {
  prints: NonNullable<Asking['prints']>
  /** Something came; its last line is ended. */
  end(): boolean
}

function livePrinter({ stdout, stderr }: World): Live {
  const last = { out: '', err: '' }
  return {
    prints(channel, text) {
      if (text === '') return
      last[channel] = text
      if (channel === 'out') stdout.write(text)
      else stderr.write(text)
    },
    end() {
      if (last.out !== '' && !last.out.endsWith('\n')) stdout.write('\n')
      if (last.err !== '' && !last.err.endsWith('\n')) stderr.write('\n')
      return last.out !== '' || last.err !== ''
    },
  }
}

/** Throws what kept it from running; what a run printed before it was ended goes with the error. */
function outcomeOf(session: SessionDetail, calls: readonly ToolCall[], live: Live | null): Outcome {
  const printed = live?.end() === true
  const call = calls.findLast(({ name }) => name === 'skills_run_script') ?? calls.at(-1)
  const envelope = call?.envelope
  if (!envelope) throw new AppError('cancelled', 'It was stopped before the script ran.')
  if (!envelope.success) return refused(session, envelope)
  const result = { session: session.id, ...(envelope.result as RunResult) }
  return {
    result,
    exit: result.exit_code ?? EXIT.failed,
    text: () => (printed ? { out: '' } : { out: cutLine(result.stdout), err: cutLine(result.stderr) }),
  }
}

interface RunResult {
  exit_code: number | null
  stdout: string
  stderr: string
}

type Envelope = NonNullable<ToolCall['envelope']>

function refused({ id }: SessionDetail, { error, error_code }: Envelope): Outcome {
  const asked = error_code === 'denied' || error_code === 'expired'
  if (!asked && error_code !== 'blocked_by_policy') {
    throw new AppError('bad_input', error ?? 'It could not be run.', { session: id })
  }
  return {
    result: { session: id, exit_code: null, error, error_code },
    exit: asked ? EXIT.denied : EXIT.blockedByPolicy,
    text: () => ({ out: '' }),
  }
}

/** As it may go to a terminal; the line end that the command itself adds is not doubled. */
function cutLine(text: string): string {
  return shownLines(text.replace(/\n$/, ''))
}

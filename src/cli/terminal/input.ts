import { createInterface } from 'node:readline'
import type { Interface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import type { Input } from '../world'

type Streams = Pick<NodeJS.Process, 'stdin' | 'stderr' | 'emit'>

interface State {
  streams: Streams
  /** Made at the first question: before, Ctrl-C and Ctrl-D are the terminal's own. */
  reader: Interface | null
  /** Lines that nobody asked for yet. */
  early: string[]
  ended: boolean
  waiting: ((line: string | null) => void) | null
}

/** Lines of the terminal that this process reads from, edited as a shell does; questions stand on stderr. */
export function createTerminalInput(streams: Streams): Input {
  const state: State = { streams, reader: null, early: [], ended: false, waiting: null }
  return {
    isTTY: streams.stdin.isTTY && streams.stderr.isTTY,
    ask: (prompt, options = {}) => ask(state, prompt, options),
    keys: (listener) => giveKeys(state, listener),
    close() {
      state.reader?.close()
    },
  }
}

async function ask(
  state: State,
  prompt: string,
  { fresh = false, signal }: { fresh?: boolean; signal?: AbortSignal },
): Promise<string | null> {
  const reader = (state.reader ??= open(state))
  if (fresh) await dropTyped(state, reader, signal)
  if (state.ended || signal?.aborted) return null
  const early = state.early.shift()
  if (early !== undefined) return early
  return new Promise((resolve) => {
    const stopped = () => state.waiting?.(null)
    state.waiting = (line) => {
      state.waiting = null
      signal?.removeEventListener('abort', stopped)
      resolve(line)
    }
    signal?.addEventListener('abort', stopped)
    reader.setPrompt(prompt)
    reader.prompt()
  })
}

/** For a while keys are no answer: they were meant for something else (`approvals.md` 7). Milliseconds. */
const INERT_MS = 600

async function dropTyped(state: State, reader: Interface, signal: AbortSignal | undefined): Promise<void> {
  await setTimeout(INERT_MS, undefined, { signal }).catch(() => undefined) // stopped: nothing is asked then
  state.early = []
  if (state.ended) return
  reader.write(null, { ctrl: true, name: 'e' })
  reader.write(null, { ctrl: true, name: 'u' })
}

/** The script that has the terminal gets Ctrl-C; pressed twice without another key it ends the turn as well. */
function giveKeys(state: State, listener: (data: string) => void): () => void {
  const { stdin } = state.streams
  const reader = state.reader
  state.reader = null
  reader?.removeAllListeners('close')
  reader?.close()
  let isSecond = false
  const heard = (data: string) => {
    const isInterrupt = data === '\u0003'
    if (isInterrupt && isSecond) void state.streams.emit('SIGINT')
    isSecond = isInterrupt
    listener(data)
  }
  stdin.setEncoding('utf8').on('data', heard).setRawMode(true)
  stdin.resume()
  return () => {
    stdin.off('data', heard).setRawMode(false)
    stdin.pause()
  }
}

function open(state: State): Interface {
  const { stdin, stderr } = state.streams
  const reader = createInterface({
    input: stdin,
    output: stderr,
    terminal: true,
    historySize: 100,
    prompt: '',
  })
  reader.on('line', (line) => {
    if (state.waiting) state.waiting(line)
    else state.early.push(line)
  })
  reader.on('close', () => {
    state.ended = true
    state.waiting?.(null)
  })
  // While it reads, the terminal sends Ctrl-C as a key and not as a signal.
  reader.on('SIGINT', () => void state.streams.emit('SIGINT'))
  return reader
}

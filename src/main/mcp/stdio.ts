import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { endGroup, startProcess, type StayingProcess } from '../lib/process'
import { withVariables, type StdioDefinition } from './definitions'

export interface StdioDeps {
  /** The app's own environment: nothing but what a definition names goes on to a server. */
  env: Readonly<Record<string, string | undefined>>
  homeDir: string
  /** A mark of this start, in the environment of the server and of all that it starts. */
  mark: string
  /** Ends every process that carries a mark, whatever its parent or group became. */
  endMarked(mark: string): void
  /** How its process ended by itself: an exit code or a signal. */
  ended(how: string): void
  /** A line that it wrote to its standard error. */
  said(line: string): void
}

/**
 * The standard streams of a server's process. Unlike the SDK's own it starts from an empty environment, and its end is
 * the end of the whole process tree. Throws a sentence for a variable that is not set.
 */
export function stdioTransport(definition: StdioDefinition, deps: StdioDeps): Transport {
  const env = serverEnv(definition, deps)
  const args = definition.args.map((arg) => withVariables(arg, deps.env))
  let child: StayingProcess | null = null
  const end = () => {
    if (child === null) return
    endGroup(child)
    deps.endMarked(deps.mark)
    child = null
  }
  const transport: Transport = {
    start() {
      child = startProcess(definition.command, args, { env, cwd: deps.homeDir })
      return connect(child, { transport, end, said: deps.said, ended: deps.ended })
    },
    async send(message) {
      const stdin = child?.stdin
      if (!stdin?.writable) throw new Error('The server has ended.')
      if (!stdin.write(serializeMessage(message))) await drained(stdin)
    },
    async close() {
      if (child === null) return
      end()
      transport.onclose?.()
    },
  }
  return transport
}

/** Of one message; a server that sends more is ended. */
const MAX_MESSAGE = 8 * 1024 * 1024
const MAX_LINE = 500

/** What programs need to start at all: where they and their own files are. */
const BASE = ['PATH', 'HOME', 'LANG', 'SystemRoot', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'TEMP']

function serverEnv({ env }: StdioDefinition, deps: StdioDeps): Record<string, string> {
  const base = BASE.flatMap((name) => {
    const value = deps.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const own = Object.entries(env).map(([name, value]) => [name, withVariables(value, deps.env)] as const)
  return { ...Object.fromEntries([...base, ...own]), SATCHEL_RUN_ID: deps.mark }
}

interface Wire {
  transport: Transport
  end(): void
  said(line: string): void
  ended(how: string): void
}

/** Resolves once the process is there. */
function connect(child: StayingProcess, { transport, end, said, ended }: Wire): Promise<void> {
  child.stdin.on('error', (error) => transport.onerror?.(error))
  child.stdout.on('data', reader(transport))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.slice(0, 10 * MAX_LINE).split('\n')) {
      if (line.trim() !== '') said(line.slice(0, MAX_LINE))
    }
  })
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error) => reject(error))
    child.once('exit', (code, signal) => {
      ended(code === null ? `signal ${signal}` : `exit code ${code}`)
      end()
      afterOutput(child, () => transport.onclose?.())
    })
  })
}

/** What it wrote last is read first; a process that holds its streams open is not waited for. */
function afterOutput(child: StayingProcess, done: () => void): void {
  const late = setTimeout(done, 500)
  child.once('close', () => {
    clearTimeout(late)
    done()
  })
}

/** Messages are lines; a line that is none is told and passed over. */
function reader(transport: Transport): (chunk: Buffer) => void {
  const buffer = new ReadBuffer({ maxBufferSize: MAX_MESSAGE })
  return (chunk) => {
    try {
      buffer.append(chunk)
    } catch (error) {
      transport.onerror?.(error as Error)
      void transport.close()
      return
    }
    for (let left = true; left;) {
      try {
        const message = buffer.readMessage()
        if (message) transport.onmessage?.(message)
        left = message !== null
      } catch (error) {
        transport.onerror?.(error as Error)
      }
    }
  }
}

/** Also when it ends instead: the next message finds that out. */
function drained(stdin: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => {
    stdin.once('drain', resolve)
    stdin.once('close', resolve)
  })
}

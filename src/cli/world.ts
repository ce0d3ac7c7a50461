import { homedir } from 'node:os'
import { createTerminalInput } from './terminal/input'

/** Where text goes. */
export interface Sink {
  write(text: string): void
  isTTY: boolean
  /** Characters in a line of the terminal; undefined where there is none. */
  columns: number | undefined
}

/** Where a person types. */
export interface Input {
  /** Somebody is there: it is a terminal, and what is asked can be seen on stderr. */
  isTTY: boolean
  /**
   * The next line; null at the end of input (Ctrl-D) or once `signal` aborts. `fresh`: nothing that was typed before
   * the question counts as its answer.
   */
  ask(prompt: string, options?: { fresh?: boolean; signal?: AbortSignal }): Promise<string | null>
  /** Every key goes to the listener, also Ctrl-C, until the returned function is called. */
  keys(listener: (data: string) => void): () => void
  close(): void
}

/** Everything the command takes from outside: the process gives the real ones, tests their own. */
export interface World {
  /** Folder of package.json; `resources/` lies in it. */
  root: string
  cwd: string
  /** Personal skills are under it. */
  homeDir: string
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  stdout: Sink
  stderr: Sink
  stdin: Input
  /** Calls back at each Ctrl-C, which then does not end the process, until the returned function is called. */
  onInterrupt(listener: () => void): () => void
  /** Entry of the worker thread. */
  workerFile: string
  /** Milliseconds since 1970. */
  now(): number
  /** True only in tests: then `SATCHEL_POLICY_DIR` names the folder of the policy. */
  testBuild?: boolean
}

/** The world of this process. Never throws, even where the current folder was deleted. */
export function processWorld({ root, workerFile }: Pick<World, 'root' | 'workerFile'>): World {
  return {
    root,
    workerFile,
    cwd: currentFolder(),
    homeDir: homedir(),
    platform: process.platform,
    env: process.env,
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    stdin: createTerminalInput(process),
    onInterrupt(listener) {
      process.on('SIGINT', listener)
      return () => process.off('SIGINT', listener)
    },
    now: Date.now,
  }
}

function sinkOf(stream: NodeJS.WriteStream): Sink {
  return {
    write: (text) => void stream.write(text),
    isTTY: stream.isTTY ?? false,
    columns: stream.columns,
  }
}

function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    return homedir() // it was deleted under us: what does not need it still works
  }
}

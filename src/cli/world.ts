import { homedir } from 'node:os'

/** Where text goes. */
export interface Sink {
  write(text: string): void
  isTTY: boolean
  /** Characters in a line of the terminal; undefined where there is none. */
  columns: number | undefined
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
  /** Milliseconds since 1970. */
  now(): number
}

/** The world of this process. Never throws, even where the current folder was deleted. */
export function processWorld(root: string): World {
  return {
    root,
    cwd: currentFolder(),
    homeDir: homedir(),
    platform: process.platform,
    env: process.env,
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
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

import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'

export interface ProcessOptions {
  env: Record<string, string>
  cwd?: string
  /** SIGKILL after this many milliseconds. */
  timeoutMs: number
  /** Bytes kept of each stream; more ends the process. */
  maxBytes?: number
}

/** A program with its three streams. */
export type StayingProcess = ChildProcessWithoutNullStreams

export interface ProcessResult {
  /** Exit code; null when a signal ended it or when it never started. */
  code: number | null
  stdout: string
  stderr: string
  /** It was stopped because it took too long or printed too much. */
  stopped: boolean
}

/**
 * Runs one short program without a shell and with closed standard input. Never rejects: a program that can't be
 * started gives code null and the reason in `stderr`.
 */
export function runProcess(file: string, args: string[], options: ProcessOptions): Promise<ProcessResult> {
  return new Promise((resolve) => {
    const settings = {
      env: options.env,
      cwd: options.cwd ?? '/',
      timeout: options.timeoutMs,
      maxBuffer: options.maxBytes ?? 1_000_000,
      killSignal: 'SIGKILL' as const,
      encoding: 'utf8' as const,
    }
    const child = execFile(file, args, settings, (error, stdout, stderr) => {
      resolve(toResult(error, stdout, stderr))
    })
    child.stdin?.end()
  })
}

/**
 * Starts a program that stays, without a shell, in a process group of its own, so that `endGroup` ends what it starts
 * too. That it can't be started is told by its `error` event.
 */
export function startProcess(
  file: string,
  args: readonly string[],
  { env, cwd }: { env: Record<string, string>; cwd: string },
): StayingProcess {
  return spawn(file, args, {
    env,
    cwd,
    stdio: 'pipe',
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
}

/**
 * Starts a program of the person's own in a folder, without a shell and with the environment of the app; it goes on
 * when the app ends. Rejects with the system's error where it can't be started.
 */
export async function startOwnProgram(file: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(file, args, { cwd, detached: true, stdio: 'ignore', shell: false })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  child.unref()
}

/** Kills a program of `startProcess` and its whole group. */
export function endGroup(child: StayingProcess): void {
  if (child.pid === undefined) return
  if (process.platform === 'win32') {
    execFile('taskkill', ['/pid', String(child.pid), '/t', '/f'], () => undefined)
    return
  }
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group is gone already.
  }
}

function toResult(
  error: (Error & { code?: unknown; killed?: boolean }) | null,
  out: string,
  err: string,
): ProcessResult {
  if (!error) return { code: 0, stdout: out, stderr: err, stopped: false }
  const started = typeof error.code === 'number'
  return {
    code: started ? Number(error.code) : null,
    stdout: out,
    stderr: err === '' && !started ? error.message : err,
    stopped: error.killed === true,
  }
}

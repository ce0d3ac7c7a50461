import { randomBytes } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { readFileSync, realpathSync, renameSync } from 'node:fs'
import { release, tmpdir, version as kernelVersion } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { runProcess } from '../../lib/process'
import { killRuns, processesOfRuns } from '../process-tree'
import { bwrapOptions, createBwrap } from './bwrap'
import { listen, PROBE_MS, probePlan } from './canary'
import { relayKey, tryHosts } from './probe-hosts'
import type { SandboxBackend } from './backend'

/** The proved sandbox, or why there is none, in words for people. */
export type ProbeResult =
  | {
      works: true
      backend: SandboxBackend
      /** Why no run can be let reach some hosts alone; null: one can. */
      noHosts: string | null
    }
  | { works: false; reason: string }

/**
 * Looks for bubblewrap on `path` and proves it with real canaries (SB-2), each seen from outside: a write next to the
 * workspace, a planted secret, a connection to a listener of our own, and a process that leaves its session.
 */
export async function probeSandbox(path: string, kept?: KeptProof): Promise<ProbeResult> {
  if (process.platform !== 'linux') {
    return { works: false, reason: 'Satchel has no sandbox for this system yet.' }
  }
  const program = findProgram('bwrap', path)
  if (program === null) {
    return {
      works: false,
      reason: 'bubblewrap (bwrap) is not installed. Install it, then start Satchel again.',
    }
  }
  const version = await versionOf(program)
  if (version === null) return broken(`${program} --version fails`)
  const key = proofKey(program, version)
  if (kept?.trust === true && readProof(kept.file) === key) {
    return { works: true, backend: createBwrap(program, version, true), noHosts: null }
  }
  const place = mkdtempSync(join(tmpdir(), 'satchel-probe-'))
  try {
    const failure = await tryCanaries(program, realpathSync(place))
    if (failure !== null) return broken(failure)
    const noHosts = await tryHosts(program, realpathSync(place))
    // Half a proof is not kept: what is missing is looked for at each start.
    if (kept && noHosts === null) writeProof(kept.file, key)
    return { works: true, backend: createBwrap(program, version, noHosts === null), noHosts }
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** Where a proof is kept, and whether one that fits is enough. */
export interface KeptProof {
  file: string
  trust: boolean
}

/** Goes up when a canary is added or what the sandbox is told changes. */
const PROOF_VERSION = 2

/** What a proof is about: kernel, bubblewrap, who it was for. Only a success is ever kept. */
function proofKey(program: string, version: string): string {
  const { mtimeMs, ctimeMs, size, ino } = statSync(program)
  const who = process.getuid?.() ?? ''
  const file = [program, version, mtimeMs, ctimeMs, size, ino, relayKey()]
  return JSON.stringify([PROOF_VERSION, release(), kernelVersion(), who, ...file])
}

function readProof(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // There is none yet.
    return null
  }
}

/** A proof that can't be kept is made again at the next start. */
function writeProof(file: string, key: string): void {
  try {
    writeFileSync(`${file}.new`, key, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  } catch {
    // No data folder, or a full disk.
  }
}

/** First absolute folder of `path` with that program. */
export function findProgram(name: string, path: string): string | null {
  const found = path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return statSync(file).isFile()
      } catch {
        // Not in this folder.
        return false
      }
    })
  return found ?? null
}

async function versionOf(program: string): Promise<string | null> {
  const answer = await runProcess(program, ['--version'], { env: {}, timeoutMs: PROBE_MS })
  return answer.code === 0 ? (/\d[\d.]*/.exec(answer.stdout)?.[0] ?? null) : null
}

/** Each line tries one thing that must fail; only the last two must work. */
const CANARY = `
: > "$1/written-outside"
cat "$1/secret"
exec 3<>"/dev/tcp/127.0.0.1/$2" && echo canary >&3
setsid sleep 60 <&- >&- 2>&- &
( setsid sleep 60 <&- >&- 2>&- & )
: > inside && echo ready
`

/** What went wrong; null when every canary failed as it must. */
async function tryCanaries(program: string, place: string): Promise<string | null> {
  const workspace = join(place, 'workspace')
  mkdirSync(workspace)
  const secret = randomBytes(16).toString('hex')
  writeFileSync(join(place, 'secret'), secret)
  const listener = await listen()
  const runId = `probe-${secret}`
  try {
    const options = bwrapOptions(probePlan(workspace), {
      runId,
      snapshotDir: (digest) => digest,
      dataDir: join(place, 'data'),
      covers: [],
      nested: [],
      network: null,
      inside: [],
      errors: null,
    })
    const command = ['/bin/bash', '-c', CANARY, 'canary', place, String(listener.port)]
    const answer = await runProcess(program, [...options, '--', ...command], {
      env: { PATH: '/usr/bin:/bin', SATCHEL_RUN_ID: runId },
      timeoutMs: PROBE_MS,
    })
    if (!answer.stdout.includes('ready') || !existsSync(join(workspace, 'inside'))) {
      return answer.stderr.trim().slice(0, 500) || 'a test script did not run in it'
    }
    if (answer.stdout.includes(secret)) return 'a test script could read a file that it was not given'
    if (existsSync(join(place, 'written-outside'))) return 'a test script could write outside its folder'
    if (listener.reached()) return 'a test script could reach the network'
    return survivors(runId) ? 'a process of a test script outlived it' : null
  } finally {
    await listener.close()
    killRuns(new Set([runId]))
  }
}

/** A killed sandbox takes a moment to be gone; a process that is still there after that has survived. */
function survivors(runId: string): boolean {
  for (let look = 0; look < 200; look += 1) {
    const alive = processesOfRuns(new Set([runId])).filter(isNoZombie)
    if (alive.length === 0) return false
  }
  return true
}

function isNoZombie(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`).length > 0
  } catch {
    // Gone.
    return false
  }
}

function broken(why: string): ProbeResult {
  return {
    works: false,
    reason: `Sandbox unavailable: ${why}. Check that bubblewrap may make user namespaces on this system.`,
  }
}

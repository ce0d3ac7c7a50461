import { randomBytes } from 'node:crypto'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runProcess } from '../../lib/process'
import { openNetwork } from '../network/open'
import { RELAY_PROGRAM } from '../network/relay'
import { killRuns } from '../process-tree'
import { bwrapOptions, insideCommand } from './bwrap'
import { listen, PROBE_MS, probePlan } from './canary'

/** Allowed, and leading to this computer: its name does not exist anywhere else. */
const ALLOWED = 'allowed.probe.example:443'

/**
 * Asks the proxy for a host that is not allowed, and for one that is and leads to this computer; both must be refused.
 * Past the proxy there must be no name and no way. The last line must work.
 */
const CANARY = `
ask() {
  exec 3<>"/dev/tcp/127.0.0.1/3128" || return
  printf 'CONNECT %s HTTP/1.1\\r\\nhost: %s\\r\\n\\r\\n' "$1" "$1" >&3
  IFS= read -r line <&3; echo "$1 \${line%$'\\r'}"; exec 3>&-
}
ask other.probe.example:443
ask ${ALLOWED}
exec 4<>"/dev/tcp/127.0.0.1/$1" && echo canary >&4
exec 5<>"/dev/tcp/localhost.probe.example/443" && echo resolved
echo ready
`

/** Why a run can't be let reach some hosts and no others on this computer, tried with real canaries; null: it can. */
export async function tryHosts(program: string, place: string): Promise<string | null> {
  if (relayKey() === null) return `${RELAY_PROGRAM} is not there. Install perl, then test the sandbox again.`
  const dir = join(place, 'network-run')
  mkdirSync(dir)
  const runId = `probe-${randomBytes(16).toString('hex')}`
  const plan = probePlan(join(place, 'workspace'))
  const listener = await listen()
  try {
    const names = { resolve: toThisComputer, localAddresses: () => [] }
    const sandbox = { network: 'hosts' as const, hosts: [ALLOWED] }
    const network = openNetwork({ names, clean: (text) => text }, sandbox, dir)
    const reach = { network: network?.socket ?? null, inside: [], errors: null }
    const options = bwrapOptions(plan, {
      runId,
      snapshotDir: (digest) => digest,
      dataDir: join(place, 'data'),
      covers: [],
      nested: [],
      ...reach,
    })
    const command = [...insideCommand(reach), '/bin/bash', '-c', CANARY, 'canary', String(listener.port)]
    const answer = await runProcess(program, [...options, '--', ...command], {
      env: { PATH: '/usr/bin:/bin', SATCHEL_RUN_ID: runId },
      timeoutMs: PROBE_MS,
    })
    network?.close()
    return judge(answer, listener.reached())
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await listener.close()
    killRuns(new Set([runId]))
  }
}

/** What the proof of the way out is about; null: its program is not there. */
export function relayKey(): string | null {
  const stat = statSync(RELAY_PROGRAM, { throwIfNoEntry: false })
  return stat?.isFile() ? [stat.mtimeMs, stat.size, stat.ino].join(' ') : null
}

function judge({ stdout, stderr }: { stdout: string; stderr: string }, wasReached: boolean): string | null {
  if (wasReached) return 'a test script reached this computer past the proxy'
  const said = stdout.trim().split('\n')
  if (said.at(-1) !== 'ready') return stderr.trim().slice(0, 500) || 'a test script did not run with it'
  if (said.includes('resolved')) return 'a test script could ask for names by itself'
  const refused = said.filter((line) => line.endsWith(' HTTP/1.1 403 Forbidden'))
  return refused.length === 2 ? null : 'the proxy did not refuse what it must'
}

const toThisComputer = (
  _name: string,
  _options: unknown,
  callback: (error: null, found: { address: string; family: number }[]) => void,
): void => callback(null, [{ address: '127.0.0.1', family: 4 }])

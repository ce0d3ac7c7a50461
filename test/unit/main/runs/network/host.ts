import { mkdirSync, readFileSync } from 'node:fs'
import { createServer, type TLSSocket } from 'node:tls'
import { createServer as createPlainServer } from 'node:net'
import { SELF_SIGNED } from '../../llm/self-signed'
import { processesOfRuns } from '../../../../../src/main/runs/process-tree'
import { createBench } from '../harness'

/** What a test asks of the process: one script of a skill that asks for `wishes`, with what the person gave. */
export interface NetCase {
  script: string
  path?: string
  given: string[]
  wishes: string[]
  /** What the resolver answers; a list of lists answers one after the other. */
  names: Record<string, string[] | string[][]>
  timeoutMs?: number
  /** The process is killed as soon as the script has printed "ready". */
  dies?: boolean
}

/** What came of it, seen from both ends. */
export interface NetAnswer {
  stdout: string
  stderr: string
  status: string
  network: unknown
  audit: unknown[]
  /** What Settings says. */
  sandbox: { works: boolean; summary: string; network: string }
  /** Names that TLS asked the server for. */
  served: string[]
  /** Connections to servers that no run may reach. */
  touched: number
  /** Names that were resolved. */
  resolved: string[]
  /** Sockets that listen on this computer during the run, beside those of this test. */
  listening: string[]
  /** Processes that carry the mark of the run after its end. */
  left: number[]
  uid: number
}

/**
 * A process in a network of its own: documentation addresses on its loopback device, a server with TLS at one of them, and
 * servers that nothing may touch. Arguments: a file with a `NetCase`. Prints one JSON line.
 */
async function main(): Promise<void> {
  const asked = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as NetCase
  const served: string[] = []
  const resolved: string[] = []
  let touched = 0
  const server = createServer(SELF_SIGNED, (socket: TLSSocket) => {
    served.push(String(socket.servername))
    socket.on('error', () => socket.destroy())
    socket.once('data', (bytes) => socket.end(bytes.includes(' /away ') ? AWAY : SERVED))
  })
  await new Promise<void>((done) => server.listen(443, '203.0.113.5', done))
  const plain = createPlainServer((socket) => {
    touched += 1
    socket.destroy()
  })
  await new Promise<void>((done) => plain.listen(443, '127.0.0.1', done))
  const other = createPlainServer((socket) => {
    touched += 1
    socket.destroy()
  })
  await new Promise<void>((done) => other.listen(8443, '203.0.113.5', done))
  const before = listeners()
  const answers = new Map(Object.entries(asked.names).map(([name, list]) => [name, [...list]]))
  const bench = createBench({
    names: {
      localAddresses: () => ['203.0.113.9'],
      resolve(name, _options, callback) {
        resolved.push(name)
        const all = answers.get(name) ?? []
        const list = Array.isArray(all[0])
          ? ((all.length > 1 ? all.shift() : all[0]) as string[])
          : (all as string[])
        const found = list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
        if (found.length > 0) callback(null, found)
        else callback(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), [])
      },
    },
  })
  mkdirSync(bench.workspace, { recursive: true })
  await bench.runs.probe(true)
  let listening: string[] = []
  const timer = setInterval(() => {
    listening = [...new Set([...listening, ...listeners().filter((line) => !before.includes(line))])]
  }, 20)
  if (asked.dies) void bench.seen(/ready/).then(() => process.kill(process.pid, 'SIGKILL'))
  const outcome = await bench.run(asked.path ?? 'a.sh', asked.script, {
    hosts: asked.given,
    execution: { sandbox: undefined, allowedPaths: null, network: asked.wishes, secrets: [] },
    ...(asked.timeoutMs ? { timeoutMs: asked.timeoutMs } : {}),
  })
  clearInterval(timer)
  const answer: NetAnswer = {
    stdout: outcome.stdout,
    stderr: outcome.stderr,
    status: outcome.run.status,
    network: outcome.network,
    audit: bench.audit.map(({ action, data }) => ({
      action,
      hosts: data['hosts'],
      network: data['network'],
    })),
    sandbox: bench.runs.sandbox(),
    served,
    touched,
    resolved,
    listening,
    left: processesOfRuns(new Set(bench.claimed)),
    uid: process.getuid?.() ?? -1,
  }
  await bench.close()
  console.log(JSON.stringify(answer))
  process.exit(0)
}

const SERVED = 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\nserved'
const AWAY =
  'HTTP/1.1 302 Found\r\nlocation: https://evil.example/\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'

/** TCP sockets that listen in this network, as the kernel has them. */
function listeners(): string[] {
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === '0A')
      .map((fields) => fields[1] ?? ''),
  )
}

void main()

import { execFile } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
import { processesOfRuns } from '../../../../../src/main/runs/process-tree'
import { plant } from '../../../../mutants/plant'
import type { NetAnswer, NetCase } from './host'

const REPO = resolve(import.meta.dirname, '../../../../..')
const NOBODY = 65534
const exec = promisify(execFile)

/** Documentation addresses alone, and a private one, on the loopback device of a network that leads nowhere. */
const NETWORK = `
ip link set lo up && ip addr add 203.0.113.5/24 dev lo && ip addr add 203.0.113.9/24 dev lo \\
  && ip addr add 10.0.0.1/24 dev lo && ip addr add 169.254.169.254/32 dev lo \\
  && echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start || exit 90
exec setpriv --ambient-caps=-all --inh-caps=-all -- "$@"
`

/** Builds the process once; `play` runs a case in it, in a network of its own. */
export async function createNetns() {
  const built = mkdtempSync(join(tmpdir(), 'netns-'))
  await build({
    configFile: false,
    root: REPO,
    logLevel: 'silent',
    resolve: { alias: { '@shared': join(REPO, 'src/shared') } },
    plugins: [plant(process.env['SATCHEL_MUTANT'] ?? '')],
    build: {
      ssr: join(import.meta.dirname, 'host.ts'),
      outDir: built,
      emptyOutDir: false,
      target: 'node20',
      rollupOptions: {
        external: ['node-pty', 'better-sqlite3'],
        output: { format: 'cjs', entryFileNames: 'host.cjs' },
      },
    },
    ssr: { noExternal: true },
  })
  chmodSync(built, 0o755)
  return {
    play: (asked: NetCase, asNobody = false) => play(built, asked, asNobody),
    /** For a case that dies: what is left of its run. */
    playToDeath: (asked: NetCase) => inPlace(false, async (dir) => left(dir, built, asked)),
    remove: () => rmSync(built, { recursive: true, force: true }),
  }
}

async function inPlace<T>(asNobody: boolean, work: (dir: string) => Promise<T>): Promise<T> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'net-case-')))
  try {
    chmodSync(dir, 0o755)
    if (asNobody) chownSync(dir, NOBODY, NOBODY)
    return await work(dir)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function play(built: string, asked: NetCase, asNobody: boolean): Promise<NetAnswer> {
  return inPlace(asNobody, async (dir) => {
    const { stdout } = await start(dir, { built, asked, asNobody })
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as NetAnswer
  })
}

function start(
  dir: string,
  { built, asked, asNobody }: { built: string; asked: NetCase; asNobody: boolean },
) {
  const file = join(dir, 'case.json')
  writeFileSync(file, JSON.stringify(asked), { mode: 0o644 })
  const network = asNobody ? ['-Un', '--map-current-user', '--keep-caps'] : ['-Urn']
  const host = ['/bin/sh', '-c', NETWORK, 'network', process.execPath, join(built, 'host.cjs'), file]
  const inside = ['unshare', ...network, ...host]
  const user = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--']
  const [program = '', ...args] = asNobody ? [...user, ...inside] : inside
  return exec(program, args, {
    env: { PATH: process.env['PATH'], HOME: dir, TMPDIR: dir, NODE_PATH: join(REPO, 'node_modules') },
    timeout: 50_000,
  })
}

/** How the process ended, how its proxy answers now, and the processes of its run, once none is left. */
async function left(dir: string, built: string, asked: NetCase) {
  const ended = await start(dir, { built, asked, asNobody: false }).then(
    () => 'by itself',
    (error: { signal?: string }) => error.signal,
  )
  const [bench = ''] = readdirSync(dir).filter((name) => name.startsWith('runs-'))
  const folder = join(dir, bench, 'data/runs')
  const [runId = ''] = readdirSync(folder).filter((name) => !name.includes('.'))
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(join(folder, runId, 'network'), () => resolve('it answers'))
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
  })
  while (processesOfRuns(new Set([runId])).length > 0) await new Promise((done) => setImmediate(done))
  return { ended, answer }
}

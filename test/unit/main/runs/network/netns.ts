import { execFile } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'vite'
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
    remove: () => rmSync(built, { recursive: true, force: true }),
  }
}

async function play(built: string, asked: NetCase, asNobody: boolean): Promise<NetAnswer> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'net-case-')))
  try {
    chmodSync(dir, 0o755)
    if (asNobody) chownSync(dir, NOBODY, NOBODY)
    const file = join(dir, 'case.json')
    writeFileSync(file, JSON.stringify(asked))
    chmodSync(file, 0o644)
    const inside = [
      'unshare',
      ...(asNobody ? ['-Un', '--map-current-user', '--keep-caps'] : ['-Urn']),
      '/bin/sh',
      '-c',
      NETWORK,
      'network',
      process.execPath,
      join(built, 'host.cjs'),
      file,
    ]
    const user = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--']
    const [program = '', ...args] = asNobody ? [...user, ...inside] : inside
    const { stdout } = await exec(program, args, {
      env: { PATH: process.env['PATH'], HOME: dir, TMPDIR: dir, NODE_PATH: join(REPO, 'node_modules') },
      timeout: 50_000,
    })
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as NetAnswer
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

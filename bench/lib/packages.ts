import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheDir } from './tree'

/** Published packages that are measured beside ours, with the versions they are measured in. Never dependencies. */
const VERSIONS = {
  'skills-ref': '0.1.5',
  'gray-matter': '4.0.3',
  '@mariozechner/pi-coding-agent': '0.73.1',
  minisearch: '7.2.0',
  'fuse.js': '7.5.0',
  'gpt-tokenizer': '4.0.0',
} as const
export type PackageName = keyof typeof VERSIONS

export type Installed = { dir: string; version: string; why?: never } | { why: string; dir?: never }

/** The folder of an installed package, after installing it into the cache where needed; else why it is not there. */
export function packageDir(name: PackageName): Installed {
  const version = VERSIONS[name]
  const home = join(cacheDir, 'packages', `${name.replace('/', '+')}-${version}`)
  const dir = join(home, 'node_modules', name)
  if (installedVersion(dir) === version) return { dir, version }
  const why = install(home, `${name}@${version}`)
  if (why !== null) return { why }
  return installedVersion(dir) === version
    ? { dir, version }
    : { why: `${name}@${version} is not there after its install` }
}

/** Null when it worked. Scripts of packages are not run. */
function install(home: string, spec: string): string | null {
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{ "private": true }\n')
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const result = spawnSync(
    'npm',
    ['install', '--ignore-scripts', '--omit=optional', ...quiet, '--save-exact', spec],
    {
      cwd: home,
      encoding: 'utf8',
      timeout: 300_000,
      shell: process.platform === 'win32',
    },
  )
  if (result.status === 0) return null
  const reason = result.error?.message ?? result.stderr.trim().split('\n')[0] ?? ''
  return `npm can not install ${spec}: ${reason || `exit code ${String(result.status)}`}`
}

function installedVersion(dir: string): string | null {
  const file = join(dir, 'package.json')
  if (!existsSync(file)) return null
  return (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version ?? null
}

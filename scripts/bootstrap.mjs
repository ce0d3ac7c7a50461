// Makes a fresh machine ready for `npm start` and `npm test`. Uses nothing but Node itself, because it runs
// before any package is there. Silent when there is nothing to do.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { linkCommand } from './lib/cli.mjs'
import { installPackages } from './lib/install.mjs'
import {
  debianPackages,
  findMissing,
  installCommand,
  isComplete,
  missingNames,
  packageTool,
  readOsRelease,
  sonamesIn,
} from './lib/system.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const osRelease = '/etc/os-release'
const isRoot = process.getuid?.() === 0

try {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new Error(
      `Satchel needs Node 20 or newer to build; this is ${process.version}. Install a newer Node.`,
    )
  }
  if (process.platform === 'linux') prepareSystem()
  await installPackages(root, log)
  linkCommand(root)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function prepareSystem() {
  const missing = look()
  if (isComplete(missing)) return
  const distribution = readOsRelease(existsSync(osRelease) ? readFileSync(osRelease, 'utf8') : '')
  const command = installCommand(missing, distribution, isRoot)
  if (!isRoot || packageTool(distribution) !== 'apt') throw new Error(instruction(missing, command))

  const packages = debianPackages(missing, distribution)
  log(`Installing system packages with apt-get: ${packages.join(' ')}`)
  const output = apt(['update']) + apt(['install', '-y', '--no-install-recommends', ...packages])
  const still = look()
  if (!isComplete(still))
    throw new Error(`apt-get did not bring it all:\n${output}\n${instruction(still, command)}`)
}

function look() {
  return findMissing({ sonames: installedSonames(), hasProgram })
}

function installedSonames() {
  for (const ldconfig of ['/sbin/ldconfig', '/usr/sbin/ldconfig', 'ldconfig']) {
    const result = spawnSync(ldconfig, ['-p'], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
    if (result.status === 0) return sonamesIn(result.stdout, process.arch)
  }
  return null
}

/** @param {string} name */
function hasProgram(name) {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false // not in this folder
    }
  })
}

/** @param {string[]} args */
function apt(args) {
  const result = spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=300', '-q', ...args], {
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    maxBuffer: 64 * 1024 * 1024,
  })
  return `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`
}

/**
 * @param {import('./lib/system.mjs').Missing} missing
 * @param {string | null} command
 */
function instruction(missing, command) {
  const names = missingNames(missing)
  if (!command) return `Satchel needs these on this machine: ${names}. Install them, then try again.`
  return `Satchel needs these on this machine: ${names}. Run this, then try again:\n${command}`
}

/** @param {string} line */
function log(line) {
  console.log(line)
}

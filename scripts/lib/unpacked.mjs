// The built app in a folder with an Electron of its own, as a package lays it out, to be looked at and attacked.
// It has no archive, is not signed and may hold the fall-back Electron: never for a release.
import { flipFuses, getCurrentFuseWire } from '@electron/fuses'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fuseConfig } from './fuses.mjs'

/** Says in the folder itself what it is. */
export const markName = 'NOT-FOR-RELEASE.txt'

/** What the fall-back Electron brings: its own driver, in place of the one that it can't load. */
const ownModules = ['better-sqlite3', 'bindings', 'file-uri-to-path']

/**
 * The name of the folder.
 * @param {string} version of the app
 * @param {string} platform such as linux-x64
 */
export function unpackedName(version, platform) {
  return `satchel-${version}-${platform}-NOT-FOR-RELEASE`
}

/**
 * What package.json says inside a package: nothing about building.
 * @param {Record<string, unknown>} description of the project
 */
export function packagedDescription(description) {
  const kept = ['name', 'productName', 'version', 'description', 'license', 'author', 'type', 'main']
  return Object.fromEntries(
    kept.filter((name) => name in description).map((name) => [name, description[name]]),
  )
}

/**
 * Makes the folder, with the fuses as Electron came. Linux.
 * @param {{ electron: string, root: string, into: string }} places electron: executable; root: project folder, with
 *   the app built; into: existing folder
 * @returns {string} the executable
 */
export function makeUnpacked({ electron, root, into }) {
  const description = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const folder = join(into, unpackedName(description.version, `${process.platform}-${process.arch}`))
  const runtime = dirname(electron)
  const loader = join(runtime, 'resources', 'app')
  cpSync(runtime, folder, {
    recursive: true,
    filter: (path) => path !== loader && basename(path) !== 'default_app.asar',
  })
  const executable = join(folder, 'satchel')
  renameSync(join(folder, basename(electron)), executable)
  writeFileSync(join(folder, markName), markText(description.version))

  const app = join(folder, 'resources', 'app')
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), JSON.stringify(packagedDescription(description), null, 2))
  cpSync(join(root, 'out'), join(app, 'out'), { recursive: true })
  cpSync(join(root, 'resources'), join(folder, 'resources'), { recursive: true })
  const own = ownModules.filter((name) => existsSync(join(loader, 'node_modules', name)))
  const others = Object.keys(description.dependencies).filter((name) => !own.includes(name))
  copyModules(join(root, 'node_modules'), join(app, 'node_modules'), others)
  copyModules(join(loader, 'node_modules'), join(app, 'node_modules'), own)
  return executable
}

/**
 * Sets the fuses of an executable.
 * @param {string} executable
 * @param {import('./fuses.mjs').Fuses} fuses
 */
export async function setFuses(executable, fuses) {
  await flipFuses(executable, fuseConfig(fuses, await readWire(executable)))
}

/**
 * @param {string} executable
 * @returns {Promise<import('./fuses.mjs').FuseWire>}
 */
export async function readWire(executable) {
  return getCurrentFuseWire(executable)
}

/** @param {string} version */
function markText(version) {
  return (
    `Satchel ${version}, unpacked for tests. Not for release: not signed, not in an archive, ` +
    'and the Electron in it may be another one than the pinned one.\n'
  )
}

/**
 * Copies packages, and the ones they bring for this platform.
 * @param {string} from node_modules
 * @param {string} to node_modules
 * @param {string[]} names
 */
function copyModules(from, to, names) {
  for (const name of names) {
    cpSync(join(from, name), join(to, name), { recursive: true, dereference: true, force: true })
    const { optionalDependencies = {} } = JSON.parse(readFileSync(join(from, name, 'package.json'), 'utf8'))
    const present = Object.keys(optionalDependencies).filter((inner) => existsSync(join(from, inner)))
    copyModules(from, to, present)
  }
}

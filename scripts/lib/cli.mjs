// The command `satchel` in a checkout: its link in node_modules/.bin, and its code, built when the sources changed.
// Uses nothing but Node itself until something has to be built.
import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'

/** What the command is made of. The page and the window are no part of it. */
const inputs = [
  'src/cli',
  'src/main',
  'src/shared',
  'resources/agent-folders.json',
  'resources/agents/general.md',
  'scripts/lib/cli.mjs',
  'scripts/lib/without-fault-points.mjs',
  'package-lock.json',
]
const ignored = new Set([join('src', 'main', 'electron')])
const entry = 'satchel.mjs'
/** Files that are only there as packages: everything else goes into the build. */
const external = ['better-sqlite3', 'node-pty', 'electron']
/** A command that still runs may have a part to load, so some builds are kept, and all of them for an hour. */
const keptBuilds = 5
const oldBuildMs = 3_600_000

/**
 * The entry of the command's code. Builds it into `out/cli/<digest of the sources>/` if it is not there; two that do
 * so at once do the same work and the first one to finish counts.
 * @param {string} root project folder
 * @param {() => void} [onBuild] called before a build, which takes about a second
 * @returns {Promise<string>}
 */
export async function commandEntry(root, onBuild = () => {}) {
  const builds = join(root, 'out', 'cli')
  const dir = join(builds, commandDigest(root))
  const file = join(dir, entry)
  if (existsSync(file)) return file
  onBuild()
  const temp = join(builds, `.tmp-${process.pid}-${randomBytes(4).toString('hex')}`)
  mkdirSync(temp, { recursive: true })
  try {
    await buildInto(root, temp)
    putInPlace(temp, dir)
  } finally {
    rmSync(temp, { recursive: true, force: true })
  }
  removeOld(builds, dir)
  return file
}

/**
 * Changes with every change of a name, size or time among the sources.
 * @param {string} root
 */
export function commandDigest(root) {
  const hash = createHash('sha256')
  for (const name of inputs) addFile(hash, root, name)
  return hash.digest('hex').slice(0, 16)
}

/**
 * Makes `npx satchel` and node_modules/.bin/satchel run bin/satchel.mjs, as npm does for a package's own `bin`.
 * @param {string} root
 * @param {NodeJS.Platform} [platform]
 */
export function linkCommand(root, platform = process.platform) {
  const folder = join(root, 'node_modules', '.bin')
  mkdirSync(folder, { recursive: true })
  chmodSync(join(root, 'bin', 'satchel.mjs'), 0o755)
  if (platform !== 'win32') {
    putLink(join(folder, 'satchel'), '../../bin/satchel.mjs')
    return
  }
  putText(join(folder, 'satchel.cmd'), '@node "%~dp0\\..\\..\\bin\\satchel.mjs" %*\r\n')
  putText(
    join(folder, 'satchel.ps1'),
    '& node "$PSScriptRoot/../../bin/satchel.mjs" $args\r\nexit $LASTEXITCODE\r\n',
  )
}

/**
 * @param {string} root
 * @param {string} outDir
 */
async function buildInto(root, outDir) {
  const [{ build }, { withoutFaultPoints }] = await Promise.all([
    import('vite'),
    import('./without-fault-points.mjs'),
  ])
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    resolve: { alias: { '@shared': join(root, 'src/shared') } },
    plugins: [
      withoutFaultPoints(),
      { name: 'inputs-only', moduleParsed: ({ id }) => refuseUnknown(root, id) },
    ],
    ssr: { noExternal: true, external },
    build: {
      ssr: true,
      target: 'node20.18',
      outDir,
      emptyOutDir: false,
      rollupOptions: {
        input: { satchel: join(root, 'src/cli/main.ts'), worker: join(root, 'src/main/worker.ts') },
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'parts/[name]-[hash].mjs' },
      },
    },
  })
}

/**
 * A file that is built in but not among the inputs could change without a new build.
 * @param {string} root
 * @param {string} id path of a module, or a name of the bundler's own
 */
function refuseUnknown(root, id) {
  const [file = ''] = id.split('?')
  if (!isAbsolute(file) || file.split(/[\\/]/).includes('node_modules')) return
  const name = relative(root, file).split(sep).join('/')
  if (inputs.some((input) => name === input || name.startsWith(`${input}/`))) return
  throw new Error(`${name} is built into the command, but is not among the inputs in scripts/lib/cli.mjs.`)
}

/**
 * @param {string} temp
 * @param {string} dir
 */
function putInPlace(temp, dir) {
  try {
    renameSync(temp, dir)
  } catch (error) {
    // Another process was first: its build is of the same sources.
    if (!existsSync(join(dir, entry))) throw error
  }
}

/**
 * @param {string} builds
 * @param {string} current
 */
function removeOld(builds, current) {
  const others = readdirSync(builds)
    .map((name) => join(builds, name))
    .filter((dir) => dir !== current)
    .map((dir) => ({ dir, time: statSync(dir, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.time - a.time)
  for (const { dir, time } of others.slice(keptBuilds)) {
    if (Date.now() - time > oldBuildMs) rmSync(dir, { recursive: true, force: true })
  }
}

/**
 * @param {string} link
 * @param {string} target
 */
function putLink(link, target) {
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() && readlinkSync(link) === target) return
  const temp = `${link}.${process.pid}`
  rmSync(temp, { force: true })
  symlinkSync(target, temp)
  renameSync(temp, link)
}

/**
 * @param {string} file
 * @param {string} text
 */
function putText(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  writeFileSync(file, text)
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} root
 * @param {string} name
 */
function addFile(hash, root, name) {
  if (ignored.has(name)) return
  const stat = statSync(join(root, name), { throwIfNoEntry: false })
  if (stat?.isDirectory()) {
    for (const inner of readdirSync(join(root, name)).sort()) addFile(hash, root, join(name, inner))
  } else hash.update(`${name} ${stat?.size} ${stat?.mtimeMs}\n`)
}

// `npm start`: finds an Electron, builds what changed, and opens the app.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { findRuntime } from './electron-runtime.mjs'
import { buildAndStamp, isBuilt, markOpen, openProcess } from './lib/build.mjs'
import { createNoiseFilter } from './lib/electron-noise.mjs'
import { onInterruption } from './lib/interruption.mjs'
import { electronArguments, hasDisplay } from './lib/launch.mjs'
import { projectEnvironment, root } from './lib/project.mjs'

const help = `Usage: npm start

Builds Satchel and opens it. Options after -- go to Electron.

Environment:
  SATCHEL_HOME         folder for Satchel's data
  SATCHEL_ELECTRON     Electron executable to use instead of the one found
`

const args = process.argv.slice(2)
/** @type {import('node:child_process').ChildProcess | null} */
let app = null
let lastSignal = -Infinity
onInterruption(interrupt)

try {
  if (args.includes('--help') || args.includes('-h')) console.log(help)
  else process.exitCode = await start()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function start() {
  if (!hasDisplay(process.platform, process.env)) {
    throw new Error(
      'There is no display (DISPLAY and WAYLAND_DISPLAY are not set). Without a screen, run: xvfb-run -a npm start',
    )
  }
  const env = projectEnvironment()
  const runtime = await findRuntime({ env, log: console.log })
  if (!isBuilt(root)) {
    refuseWhileOpen()
    console.log('Building Satchel.')
    const code = await buildAndStamp(root, () => runBuild(env))
    if (code !== 0) throw new Error('The build failed; its output is above.')
  }
  const isRoot = process.getuid?.() === 0
  if (isRoot)
    console.log("Running as root: Electron starts with --no-sandbox, so Chromium's own sandbox is off.")
  return open(runtime.path, electronArguments(root, args, isRoot), env)
}

/** A build replaces the files that an open window still reads. */
function refuseWhileOpen() {
  const pid = openProcess(root)
  if (pid === null) return
  throw new Error(
    `Satchel is open (process ${pid}) and its sources changed since. Close it, then run npm start again.`,
  )
}

/** @param {NodeJS.ProcessEnv} env */
function runBuild(env) {
  const isWindows = process.platform === 'win32'
  const child = spawn('electron-vite', ['build', '--logLevel', 'warn'], {
    cwd: root,
    env,
    stdio: 'inherit',
    shell: isWindows,
  })
  return ended(child)
}

/**
 * @param {string} path
 * @param {string[]} electronArgs
 * @param {NodeJS.ProcessEnv} env
 */
function open(path, electronArgs, env) {
  // In a group of its own, so that Ctrl-C reaches it once: Chromium takes a second signal as an order to die.
  const detached = process.platform !== 'win32'
  app = spawn(path, electronArgs, { env, stdio: ['inherit', 'inherit', 'pipe'], detached })
  // A second start only brings the first one's window to the front: the first stays the one that is open.
  if (app.pid !== undefined && openProcess(root) === null) markOpen(root, app.pid)
  const errors = app.stderr
  if (errors) {
    const filter = createNoiseFilter()
    errors.setEncoding('utf8').on('data', (text) => process.stderr.write(filter.push(text)))
    errors.once('end', () => process.stderr.write(filter.end()))
    // A process that outlives the app and still holds its error output must not hold up the end of this one.
    app.once('exit', () => setTimeout(() => errors.destroy(), 1_000).unref())
  }
  return ended(app)
}

/**
 * Hands a signal on to the app; while there is none yet, ends.
 * @param {NodeJS.Signals} signal
 */
function interrupt(signal) {
  if (!app) process.exit(128 + constants.signals[signal])
  const now = performance.now()
  if (now - lastSignal > 1_000) app.kill(signal) // npm and the terminal may both send it
  lastSignal = now
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>} its exit code, or as a shell gives it 128 and the number of the signal that ended it
 */
function ended(child) {
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('exit', (code, signal) => done(code ?? 128 + constants.signals[signal ?? 'SIGKILL']))
  })
}

// `npm run pack:check`: makes an unpacked folder that is not for release, sets its fuses, compares them with the list
// in scripts/lib/fuses.mjs, and attacks it (test/long/pack.spec.ts). Leaves nothing behind.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRuntime } from './electron-runtime.mjs'
import { buildAndStamp, isBuilt } from './lib/build.mjs'
import { onInterruption } from './lib/interruption.mjs'
import { createProcesses } from './lib/processes.mjs'
import { projectEnvironment, root } from './lib/project.mjs'
import { displayEnvironment, startXvfb } from './lib/xvfb.mjs'

const limit = 10 * 60_000 // ms, against hanging
const processes = createProcesses()
const temp = mkdtempSync(join(tmpdir(), 'satchel-pack-'))
onInterruption(() => void processes.stopAll())
process.chdir(root)
try {
  process.exitCode = await check()
} finally {
  await processes.stopAll()
  rmSync(temp, { recursive: true, force: true, maxRetries: 3 })
}

async function check() {
  if (process.platform !== 'linux') {
    console.error('The check of the package runs on Linux only so far.')
    return 1
  }
  const env = { ...projectEnvironment(), TMPDIR: temp }
  const runtime = await findRuntime({ env, log: console.log })
  if (!isBuilt(root)) {
    console.log('Building Satchel.')
    const code = await buildAndStamp(root, () => run('electron-vite', ['build', '--logLevel', 'warn'], env))
    if (code !== 0) return 1
  }
  return run('playwright', ['test', '--reporter=list', 'pack.spec.ts'], {
    ...displayEnvironment(env, await startXvfb(processes, env)),
    SATCHEL_ELECTRON_PATH: runtime.path,
    SATCHEL_TEST_LONG: '1',
    XDG_RUNTIME_DIR: temp,
  })
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
async function run(program, args, env) {
  const { code, output } = await processes.run(program, args, { env, limit })
  if (code !== 0 || program === 'playwright') console.log(output.trim())
  return code
}

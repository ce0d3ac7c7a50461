// `npm run shots`: pictures of the real app, taken by test/shots, into test-results/shots; the best of them, those of
// the README, into docs/images; beside their mockups, if SATCHEL_MOCKUPS leads to them, into test-results/sheets.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRuntime } from './electron-runtime.mjs'
import { onInterruption } from './lib/interruption.mjs'
import { createProcesses } from './lib/processes.mjs'
import { projectEnvironment, root } from './lib/project.mjs'
import { displayEnvironment, startXvfb } from './lib/xvfb.mjs'

const limit = 10 * 60_000
const processes = createProcesses()
const temp = mkdtempSync(join(tmpdir(), 'satchel-shots-'))
onInterruption(() => void processes.stopAll())
process.chdir(root)
try {
  process.exitCode = await takeShots()
} finally {
  await processes.stopAll()
  rmSync(temp, { recursive: true, force: true })
}

async function takeShots() {
  const env = projectEnvironment()
  const runtime = await findRuntime({ env, log: console.log })
  const built = await processes.run('electron-vite', ['build', '--logLevel', 'warn'], { env, limit })
  if (built.code !== 0) {
    console.error(built.output)
    return 1
  }
  const display = process.platform === 'linux' ? await startXvfb(processes, env) : ''
  const shown = display ? displayEnvironment(env, display) : env
  const own = { SATCHEL_ELECTRON_PATH: runtime.path, SATCHEL_SHOTS: '1', XDG_RUNTIME_DIR: temp }
  const taken = await processes.run('playwright', ['test', '--reporter=list'], {
    env: { ...shown, ...own },
    limit,
  })
  console.log(taken.output.trim())
  return taken.code === 0 ? 0 : 1
}

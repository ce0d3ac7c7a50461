import { setTimeout as wait } from 'node:timers/promises'

/**
 * Starts a private X server on a free display, so that tests open no windows on a person's screen.
 * @param {import('./processes.mjs').Processes} processes which ends it
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} the display, such as ":99"
 */
export async function startXvfb(processes, env) {
  const args = ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp', '-noreset']
  const child = processes.start('Xvfb', args, { env, stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => (errors += text))
  const number = new Promise((done) => {
    const stream = /** @type {import('node:stream').Readable} */ (child.stdio[3])
    let text = ''
    stream.setEncoding('utf8').on('data', (part) => {
      text += part
      if (text.includes('\n')) done(text.trim())
    })
    child.once('exit', () => done(''))
    child.once('error', () => done(''))
  })
  const display = await Promise.race([number, wait(20_000, '', { ref: false })])
  if (!display) throw new Error(`Xvfb did not start: ${errors.trim() || 'no answer within 20 s'}`)
  return `:${display}`
}

/**
 * The environment for programs on that display, cut off from the person's own desktop and keyring.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} display
 * @returns {NodeJS.ProcessEnv}
 */
export function displayEnvironment(env, display) {
  /** @type {NodeJS.ProcessEnv} */
  const own = { ...env, DISPLAY: display, XDG_SESSION_TYPE: 'x11', DBUS_SESSION_BUS_ADDRESS: 'disabled:' }
  for (const name of ['WAYLAND_DISPLAY', 'XAUTHORITY']) delete own[name]
  return own
}

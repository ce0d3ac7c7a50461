// How Electron is started. Pure.

/**
 * @param {NodeJS.Platform} platform
 * @param {NodeJS.ProcessEnv} env
 */
export function hasDisplay(platform, env) {
  return platform !== 'linux' || Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY'])
}

/**
 * Electron takes its own options before the app's folder, the app gets what follows.
 * @param {string} app folder
 * @param {string[]} args for the app
 * @param {boolean} isRoot Chromium refuses to run sandboxed as root
 */
export function electronArguments(app, args, isRoot) {
  return [...(isRoot ? ['--no-sandbox'] : []), app, ...args]
}

import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/**
 * Where downloads and the fall-back runtime live: outside node_modules, which every `npm ci` empties.
 * @param {NodeJS.ProcessEnv} env
 */
export function cacheFolder(env) {
  const base = env['XDG_CACHE_HOME']
  return join(base && isAbsolute(base) ? base : join(homedir(), '.cache'), 'satchel')
}

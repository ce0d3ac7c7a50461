import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project folder. */
export const root = resolve(fileURLToPath(import.meta.url), '../../..')

/**
 * Our environment with the project's own programs first on PATH (among them Node 24), and without the variable
 * that makes Electron behave as plain Node.
 * @returns {NodeJS.ProcessEnv}
 */
export function projectEnvironment() {
  const env = { ...process.env }
  delete env['ELECTRON_RUN_AS_NODE']
  const modules = join(root, 'node_modules', '.bin')
  const path = env['PATH'] ?? ''
  return { ...env, PATH: path.split(delimiter).includes(modules) ? path : `${modules}${delimiter}${path}` }
}

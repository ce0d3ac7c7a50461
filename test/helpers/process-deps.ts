import { join } from 'node:path'
import type { AppDeps } from '../../src/main/app/deps'

/** What the app is given in a process of its own: no policy, no keyring, no network, no desktop. */
export function processDeps(place: {
  home: string
  workerFile: string
  /** Called for each error of the app's log. */
  onError: (message: string) => void
}): AppDeps {
  const { home, workerFile, onError } = place
  const refuse = (): never => {
    throw new Error('there is no keyring')
  }
  return {
    dataDir: join(home, 'data'),
    resourcesDir: join(home, 'resources'),
    homeDir: home,
    policyDir: null,
    env: { PATH: process.env['PATH'], HOME: home },
    workerFile,
    secrets: { available: false, backend: 'none', reason: 'none here', seal: refuse, open: refuse },
    desktop: {
      pickFolder: async () => null,
      pickNewFile: async () => null,
      openExternal: async () => undefined,
      reveal: async () => undefined,
      dragFile: () => undefined,
      hasTerminal: () => false,
      openTerminal: async () => undefined,
    },
    fetch: () => Promise.reject(new TypeError('there is no network')),
    now: () => Date.now(),
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (message, error) => onError(`${message}: ${String(error)}`),
    },
    version: '0.0.0',
    runtime: 'test',
    practiceDir: join(home, 'practice'),
  }
}

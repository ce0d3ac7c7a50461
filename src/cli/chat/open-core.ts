import { join } from 'node:path'
import type { DisclosureStyle } from '@shared/domain/settings'
import { createApp } from '../../main/app'
import type { App } from '../../main/app'
import type { OneOffProvider } from '../../main/llm/command-providers'
import { dataFolder, userDataFolder } from '../../main/lib/data-folder'
import { versionOf } from '../version'
import type { World } from '../world'
import { needDataFolder } from './writable'

export interface CoreChoice {
  provider: OneOffProvider | null
  style: DisclosureStyle | null
  /** No rule allows anything. */
  ignoresRules: boolean
  /** Errors of the core's own. */
  onError(message: string): void
}

/** The app's own core on the app's own data, beside an open window or without one. Throws `newer_data` and `bad_input`. */
export async function openCore(
  world: World,
  { provider, style, ignoresRules, onError }: CoreChoice,
): Promise<App> {
  const { env, homeDir, now } = world
  const practiceDir = env['SATCHEL_PRACTICE_DIR']
  const refuse = (): never => {
    throw new Error("the command can't open the app's store of keys")
  }
  const dataDir = dataFolder({ satchelHome: env['SATCHEL_HOME'], userData: userDataFolder(world) })
  needDataFolder(dataDir)
  return createApp({
    dataDir,
    ownsData: false,
    resourcesDir: join(world.root, 'resources'),
    homeDir,
    env,
    workerFile: world.workerFile,
    secrets: {
      available: false,
      backend: 'none',
      reason: "the command can't open the app's store of keys",
      seal: refuse,
      open: refuse,
    },
    desktop: {
      pickFolder: async () => null,
      pickNewFile: async () => null,
      openExternal: async () => undefined,
      reveal: async () => undefined,
      dragFile: () => undefined,
      hasTerminal: () => false,
      openTerminal: async () => undefined,
    },
    fetch: globalThis.fetch,
    now,
    log: {
      info() {},
      warn() {},
      error: (message, error) =>
        onError(`${message}: ${error instanceof Error ? error.message : String(error)}`),
    },
    version: versionOf(world),
    runtime: `Node ${process.versions.node}`,
    command: { provider, style, ignoresRules },
    ...(practiceDir ? { practiceDir } : {}),
  })
}

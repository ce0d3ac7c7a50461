import type { SettingsView } from '@shared/domain/settings'
import type { Parts } from './handlers'

/** What Settings shows: choices, providers without their keys, and what this machine can do. */
export function createSettingsView(
  parts: Pick<Parts, 'deps' | 'providers' | 'runs' | 'settings'>,
): () => SettingsView {
  const { deps, providers, runs, settings } = parts
  return () => {
    const { backend, works, summary, runsRefused } = runs.sandbox()
    return {
      settings: settings.get(),
      place: settings.place.get(),
      providers: providers.list(),
      sandbox: { backend, works, summary, runsRefused },
      keychain: { available: deps.secrets.available, reason: deps.secrets.reason },
      dataDir: deps.dataDir,
      homeDir: deps.homeDir,
      version: deps.version,
      runtime: deps.runtime,
      runsAsRoot: process.getuid?.() === 0,
    }
  }
}

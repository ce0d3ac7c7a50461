import type { SettingsView } from '@shared/domain/settings'
import type { Parts } from '../handlers'
import { policyView } from '../policy/view'

/** What Settings shows: choices, providers without their keys, and what this machine can do. */
export function createSettingsView(
  parts: Pick<Parts, 'deps' | 'policy' | 'providers' | 'runs' | 'settings'>,
): () => SettingsView {
  const { deps, policy, providers, runs, settings } = parts
  return () => {
    const { backend, works, summary, network, runsRefused } = runs.sandbox()
    return {
      settings: settings.get(),
      policy: policyView(policy.now()),
      place: settings.place.get(),
      providers: providers.list(),
      sandbox: { backend, works, summary, network, runsRefused },
      keychain: { available: deps.secrets.available, reason: deps.secrets.reason },
      dataDir: deps.dataDir,
      homeDir: deps.homeDir,
      version: deps.version,
      runtime: deps.runtime,
      runsAsRoot: process.getuid?.() === 0,
    }
  }
}

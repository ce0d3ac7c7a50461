import { DEFAULT_LIMITS } from '../../runs/limits'
import type { RunsDeps } from '../../runs/types'
import type { SettingsStore } from '../../settings/settings'

type RunChoices = Pick<RunsDeps, 'chosenInterpreters' | 'profile' | 'limits'>

/** What a person set for runs, as it is when a run is planned. */
export function runChoices(settings: SettingsStore): RunChoices {
  return {
    chosenInterpreters: () => settings.get().interpreters,
    profile: () => settings.get().sandboxProfile,
    limits() {
      const { runMemoryMb, runProcesses } = settings.get()
      return { ...DEFAULT_LIMITS, memoryBytes: runMemoryMb * 1024 ** 2, processes: runProcesses }
    },
  }
}

import { createWatcher } from '../skills/registry/watch'
import type { Watcher } from '../skills/registry/watch'

/** Files of which a change is told as it happens. */
export interface PlaceWatch {
  /** Watches while somebody follows; ends with the function that it gives back. */
  follow(): () => void
  /** Folders may have come: the files are watched in the nearest ones that exist. */
  look(): void
}

/** From the first event to `changed`: a file is rarely written in one go. */
const DEBOUNCE_MS = 50

/** Beside regular looks, which see what the system tells of too late or not at all. */
export function createPlaceWatch(deps: { files(): string[]; changed(): void }): PlaceWatch {
  let followers = 0
  let watcher: Watcher | null = null
  let timer: NodeJS.Timeout | undefined
  const look = () => watcher?.near({ always: deps.files(), names: [], folders: [] })
  const onEvent = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      look()
      if (watcher) deps.changed()
    }, DEBOUNCE_MS).unref()
  }
  return {
    look: () => void look(),
    follow() {
      followers += 1
      watcher ??= createWatcher({ onEvent })
      look()
      return () => {
        followers -= 1
        if (followers > 0) return
        watcher?.close()
        watcher = null
      }
    },
  }
}

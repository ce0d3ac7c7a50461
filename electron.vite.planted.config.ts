import base from './electron.vite.config'
import { plant } from './test/mutants/plant'

/**
 * The app without the defences that `scripts/lib/corpus-off.mjs` names as JSON in SATCHEL_MUTANT. It lies here because
 * the configuration that it builds on finds the sources by its own place.
 */
const planted = () => plant(process.env['SATCHEL_MUTANT'] ?? '', import.meta.dirname)

export default {
  main: { ...base.main, plugins: [planted(), ...(base.main?.plugins ?? [])] },
  preload: base.preload,
  renderer: { ...base.renderer, plugins: [planted(), ...(base.renderer?.plugins ?? [])] },
}

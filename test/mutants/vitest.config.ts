import { join } from 'node:path'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import base from '../../vitest.config'

const root = join(import.meta.dirname, '..', '..')

// Started by scripts/mutants.mjs, which names one planted change as JSON in SATCHEL_MUTANT; without it nothing is changed.
export default defineConfig({
  ...base,
  root,
  plugins: [plant(process.env['SATCHEL_MUTANT'] ?? '')],
  // Each run reads its own sources.
  test: { ...base.test, exclude: [], fsModuleCache: false },
})

/** Changes one file as it is loaded; the file on disk stays as it is. */
function plant(mutant: string): Plugin {
  if (mutant === '') return { name: 'no-mutant' }
  const { file, find, replace } = JSON.parse(mutant) as { file: string; find: string; replace: string }
  const changed = join(root, file)
  return {
    name: 'mutant',
    enforce: 'pre',
    transform: (code, id) => (id.split('?')[0] === changed ? code.split(find).join(replace) : null),
  }
}

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import base from '../../vitest.config'
import { plant } from './plant'

const root = join(import.meta.dirname, '..', '..')

// Started by scripts/mutants.mjs and scripts/corpus.mjs, which name planted changes as JSON in SATCHEL_MUTANT; without
// it nothing is changed.
export default defineConfig({
  ...base,
  root,
  plugins: [plant(process.env['SATCHEL_MUTANT'] ?? '')],
  // Each run reads its own sources.
  test: { ...base.test, exclude: [], fsModuleCache: false },
})

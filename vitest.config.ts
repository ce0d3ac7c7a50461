import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { '@shared': resolve(import.meta.dirname, 'src/shared') } },
  test: {
    include: [process.env['SATCHEL_TEST_LONG'] ? 'test/long/**/*.test.ts' : 'test/unit/**/*.test.ts'],
    // Samples of the long suites and the scripts of bundled skills: part of `npm test`, not of `npm run check`.
    exclude: process.env['SATCHEL_TEST_QUICK']
      ? ['test/unit/reliability/**', 'test/unit/bundled-skills/**']
      : [],
    environment: 'node',
    // A guard against hanging, not a measure of speed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})

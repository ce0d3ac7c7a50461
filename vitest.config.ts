import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Properties that are tried a fourth as often outside of the long tests (`tries` in test/helpers/sample.ts). */
const TRIED = [
  'test/unit/main/llm/chunking.test.ts',
  'test/unit/main/search/skill-index.test.ts',
  'test/unit/shared/skill-md-hostile.test.ts',
  'test/unit/shared/skill-md/{edit-properties,fast-yaml,fix-edits,front,repaired-text}.test.ts',
]

export default defineConfig({
  resolve: { alias: { '@shared': resolve(import.meta.dirname, 'src/shared') } },
  test: {
    include: process.env['SATCHEL_TEST_LONG']
      ? ['test/long/**/*.test.ts', ...TRIED]
      : ['test/unit/**/*.test.ts'],
    // Samples of the long suites, the scripts of bundled skills, and what starts many processes or tries thousands of
    // texts: part of `npm test`, not of `npm run check`.
    exclude: process.env['SATCHEL_TEST_QUICK']
      ? [
          'test/unit/reliability/**',
          'test/unit/bundled-skills/**',
          'test/unit/cli/{chat,command}.test.ts',
          'test/unit/scripts/processes.test.ts',
          'test/unit/main/{conversation,shared-places,skill-scan,start}.test.ts',
          'test/unit/main/audit/audit.test.ts',
          'test/unit/main/db/damage.test.ts',
          'test/unit/main/search/worker.test.ts',
          'test/unit/main/runs/**',
          'test/unit/main/llm/chunking.test.ts',
          'test/unit/main/sessions/{fork,hooks,owner,subagents}.test.ts',
          'test/unit/main/sessions/tools/mcp.test.ts',
          'test/unit/main/skills/{scan,store,watch,watch-places}.test.ts',
          'test/unit/shared/skill-check/hostile.test.ts',
          'test/unit/shared/skill-md/{edit-braces,edit-properties,fast-yaml}.test.ts',
        ]
      : [],
    environment: 'node',
    // One process per worker: starting one for each file takes as long as the tests.
    isolate: false,
    // A guard against hanging, not a measure of speed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})

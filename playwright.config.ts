import { defineConfig } from '@playwright/test'
import { testDisplays } from './test/helpers/displays'

// Started by scripts/test.mjs or scripts/shots.mjs, which name the Electron executable in SATCHEL_ELECTRON_PATH.
export default defineConfig({
  testDir: testDir(),
  testMatch: '**/*.spec.ts',
  workers: testDisplays().length,
  // A guard against hanging, not a measure of speed.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  retries: 0,
  forbidOnly: true,
  reportSlowTests: null,
})

function testDir(): string {
  if (process.env['SATCHEL_SHOTS']) return 'test/shots'
  return process.env['SATCHEL_TEST_LONG'] ? 'test/long' : 'test/e2e'
}

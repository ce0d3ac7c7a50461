import { expect, tempDir, test } from '../helpers/electron'
import { windowCrashLoop } from '../helpers/window-crash'

test('15 times killed at any moment of the first minute, the app starts to a usable window', async ({
  launch,
}) => {
  test.setTimeout(1_200_000)
  const report = await windowCrashLoop(launch, { home: tempDir(), rounds: 15, seed: 5 })
  console.log(JSON.stringify(report))
  expect(report.kills).toBe(15)
  expect(report.runs).toBeGreaterThan(0)
  // A guard on a busy machine, far above the 5 s that are promised.
  expect(report.slowestStartMs).toBeLessThan(30_000)
})

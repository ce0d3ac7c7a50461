import { lstatSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { madeAt } from '../../../../src/main/runs/sandbox/changed'

test('a file was made when its file system says, and else when it was written last', () => {
  const file = import.meta.filename
  expect(madeAt(file)).toBe(lstatSync(file).birthtimeMs)
  expect([statSync('/proc/version').birthtimeMs, madeAt('/proc/version')]).toEqual([0, expect.any(Number)])
  expect(madeAt('/proc/version')).toBeGreaterThan(0)
})

import { delimiter, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { installReason, pathWithout } from '../../../scripts/lib/install.mjs'

test.each([
  ['there is no node_modules', { hasModules: false, stamp: null, lockHash: 'a' }, 'missing'],
  [
    'node_modules is gone although a stamp is known',
    { hasModules: false, stamp: 'a', lockHash: 'a' },
    'missing',
  ],
  ['an installation was interrupted', { hasModules: true, stamp: null, lockHash: 'a' }, 'changed'],
  ['the lock changed since', { hasModules: true, stamp: 'a', lockHash: 'b' }, 'changed'],
  ['the lock is the installed one', { hasModules: true, stamp: 'a', lockHash: 'a' }, null],
])('when %s, the decision is %j -> %s', (_name, state, expected) => {
  expect(installReason(state)).toBe(expected)
})

test('npm ci does not run on a node that lies in the node_modules it replaces', () => {
  const root = resolve('project')
  const path = [join(root, 'node_modules', '.bin'), resolve('bin'), join(root, 'node_modules')].join(
    delimiter,
  )
  expect(pathWithout(path, root)).toBe(resolve('bin'))
})

test('programs of another project stay on the path', () => {
  const path = [resolve('other', 'node_modules', '.bin'), resolve('bin')].join(delimiter)
  expect(pathWithout(path, resolve('project'))).toBe(path)
})

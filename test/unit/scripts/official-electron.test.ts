import { expect, test } from 'vitest'
import { downloadHost, failureReason } from '../../../scripts/lib/official-electron.mjs'

test.each([
  [{}, 'github.com'],
  [{ ELECTRON_MIRROR: 'https://mirror.example:8443/electron/' }, 'mirror.example'],
  [{ npm_config_electron_mirror: 'https://me:secret@mirror.example/' }, 'mirror.example'],
  [
    { ELECTRON_MIRROR: 'https://one.example/', npm_config_electron_mirror: 'https://two.example/' },
    'two.example',
  ],
  [{ ELECTRON_MIRROR: 'no address' }, 'the mirror'],
])('with %j the download comes from %s', (env, host) => {
  expect(downloadHost(env)).toBe(host)
})

test.each([
  ['TypeError: fetch failed\n    at node:internal', 'mirror.example could not be reached'],
  ['RequestError: getaddrinfo ENOTFOUND x', 'mirror.example could not be reached'],
  ['Error: connect ECONNREFUSED 127.0.0.1:1', 'mirror.example could not be reached'],
  [
    'HTTPError: 404 for https://me:secret@mirror.example/v45/x.zip',
    'HTTPError: 404 for https://mirror.example/v45/x.zip',
  ],
  ['\n  Error: wrong checksum\n  at x', 'Error: wrong checksum'],
  ['', 'the installer failed without a word'],
])('what the installer says, %j, becomes the reason "%s"', (output, reason) => {
  expect(failureReason(output, 'mirror.example')).toBe(reason)
})

test('a long reason is cut', () => {
  expect(failureReason(`Error: ${'x'.repeat(500)}`, 'mirror.example')).toHaveLength(120)
})

import { expect, test } from 'vitest'
import {
  placeName,
  formatAgo,
  formatBytes,
  formatDuration,
  formatElapsed,
  formatTokens,
  middleCut,
  plural,
  shortHash,
} from '../../../../src/renderer/ui/format'

const NOW = new Date('2025-11-21T14:00:00').getTime()
const H = 3_600_000

test.each([
  [0, '0 skills'],
  [1, '1 skill'],
  [1204, '1,204 skills'],
])('%i is counted as "%s"', (n, text) => expect(plural(n, { one: 'skill', other: 'skills' })).toBe(text))

test.each([
  [0, '0.1 s'],
  [1800, '1.8 s'],
  [12_400, '12 s'],
  [134_000, '2 min 14 s'],
  [3_900_000, '1 h 5 min'],
])('%i ms lasts %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

test.each([
  [-5, '0:00'],
  [42_000, '0:42'],
  [725_000, '12:05'],
  [3_723_000, '1:02:03'],
])('a clock of %i ms shows %s', (ms, text) => expect(formatElapsed(ms)).toBe(text))

test.each([
  [0, 'now'],
  [5 * 60_000, '5 min'],
  [H, '1 h'],
  [23 * H, '23 h'],
  [2 * 24 * H, 'Wed'],
  [9 * 24 * H, '12 Nov'],
  [400 * 24 * H, '17 Oct 2024'],
])('%i ms ago reads %s', (ago, text) => expect(formatAgo(NOW - ago, NOW)).toBe(text))

test('a time in the future reads as now', () => expect(formatAgo(NOW + H, NOW)).toBe('now'))

test.each([
  [1, '1 byte'],
  [812, '812 bytes'],
  [4120, '4.1 kB'],
  [2_000_000, '2.0 MB'],
])('%i bytes read %s', (n, text) => expect(formatBytes(n)).toBe(text))

test('tokens have thousands separated', () => expect(formatTokens(3180)).toBe('3,180 tokens'))

test('a hash is cut to its first eight and last four digits', () => {
  expect(shortHash(`5be041d7${'0'.repeat(52)}9a3c`)).toBe('5be0 41d7 … 9a3c')
})

test('a long path keeps both ends and the asked length', () => {
  const cut = middleCut('/home/mara/src/northwind-ops/intake/vendors.csv', 20)
  expect(cut).toHaveLength(20)
  expect(cut.startsWith('/home/')).toBe(true)
  expect(cut.endsWith('ors.csv')).toBe(true)
  expect(middleCut('short', 20)).toBe('short')
})

test.each([
  ['/home/ada/src/shop', '~/src/shop'],
  ['/home/ada', '~'],
  ['/home/adam/work', '/home/adam/work'],
  ['/data/satchel/workspaces/ses_1', 'this chat’s own folder'],
  ['/data/satchel/workspaces/ses_1/out', 'this chat’s own folder/out'],
  ['/srv/files', '/srv/files'],
])('the path %s is shown as %s', (path, shown) => {
  expect(placeName(path, { homeDir: '/home/ada', dataDir: '/data/satchel' })).toBe(shown)
})

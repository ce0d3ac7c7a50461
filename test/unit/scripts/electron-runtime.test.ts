import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { assertReleaseRuntime, findRuntime } from '../../../scripts/electron-runtime.mjs'
import type { Probes } from '../../../scripts/electron-runtime.mjs'

const now = 1_700_000_000_000

function machine(changes: Partial<Probes> = {}) {
  const done: string[] = []
  const lines: string[] = []
  const probes: Probes = {
    version: '45.4.1',
    hasFallback: true,
    isFile: () => false,
    versionOf: () => '45.4.1',
    installed: () => null,
    failure: () => null,
    remember: ({ key, at, reason }) => void done.push(`remember ${key} ${at - now} ${reason}`),
    forget: () => void done.push('forget'),
    download: async (limit) => {
      done.push(`download within ${limit / 1000} s`)
      return { path: null, reason: 'ENOTFOUND' }
    },
    fallback: async () => {
      done.push('fallback')
      return '/cache/electron'
    },
    now: () => now,
    ...changes,
  }
  const find = (env: Record<string, string> = {}) =>
    findRuntime({ env, log: (line) => void lines.push(line), probes })
  return { find, done, lines }
}

test('the environment overrides even an installed official Electron', async () => {
  const { find, done, lines } = machine({ installed: () => '/official', isFile: () => true })
  const runtime = await find({ SATCHEL_ELECTRON: '/mine/electron' })
  expect(runtime).toMatchObject({ kind: 'override', path: resolve('/mine/electron') })
  expect(lines).toEqual([`Electron at ${resolve('/mine/electron')}, named by SATCHEL_ELECTRON.`])
  expect(done).toEqual([])
})

test('an override that names no file is refused with what to do', async () => {
  const { find } = machine()
  await expect(find({ SATCHEL_ELECTRON: '/gone' })).rejects.toThrow(/gone, which is no file\. Unset it/)
})

test('the installed official Electron is taken without a download', async () => {
  const { find, done, lines } = machine({ installed: () => '/official/electron' })
  expect(await find()).toEqual({
    kind: 'official',
    path: '/official/electron',
    version: '45.4.1',
    reason: '',
  })
  expect(done).toEqual([])
  expect(lines).toEqual(['Electron 45.4.1, the official one.'])
})

test('the official download comes before the fall-back, and its success clears the memory', async () => {
  const { find, done } = machine({ download: async () => ({ path: '/official/electron', reason: '' }) })
  expect(await find()).toMatchObject({ kind: 'official', path: '/official/electron' })
  expect(done).toEqual(['forget'])
})

test('a failed download is tried for 20 s, remembered, and followed by the fall-back', async () => {
  const { find, done, lines } = machine()
  expect(await find()).toMatchObject({ kind: 'fallback', path: '/cache/electron', version: '33.2.1' })
  expect(done).toEqual(['download within 20 s', 'remember 45.4.1 0 ENOTFOUND', 'fallback'])
  expect(lines.at(-1)).toBe(
    'Electron 33.2.1 from an npm package, for trying and testing only; ' +
      'not the official one: its download failed: ENOTFOUND.',
  )
})

test('within a day of a failure the download is not tried again', async () => {
  const failure = { key: '45.4.1', at: now - 1000, reason: 'ENOTFOUND' }
  const { find, done, lines } = machine({ failure: () => failure })
  expect(await find()).toMatchObject({ kind: 'fallback' })
  expect(done).toEqual(['fallback'])
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('its download failed on 2023-11-14T22:13:19.000Z: ENOTFOUND')
})

test('a mirror set after a failure is tried at once', async () => {
  const failure = { key: '45.4.1', at: now - 1000, reason: 'ENOTFOUND' }
  const { find, done } = machine({ failure: () => failure })
  await find({ ELECTRON_MIRROR: 'https://mirror.example/' })
  expect(done[0]).toBe('download within 20 s')
})

test('without a fall-back the download gets time, an earlier failure does not stop it, and its failure ends it', async () => {
  const failure = { key: '45.4.1', at: now - 1000, reason: 'ENOTFOUND' }
  const { find, done } = machine({ hasFallback: false, failure: () => failure })
  await expect(find()).rejects.toThrow(
    /could not be downloaded \(its download failed: ENOTFOUND\).*SATCHEL_ELECTRON/,
  )
  expect(done).toEqual(['download within 600 s', 'remember 45.4.1 0 ENOTFOUND'])
})

test('a fall-back that can not be made is an error', async () => {
  const { find } = machine({ fallback: () => Promise.reject(new Error('npm pack failed')) })
  await expect(find()).rejects.toThrow('npm pack failed')
})

test.each([
  ['the fall-back', { kind: 'fallback', version: '33.2.1' }],
  ['a fall-back that claims the pinned version', { kind: 'fallback', version: '45.4.1' }],
  ['an override of another version', { kind: 'override', version: '33.2.1' }],
  ['an override of unknown version', { kind: 'override', version: '' }],
] as const)('packaging a release with %s is refused', (_name, { kind, version }) => {
  const runtime = { kind, version, path: '/electron', reason: 'x' }
  expect(() => assertReleaseRuntime(runtime, '45.4.1')).toThrow('Packaging a release with it is refused')
})

test.each(['official', 'override'] as const)('a release may contain the pinned version: %s', (kind) => {
  const runtime = { kind, version: '45.4.1', path: '/electron', reason: '' }
  expect(() => assertReleaseRuntime(runtime, '45.4.1')).not.toThrow()
})

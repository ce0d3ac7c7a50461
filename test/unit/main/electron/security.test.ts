import { expect, test, vi } from 'vitest'
import { createBlockReport } from '../../../../src/main/electron/block-report'
import { isOwnRequest, siteOf } from '../../../../src/main/electron/security'

const requests = [
  ['app://bundle/index.html', true],
  ['blob:app://bundle/1', true],
  ['data:image/png;base64,AA', true],
  ['devtools://devtools/bundled/x.js', true],
  ['https://evil.example/', false],
  ['http://127.0.0.1:8080/', false],
  ['ws://evil.example/', false],
  ['file:///etc/passwd', false],
  ['ftp://evil.example/', false],
  ['chrome-extension://x/', false],
  ['APP-evil://bundle/', false],
  ['nonsense', false],
  ['', false],
] as const
for (const [address, isOwn] of requests) {
  test(`${address || 'an empty address'} is ${isOwn ? 'let through' : 'stopped'}`, () => {
    expect(isOwnRequest(address)).toBe(isOwn)
  })
}

const sites = [
  ['https://user:pass@evil.example:8443/path?secret#x', 'https://evil.example:8443'],
  ['data:text/html,secret', 'data:'],
  ['javascript:secret', 'javascript:'],
  ['file:///etc/passwd', 'file:'],
  ['secret', 'an unreadable address'],
] as const
for (const [address, site] of sites) {
  test(`of ${address} only ${site} is written down`, () => {
    expect(siteOf(address)).toBe(site)
  })
}

function report() {
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const emit = vi.fn()
  const clock = { now: 0 }
  const onBlocked = createBlockReport({ log, emit, now: () => clock.now })
  return { log, emit, clock, onBlocked }
}

test('the person is told of a hidden request, and only the log of the rest', () => {
  const { log, emit, onBlocked } = report()
  onBlocked('request', 'https://evil.example')
  onBlocked('navigation', 'https://evil.example')
  expect(log.warn).toHaveBeenCalledTimes(2)
  expect(emit.mock.calls).toEqual([
    [{ t: 'notice', level: 'warning', message: 'Satchel blocked a hidden request to https://evil.example.' }],
  ])
})

test('the same thing is told once a minute', () => {
  const { emit, clock, onBlocked } = report()
  for (let i = 0; i < 1000; i += 1) onBlocked('request', 'https://evil.example')
  expect(emit).toHaveBeenCalledTimes(1)
  clock.now = 60_000
  onBlocked('request', 'https://evil.example')
  expect(emit).toHaveBeenCalledTimes(2)
})

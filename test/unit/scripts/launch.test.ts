import { expect, test } from 'vitest'
import { electronArguments, hasDisplay } from '../../../scripts/lib/launch.mjs'
import { displayEnvironment } from '../../../scripts/lib/xvfb.mjs'

test.each([
  ['linux', {}, false],
  ['linux', { DISPLAY: '' }, false],
  ['linux', { DISPLAY: ':0' }, true],
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
  ['darwin', {}, true],
  ['win32', {}, true],
] as const)('on %s with %j there is a display: %s', (platform, env, expected) => {
  expect(hasDisplay(platform, env)).toBe(expected)
})

test('options for the app come after its folder', () => {
  expect(electronArguments('/app', ['--project', '/p'], false)).toEqual(['/app', '--project', '/p'])
})

test('only root starts Electron without the sandbox', () => {
  expect(electronArguments('/app', [], true)).toEqual(['--no-sandbox', '/app'])
  expect(electronArguments('/app', [], false)).toEqual(['/app'])
})

test("tests in a window see neither the person's screen nor their keyring", () => {
  const env = {
    DISPLAY: ':0',
    WAYLAND_DISPLAY: 'wayland-0',
    XAUTHORITY: '/x',
    DBUS_SESSION_BUS_ADDRESS: 'unix:/bus',
  }
  expect(displayEnvironment({ ...env, HOME: '/h' }, ':99')).toEqual({
    HOME: '/h',
    DISPLAY: ':99',
    XDG_SESSION_TYPE: 'x11',
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
  })
})

import { attackedApp } from '../helpers/attacked-app'
import { expect, test } from '../helpers/electron'
import { inPage } from '../helpers/raw-port'

const session = attackedApp()

test.describe('permissions', () => {
  const names = [
    'accelerometer',
    'background-fetch',
    'background-sync',
    'camera',
    'clipboard-read',
    'display-capture',
    'geolocation',
    'gyroscope',
    'idle-detection',
    'local-fonts',
    'magnetometer',
    'microphone',
    'midi',
    'notifications',
    'payment-handler',
    'periodic-background-sync',
    'persistent-storage',
    'screen-wake-lock',
    'storage-access',
    'window-management',
  ]
  for (const name of names) {
    test(`${name} is denied`, async () => {
      const state = await inPage(
        session().page,
        `return (await navigator.permissions.query({ name: ${JSON.stringify(name)} })).state`,
      )
      expect(state).toMatch(/^(denied|threw TypeError)$/)
    })
  }

  const requests = [
    { name: 'notifications', code: 'return Notification.requestPermission()', says: /^denied$/ },
    {
      name: 'geolocation',
      code: 'return new Promise((d) => navigator.geolocation.getCurrentPosition(() => d("got it"), (e) => d("code " + e.code)))',
      says: /^code 1$/,
    },
    { name: 'camera', code: 'await navigator.mediaDevices.getUserMedia({ video: true })', says: /^threw/ },
    {
      name: 'microphone',
      code: 'await navigator.mediaDevices.getUserMedia({ audio: true })',
      says: /^threw/,
    },
    { name: 'screen', code: 'await navigator.mediaDevices.getDisplayMedia({ video: true })', says: /^threw/ },
    {
      name: 'reading the clipboard',
      code: 'return navigator.clipboard.readText()',
      says: /^threw NotAllowed/,
    },
    { name: 'MIDI', code: 'await navigator.requestMIDIAccess({ sysex: true })', says: /^threw/ },
    { name: 'USB', code: 'await navigator.usb.requestDevice({ filters: [] })', says: /^threw/ },
    {
      name: 'HID',
      code: 'return (await navigator.hid.requestDevice({ filters: [] })).length + " devices"',
      says: /^(threw|0 devices)/,
    },
    { name: 'serial', code: 'await navigator.serial.requestPort()', says: /^threw/ },
    {
      name: 'bluetooth',
      code: 'await navigator.bluetooth.requestDevice({ acceptAllDevices: true })',
      says: /^threw/,
    },
    { name: 'fonts', code: 'return (await queryLocalFonts()).length + " fonts"', says: /^(threw|0 fonts)/ },
  ]
  for (const { name, code, says } of requests) {
    test(`asking for ${name} is refused`, async () => {
      expect(await inPage(session().page, code)).toMatch(says)
    })
  }
})

import { expect, test } from 'vitest'
import { appPaths } from '../../../../src/main/electron/paths'

const input = {
  satchelHome: undefined,
  userData: '/config/Satchel',
  appPath: '/opt/satchel/app',
  resourcesPath: '/opt/satchel/resources',
  isPackaged: false,
}

test('data lies in the folder of the platform', () => {
  expect(appPaths(input)).toEqual({
    dataDir: '/config/Satchel',
    chromiumDir: '/config/Satchel/chromium',
    logsDir: '/config/Satchel/logs',
    crashFile: '/config/Satchel/logs/crash.json',
    resourcesDir: '/opt/satchel/app/resources',
    rendererDir: '/opt/satchel/app/out/renderer',
    preloadFile: '/opt/satchel/app/out/preload/index.cjs',
    workerFile: '/opt/satchel/app/out/main/worker.cjs',
  })
})

test('SATCHEL_HOME moves the data, not the app', () => {
  const paths = appPaths({ ...input, satchelHome: '/elsewhere/../data/' })
  expect(paths.dataDir).toBe('/data')
  expect(paths.chromiumDir).toBe('/data/chromium')
  expect(paths.rendererDir).toBe('/opt/satchel/app/out/renderer')
})

test('an empty SATCHEL_HOME counts as none', () => {
  expect(appPaths({ ...input, satchelHome: '' }).dataDir).toBe('/config/Satchel')
})

test('a SATCHEL_HOME that is not absolute is refused in words', () => {
  expect(() => appPaths({ ...input, satchelHome: 'data' })).toThrow(
    'SATCHEL_HOME must be an absolute path, not "data".',
  )
})

test('a packaged app has its skills in the resources of Electron', () => {
  expect(appPaths({ ...input, isPackaged: true }).resourcesDir).toBe('/opt/satchel/resources')
})

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeUnpacked, packagedDescription, unpackedName } from '../../../scripts/lib/unpacked.mjs'

let place: string
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'satchel-unpacked-'))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

/** Files under the test's folder; their content is their path. */
function write(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(place, path)), { recursive: true })
    writeFileSync(join(place, path), path.endsWith('package.json') ? '{}' : path)
  }
}

function project(): void {
  write('root/out/main/index.cjs', 'root/resources/skills/a/SKILL.md', 'root/src/main/index.ts')
  write('root/node_modules/better-sqlite3/package.json', 'root/node_modules/better-sqlite3/new.js')
  write('root/node_modules/pty/package.json', 'root/node_modules/pty-here/package.json')
  writeFileSync(
    join(place, 'root/node_modules/pty/package.json'),
    JSON.stringify({ optionalDependencies: { 'pty-here': '1', 'pty-elsewhere': '1' } }),
  )
  writeFileSync(
    join(place, 'root/package.json'),
    JSON.stringify({ version: '1.2.3', dependencies: { 'better-sqlite3': '13', pty: '1' } }),
  )
  write('electron/electron', 'electron/resources/app/main.cjs', 'electron/resources/default_app.asar')
}

/** A function that reads the folder that was made. */
function make(): (path: string) => string | null {
  mkdirSync(join(place, 'into'))
  const electron = join(place, 'electron/electron')
  const folder = dirname(makeUnpacked({ electron, root: join(place, 'root'), into: join(place, 'into') }))
  return (path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : null)
}

test('the folder holds the runtime, the built app and the packages that it names, and nothing else of the project', () => {
  project()
  const read = make()
  expect(read('satchel')).toBe('electron/electron')
  expect(read('NOT-FOR-RELEASE.txt')).toContain('Not for release')
  expect(read('resources/app/out/main/index.cjs')).not.toBeNull()
  expect(read('resources/skills/a/SKILL.md')).not.toBeNull()
  expect(read('resources/app/node_modules/better-sqlite3/new.js')).not.toBeNull()
  expect(read('resources/app/node_modules/pty-here/package.json')).not.toBeNull()
  for (const left of [
    'electron',
    'resources/app/main.cjs',
    'resources/app/src',
    'resources/default_app.asar',
  ])
    expect(read(left)).toBeNull()
})

test('the driver that a runtime brings takes the place of the one that it can not load', () => {
  project()
  write('electron/resources/app/node_modules/better-sqlite3/package.json')
  write('electron/resources/app/node_modules/better-sqlite3/own.js')
  const read = make()
  expect(read('resources/app/node_modules/better-sqlite3/own.js')).not.toBeNull()
  expect(read('resources/app/node_modules/better-sqlite3/new.js')).toBeNull()
})

test('the name of the folder says that it is not for release', () => {
  expect(unpackedName('1.2.3', 'linux-x64')).toBe('satchel-1.2.3-linux-x64-NOT-FOR-RELEASE')
})

test('the description inside says nothing about building', () => {
  expect(packagedDescription({ name: 'satchel', main: 'out/x.cjs', scripts: {}, dependencies: {} })).toEqual({
    name: 'satchel',
    main: 'out/x.cjs',
  })
})

import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkIntegrity, runtimePath } from '../../../scripts/lib/fallback-electron.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'satchel-fallback-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const sqlite = 'resources/app/node_modules/better-sqlite3'

test.each([
  ['Cypress/Cypress', 'electron'],
  ['Cypress/locales/de.pak', 'locales/de.pak'],
  ['Cypress/v8_context_snapshot.bin', 'v8_context_snapshot.bin'],
  [`Cypress/${sqlite}/package.json`, `${sqlite}/package.json`],
  [`Cypress/${sqlite}/lib/index.js`, `${sqlite}/lib/index.js`],
  [`Cypress/${sqlite}/build/Release/better_sqlite3.node`, `${sqlite}/build/Release/better_sqlite3.node`],
  [
    'Cypress/resources/app/node_modules/bindings/bindings.js',
    'resources/app/node_modules/bindings/bindings.js',
  ],
])('%s goes to %s', (name, expected) => {
  expect(runtimePath(name)).toBe(expected)
})

test.each([
  'Cypress/',
  'Cypress/locales/',
  'Cypress/browser_v8_context_snapshot.bin',
  'Cypress/resources/app-update.yml',
  'Cypress/resources/app/index.js',
  'Cypress/resources/app/packages/server/index.js',
  'Cypress/resources/app/node_modules/better-sqlite3-evil/index.js',
  `Cypress/${sqlite}/deps/sqlite3/sqlite3.c`,
  `Cypress/${sqlite}/build/Release/obj.target/better_sqlite3.node`,
  `Cypress/${sqlite}/build/Release/test_extension.node`,
  'Cypress/../../etc/passwd',
])('%s is left out', (name) => {
  expect(runtimePath(name)).toBeNull()
})

test('a tarball with the pinned digest is accepted', async () => {
  const file = join(folder, 'package.tgz')
  writeFileSync(file, 'content')
  const digest = createHash('sha512').update('content').digest('base64')
  await expect(checkIntegrity(file, `sha512-${digest}`)).resolves.toBeUndefined()
})

test('a tarball with one other byte is refused', async () => {
  const file = join(folder, 'package.tgz')
  writeFileSync(file, 'contenT')
  const digest = createHash('sha512').update('content').digest('base64')
  await expect(checkIntegrity(file, `sha512-${digest}`)).rejects.toThrow(
    'is not the pinned one and was not used',
  )
})

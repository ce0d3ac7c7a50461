import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lookUp, readManifest } from '../../../../src/main/electron/bundle-manifest'

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'satchel-bundle-'))
  mkdirSync(join(dir, 'renderer', 'assets'), { recursive: true })
  writeFileSync(join(dir, 'renderer', 'index.html'), '<!doctype html>')
  writeFileSync(join(dir, 'renderer', 'assets', 'app one.js'), '1')
  writeFileSync(join(dir, 'renderer', 'assets', 'app one.js.map'), '{}')
  writeFileSync(join(dir, 'secret.json'), '{}')
  symlinkSync(join(dir, 'secret.json'), join(dir, 'renderer', 'link.json'))
})

afterEach(() => {
  rmSync(dir, { recursive: true })
})

test('the manifest lists files of known kinds, without source maps and symlinks', () => {
  expect([...readManifest(join(dir, 'renderer')).keys()].sort()).toEqual([
    '/assets/app one.js',
    '/index.html',
  ])
})

const cases = [
  ['app://bundle/', 200],
  ['app://bundle/index.html', 200],
  ['app://bundle/index.html?a=b#c', 200],
  ['app://bundle/assets/app%20one.js', 200],
  ['app://bundle/assets/./app%20one.js', 200],
  ['app://bundle/missing.js', 404],
  ['app://bundle/assets', 404],
  ['app://bundle/assets/', 404],
  ['app://bundle/assets/app%20one.js.map', 404],
  ['app://bundle/link.json', 404],
  ['app://bundle/INDEX.html', 404],
  ['app://bundle/__proto__', 404],
  ['app://bundle/constructor', 404],
  ['app://other/index.html', 404],
  ['app://bundle:80/index.html', 404],
  ['app://bundle.evil/index.html', 404],
  ['file:///etc/passwd', 404],
  ['https://bundle/index.html', 404],
  ['app://bundle/..%2fsecret.json', 400],
  ['app://bundle/%2e%2e%2fsecret.json', 400],
  ['app://bundle/..%5csecret.json', 400],
  ['app://bundle/assets\\..\\..\\secret.json', 400],
  ['app://bundle/%252e%252e%252fsecret.json', 404],
  ['app://bundle/index.html%00', 400],
  ['app://bundle//etc/passwd', 400],
  ['app://bundle/%2fetc/passwd', 400],
  ['app://bundle/%', 400],
  ['app://bundle/%E0%A4%A', 400],
  ['', 400],
  ['index.html', 400],
] as const
for (const [address, status] of cases) {
  test(`${JSON.stringify(address)} is a ${status}`, () => {
    expect(lookUp(readManifest(join(dir, 'renderer')), address).status).toBe(status)
  })
}

test('a file comes with its kind', () => {
  const answer = lookUp(readManifest(join(dir, 'renderer')), 'app://bundle/')
  expect(answer).toEqual({
    status: 200,
    found: { file: join(dir, 'renderer', 'index.html'), contentType: 'text/html; charset=utf-8' },
  })
})

test('no address whatever leads to a file that is not listed', () => {
  const manifest = readManifest(join(dir, 'renderer'))
  const listed = new Set([...manifest.values()].map((each) => each.file))
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom('..', '%2e%2e', '%2f', '%5c', '/', '\\', 'assets', 'index.html', '%00'),
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const answer = lookUp(manifest, `app://bundle/${parts.join('/')}`)
      if (answer.status === 200) expect(listed).toContain(answer.found.file)
    }),
  )
})

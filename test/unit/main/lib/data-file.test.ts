import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readDataFile } from '../../../../src/main/lib/data-file'
import { makeFifo, tempDir, write } from '../skills/support'

const read = (name: string, content: string) => readDataFile(write(join(tempDir(), name), content), 1024)

it.each([
  ['a.json', '{"a": 1}', { a: 1 }],
  ['a.json', '\ufeff{"a": 1}', { a: 1 }],
  ['a.yaml', 'a: 1\nb: [x, y]\n', { a: 1, b: ['x', 'y'] }],
  ['a.yml', 'yes: no\n', { yes: 'no' }],
])('%s with %j is read', (name, content, value) => {
  expect(read(name, content)).toMatchObject({ state: 'read', value })
})

it.each([
  ['a.json', '{', /^It can't be understood: .+\.$/],
  ['a.yaml', 'a: [', /^It can't be understood: .+\.$/],
  ['a.yaml', `a: &a [x]\nb: [${'*a, '.repeat(60)}]`, /^It can not be read\.|^It can't be understood/],
  ['a.json', ' '.repeat(1025), /^It is not a file of at most 1 kB\.$/],
])('%s with %j is broken, with the reason in a sentence', (name, content, reason) => {
  const file = read(name, content)
  expect(file.state === 'broken' ? file.reason : '').toMatch(reason)
})

it('a file that is missing, or below a file, is missing', () => {
  const dir = tempDir()
  write(join(dir, 'file'), '')
  expect(readDataFile(join(dir, 'none.json'), 10)).toEqual({ state: 'missing' })
  expect(readDataFile(join(dir, 'file/none.json'), 10)).toEqual({ state: 'missing' })
})

it('a folder or a named pipe of that name is broken, without waiting for it', () => {
  const dir = tempDir()
  mkdirSync(join(dir, 'folder.json'))
  makeFifo(join(dir, 'pipe.json'))
  expect(readDataFile(join(dir, 'folder.json'), 10).state).toBe('broken')
  expect(readDataFile(join(dir, 'pipe.json'), 10).state).toBe('broken')
})

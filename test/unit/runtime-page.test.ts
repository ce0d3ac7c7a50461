import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Rows of the tables that name a proof: what a document demands, what Satchel does, the tests. */
const rows = readFileSync(join(import.meta.dirname, '../../docs/runtime.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
  .map((line) => line.slice(2, -2).split(' | '))
  .filter((cells) => cells.length === 3 && cells[2] !== 'proved by')

test('every sentence of the page of the runtime names its proof, or is open', () => {
  expect(rows.length).toBeGreaterThan(150)
  const bare = rows.filter(([, , proof]) => proof !== '**open**' && !/`[\w/-]+` › “[^”]+”/.test(proof!))
  expect(bare).toEqual([])
})

test('every test that the page of the runtime names is there', () => {
  const named = rows.flatMap(([, , proof]) => [...proof!.matchAll(/`([\w/-]+)` › “([^”]+)”/g)])
  const missing = named.filter(([, file, name]) => {
    const path = join(import.meta.dirname, `${file}.test.ts`)
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(name!)
  })
  expect(missing.map(([text]) => text)).toEqual([])
})

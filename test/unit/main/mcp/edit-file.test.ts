import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readServersFile } from '../../../../src/main/mcp/definitions'
import { removeServer, saveServer, variablesIn, type ServerEntry } from '../../../../src/main/mcp/edit-file'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'satchel-edit-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const file = () => join(home, '.satchel', 'mcp.json')
const write = (value: unknown) => {
  mkdirSync(join(home, '.satchel'), { recursive: true })
  writeFileSync(file(), typeof value === 'string' ? value : JSON.stringify(value))
}
const read = () => JSON.parse(readFileSync(file(), 'utf8')) as Record<string, Record<string, unknown>>
const PROGRAM: ServerEntry = { command: 'npx', args: ['-y', 'tickets'], env: { TOKEN: '${TOKEN}' } }
const save = (was: string | null, name: string, entry: ServerEntry = PROGRAM) =>
  saveServer(home, { was, name, entry })

describe('saving a server', () => {
  test('makes the file, for its owner alone', () => {
    save(null, 'tickets')
    expect(read()).toEqual({ mcpServers: { tickets: PROGRAM } })
    expect(readServersFile(home).servers).toMatchObject([{ name: 'tickets', command: 'npx' }])
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(home, '.satchel'))).toEqual(['mcp.json'])
  })

  test('leaves everything else in the file and in the entry, in its place', () => {
    write({
      theirs: 1,
      mcpServers: { a: { url: 'https://a.example' }, b: { command: 'x', timeout: 5 }, c: 7 },
    })
    chmodSync(file(), 0o640)
    save('b', 'tickets')
    expect(read()).toEqual({
      theirs: 1,
      mcpServers: { a: { url: 'https://a.example' }, tickets: { timeout: 5, ...PROGRAM }, c: 7 },
    })
    expect(Object.keys(read()['mcpServers']!)).toEqual(['a', 'tickets', 'c'])
    expect(statSync(file()).mode & 0o777).toBe(0o640)
  })

  test('leaves a link to another place a link', () => {
    write({})
    rmSync(file())
    writeFileSync(join(home, 'mine.json'), '{}')
    symlinkSync('../mine.json', file())
    save(null, 'tickets')
    expect(readFileSync(join(home, 'mine.json'), 'utf8')).toContain('tickets')
  })

  test.each<[string, string | null, string, ServerEntry, string]>([
    ['a name that is taken', null, 'a', PROGRAM, 'There is a server "a" already'],
    ['a name that can not be used', null, 'My Server', PROGRAM, 'small letters'],
    ['one that is gone', 'gone', 'gone', PROGRAM, 'not in the file any more'],
    ['an address without TLS', null, 'x', { url: 'http://x.example', headers: {} }, 'https://'],
    [
      'a key in a header',
      null,
      'x',
      { url: 'https://x.example', headers: { Authorization: 'Bearer abc' } },
      'name a variable',
    ],
    ['a key in a variable', null, 'x', { command: 'x', args: [], env: { API_KEY: 'abc' } }, '${API_KEY}'],
  ])('refuses %s and changes nothing', (...[, was, name, entry, words]) => {
    write({ mcpServers: { a: { url: 'https://a.example' } } })
    const before = readFileSync(file(), 'utf8')
    expect(() => save(was, name, entry)).toThrow(words)
    expect(readFileSync(file(), 'utf8')).toBe(before)
  })

  test.each(['{"mcpServers": {', '[]', '{"mcpServers": []}'])('never writes over %s', (text) => {
    write(text)
    expect(() => save(null, 'tickets')).toThrow('Correct it in an editor')
    expect(() => removeServer(home, 'tickets')).toThrow('nothing was changed')
    expect(readFileSync(file(), 'utf8')).toBe(text)
  })
})

test('removing takes one out and leaves the others', () => {
  write({ mcpServers: { a: { url: 'https://a.example' }, b: { command: 'x' } } })
  removeServer(home, 'b')
  removeServer(home, 'never-there')
  expect(read()).toEqual({ mcpServers: { a: { url: 'https://a.example' } } })
})

test('the variables of a server are those in its arguments and values, each once', () => {
  const args = ['--as', '${NAME}', '${TOKEN}']
  const definition = { kind: 'stdio' as const, name: 'x', command: '${NO}', args, env: { A: 'x${TOKEN}y' } }
  expect(variablesIn(definition)).toEqual(['NAME', 'TOKEN'])
})

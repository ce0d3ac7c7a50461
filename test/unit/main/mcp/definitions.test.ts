import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { definitionDigest, readServersFile, withVariables } from '../../../../src/main/mcp/definitions'
import { writeFiles } from '../../../helpers/app'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'satchel-mcp-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function read(mcpServers: unknown) {
  writeFiles(home, { '.satchel/mcp.json': JSON.stringify({ mcpServers }) })
  return readServersFile(home)
}

describe('readServersFile', () => {
  test('without a file there is no server and nothing to say', () => {
    expect(readServersFile(home)).toEqual({ servers: [], notes: [] })
  })

  test('takes programs and addresses, in the shape of other programs', () => {
    const { servers, notes } = read({
      tickets: { type: 'stdio', command: 'npx', args: ['tickets'], env: { TOKEN: '${TOKEN}' } },
      docs: { url: 'https://docs.example/mcp', headers: { Authorization: 'Bearer ${DOCS}' } },
      here: { url: 'http://127.0.0.1:3000/mcp' },
    })
    expect(notes).toEqual([])
    expect(servers).toEqual([
      { kind: 'stdio', name: 'tickets', command: 'npx', args: ['tickets'], env: { TOKEN: '${TOKEN}' } },
      {
        kind: 'http',
        name: 'docs',
        url: 'https://docs.example/mcp',
        headers: { Authorization: 'Bearer ${DOCS}' },
      },
      { kind: 'http', name: 'here', url: 'http://127.0.0.1:3000/mcp', headers: {} },
    ])
  })

  test.each([
    ['a name with the mark between server and tool', 'a__b', { command: 'x' }, 'a name has'],
    ['a name that ends so that a mark would be longer', 'a_', { command: 'x' }, 'a name has'],
    ['a name in capitals', 'Tickets', { command: 'x' }, 'a name has'],
    ['both a program and an address', 'a', { command: 'x', url: 'https://x.example' }, 'either'],
    ['neither', 'a', {}, 'either'],
    ['no object', 'a', 'npx', 'either'],
    ['arguments that are none', 'a', { command: 'x', args: 'y' }, '"args"'],
    ['an address in the clear', 'a', { url: 'http://docs.example/mcp' }, 'must begin with https'],
    ['an address of another kind', 'a', { url: 'file:///etc/passwd' }, 'must begin with https'],
    ['an address with a password', 'a', { url: 'https://me:pw@docs.example' }, 'no password'],
    [
      'a key in the file',
      'a',
      { url: 'https://x.example', headers: { 'X-Api-Key': 'abc' } },
      'must name a variable',
    ],
  ])('leaves out %s, and says why', (_, name, entry, why) => {
    const { servers, notes } = read({ [name]: entry, fine: { command: 'x' } })
    expect(servers.map((server) => server.name)).toEqual(['fine'])
    expect(notes).toEqual([expect.stringContaining(why)])
  })

  test.each(['{', '[]', '{"mcpServers": []}'])('says that %s is no list of servers', (text) => {
    writeFiles(home, { '.satchel/mcp.json': text })
    expect(readServersFile(home)).toMatchObject({
      servers: [],
      notes: [expect.stringContaining('No server')],
    })
  })

  test('takes 20 servers at most', () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`s${at}`, { command: 'x' }]))
    const { servers, notes } = read(many)
    expect([servers.length, notes.length]).toEqual([20, 1])
  })
})

test('a definition that differs in anything has another digest', () => {
  const one = { kind: 'stdio' as const, name: 'a', command: 'x', args: [], env: {} }
  const others = [one, { ...one, command: 'y' }, { ...one, args: ['z'] }, { ...one, env: { A: '1' } }]
  expect(new Set(others.map(definitionDigest)).size).toBe(4)
})

test('a variable that is not set is named', () => {
  expect(withVariables('a ${B} c', { B: 'x' })).toBe('a x c')
  expect(() => withVariables('${TOKEN}', { TOKEN: '' })).toThrow('The variable TOKEN is not set')
})

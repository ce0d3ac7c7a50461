import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folderWith, runScript } from './bundled'

function tidy(cwd: string, ...args: string[]) {
  return runScript('json-tidy', 'scripts/json_tidy.mjs', { args, cwd })
}

/** Runs a command on stdin. */
function tidyText(stdin: string, ...args: string[]) {
  return runScript('json-tidy', 'scripts/json_tidy.mjs', { args, cwd: folderWith({}), stdin })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // Not JSON is the answer, not a failure.
    return false
  }
}

describe('json_tidy.mjs check', () => {
  it('checks every .json file of the folder without arguments', async () => {
    const result = await tidy(folderWith({ 'a.json': '{}', 'b.json': '[1,]', 'c.txt': '{' }))
    expect(result).toEqual({
      code: 1,
      stdout: 'a.json: valid\n',
      stderr: 'b.json:1:3: a comma before ] is not allowed in JSON\n  1 | [1,]\n    |   ^\n',
    })
  })

  it.each([
    ['', '1:1: the file is empty; JSON needs one value, such as {}'],
    ['{\n  "a": 1,\n}', '2:9: a comma before } is not allowed in JSON'],
    ['{"a": 1 "b": 2}', '1:9: a comma is missing before this key'],
    ['[1 2]', '1:4: a comma is missing before this value'],
    ['{"a" 1}', '1:6: a colon is missing after the key'],
    ['{a: 1}', '1:2: keys must be in double quotes'],
    ["['a']", '1:2: texts must be in double quotes, not single'],
    ['1 // one', '1:3: comments are not allowed in JSON'],
    ['[True]', '1:2: True is not a JSON value; texts need double quotes'],
    ['007', "1:1: a number can't start with 0, + or a point"],
    ['[1.]', '1:2: a digit is missing in the number 1.'],
    ['"one\n"', '1:1: the text is not closed on its line'],
    ['"é漢😀\tb"', '1:5: a control character in a text must be escaped, here as \\t'],
    ['"C:\\xdir"', '1:4: \\x is not an escape sequence; write \\\\ for a backslash'],
    ['"\\u12"', '1:2: \\u needs four hexadecimal digits'],
    ['[1,\r\n[2', '2:1: the list is never closed'],
    ['{"a": {}', '1:1: the object is never closed'],
    ['[1}', '1:3: } does not fit here, ] is expected'],
    ['{} {}', '1:4: there is more text after the end of the value'],
    ['[,1]', '1:2: a value is missing before ,'],
  ])('gives the place and reason for %j', async (text, expected) => {
    const result = await tidyText(text, 'check', '-')
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr.split('\n')[0]).toBe(`-:${expected}`)
  })

  it('notes double keys and a byte order mark in a valid file', async () => {
    expect(await tidyText('\ufeff{"a":1,\n"a":2}', 'check', '-')).toEqual({
      code: 0,
      stdout:
        '-: valid\n  Note: the file starts with a byte order mark, which many programs refuse\n' +
        '  Note: line 2: the key "a" is there twice, most programs take the last\n',
      stderr: '',
    })
  })

  it('says when a file is missing, a folder, or not UTF-8', async () => {
    const cwd = folderWith({ 'sub/a.json': '1', 'latin.json': Uint8Array.of(0x22, 0xe9, 0x22) })
    const result = await tidy(cwd, 'check', 'nope.json', 'sub', 'latin.json')
    expect(result).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'nope.json: no such file in the working folder. Check the name.\n' +
        'sub: is not a file. Name the JSON file in it.\n' +
        'latin.json: the file is not UTF-8. Save it as UTF-8 and try again.\n',
    })
  })

  it('ends with a message on very deep nesting', async () => {
    const result = await tidyText('['.repeat(100_000), 'check', '-')
    expect(result.stderr).toMatch(/^-:1:1002: more than 1000 levels of nesting\n/)
  })

  it('calls the same texts valid as JSON.parse does', async () => {
    const part = fc.constantFrom(
      ...Array.from('{}[],:"\\ \n01-+.eEu'),
      'true',
      'null',
      '"a"',
      '1',
      '"\\u00e9"',
      '-0',
    )
    const broken = fc
      .sample(fc.array(part, { maxLength: 8 }), { numRuns: 600, seed: 11 })
      .map((p) => p.join(''))
    const texts = [...broken, ...fc.sample(fc.json(), { numRuns: 200, seed: 12 })]
    const files = texts.map((text, i) => [`${i}.json`, text] as const)
    const { stdout } = await tidy(
      folderWith(Object.fromEntries(files)),
      'check',
      ...files.map(([name]) => name),
    )
    const valid = new Set([...stdout.matchAll(/^(\S+): valid$/gm)].map((match) => match[1]))
    expect(files.filter(([name, text]) => valid.has(name) !== isJson(text))).toEqual([])
    expect(valid.size).toBeGreaterThan(200)
  })
})

describe('json_tidy.mjs format', () => {
  const TEXT = '{"2":1,"1":[1.50,12345678901234567890,"\\u00e9"],"x":{},"y":[]}'

  it('keeps the order of keys and the text of numbers', async () => {
    const expected =
      '{\n  "2": 1,\n  "1": [\n    1.50,\n    12345678901234567890,\n    "\\u00e9"\n  ],\n  "x": {},\n  "y": []\n}\n'
    expect(await tidyText(TEXT, 'format', '-')).toEqual({ code: 0, stdout: expected, stderr: '' })
  })

  it.each([
    [['--compact', '--sort-keys'], '{"1":[1.50,12345678901234567890,"\\u00e9"],"2":1,"x":{},"y":[]}\n'],
    [
      ['--indent', 'tab'],
      '{\n\t"2": 1,\n\t"1": [\n\t\t1.50,\n\t\t12345678901234567890,\n\t\t"\\u00e9"\n\t],\n\t"x": {},\n\t"y": []\n}\n',
    ],
  ])('follows the options %j', async (options, expected) => {
    expect((await tidyText(TEXT, 'format', '-', ...options)).stdout).toBe(expected)
  })

  it('gives the same text as JSON.stringify for what JSON.stringify wrote', async () => {
    const values = fc.sample(fc.jsonValue(), { numRuns: 100, seed: 3 })
    const list = JSON.stringify(values)
    expect((await tidyText(list, 'format', '-')).stdout).toBe(JSON.stringify(values, null, 2) + '\n')
  })

  it('writes nothing without --write', async () => {
    const cwd = folderWith({ 'a.json': TEXT })
    await tidy(cwd, 'format', 'a.json')
    expect(readFileSync(join(cwd, 'a.json'), 'utf8')).toBe(TEXT)
  })

  it('replaces the file with --write, once, and leaves no other file', async () => {
    const cwd = folderWith({ 'a.json': '\ufeff[1]' })
    expect((await tidy(cwd, 'format', 'a.json', '--write')).stdout).toBe('a.json: formatted\n')
    expect(readFileSync(join(cwd, 'a.json'), 'utf8')).toBe('[\n  1\n]\n')
    expect((await tidy(cwd, 'format', 'a.json', '--write')).stdout).toBe('a.json: already formatted\n')
    expect(readdirSync(cwd)).toEqual(['a.json'])
  })

  it('leaves a broken file as it is', async () => {
    const cwd = folderWith({ 'a.json': '[1,' })
    expect((await tidy(cwd, 'format', 'a.json', '--write')).code).toBe(1)
    expect(readFileSync(join(cwd, 'a.json'), 'utf8')).toBe('[1,')
  })
})

describe('json_tidy.mjs query and keys', () => {
  const TEXT = '{"users":[{"name":"Ada","tags":["a","b"]},{"name":"Lin"}],"next.page":null}'

  it.each([
    ['users[0].name', '"Ada"\n'],
    ['$.users[-1].name', '"Lin"\n'],
    ['users[*].name', '"Ada"\n"Lin"\n'],
    ['users.*.tags[*]', '"a"\n"b"\n'],
    ['["next.page"]', 'null\n'],
    ['users[1]', '{\n  "name": "Lin"\n}\n'],
  ])('follows the path %s', async (path, expected) => {
    expect(await tidyText(TEXT, 'query', '-', path)).toEqual({ code: 0, stdout: expected, stderr: '' })
  })

  it('prints texts without quotes with --raw', async () => {
    expect((await tidyText(TEXT, 'query', '-', 'users[0].name', '--raw')).stdout).toBe('Ada\n')
  })

  it.each([
    ['users[2]', 'the list users has 2 elements (0 to 1)'],
    ['users.name', 'users is a list, use [0] or [*]'],
    ['user', 'there is no key "user"; it has: users, next.page'],
    ['users[0].name.x', 'users[0].name is a text, it has no keys'],
  ])('says where the path %s ends', async (path, message) => {
    expect(await tidyText(TEXT, 'query', '-', path)).toEqual({
      code: 1,
      stdout: '',
      stderr: `-: ${message}\n`,
    })
  })

  it('refuses a path that can not be read with exit code 2', async () => {
    const result = await tidyText(TEXT, 'query', '-', 'users[')
    expect(result.code).toBe(2)
    expect(result.stderr).toContain("The path users[ can't be read at [.")
  })

  it('lists keys with types and sizes', async () => {
    expect((await tidyText(TEXT, 'keys', '-')).stdout).toBe(
      'users: list with 2 elements (object)\nnext.page: null\n',
    )
    expect((await tidyText(TEXT, 'keys', '-', 'users[0]')).stdout).toBe(
      'name: text\ntags: list with 2 elements (text)\n',
    )
  })
})

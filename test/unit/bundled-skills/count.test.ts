import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folderWith, runScript } from './bundled'

const HEAD = '   lines    words    bytes  file\n'

function count(cwd: string, ...args: string[]) {
  return runScript('hello-files', 'scripts/count.sh', { args, cwd })
}

function row(lines: number, words: number, bytes: number, name: string): string {
  return [lines, words, bytes].map((n) => String(n).padStart(8)).join(' ') + `  ${name}\n`
}

describe('count.sh', () => {
  it('counts the sample of the skill in an empty folder, and says so', async () => {
    const note =
      'Note: no text file in the working folder. This is the sample of the skill, assets/sample.txt.\n'
    const expected = note + HEAD + row(7, 58, 297, 'sample.txt')
    expect(await count(folderWith({}))).toEqual({ code: 0, stdout: expected, stderr: '' })
  })

  it('counts the sample if sample.txt is asked for and the folder has none', async () => {
    const note = 'Note: there is no sample.txt in the working folder. This is the sample of the skill.\n'
    const expected = note + HEAD + row(7, 58, 297, 'sample.txt')
    expect(await count(folderWith({ 'a.txt': 'a' }), 'sample.txt')).toEqual({
      code: 0,
      stdout: expected,
      stderr: '',
    })
  })

  it('prefers the sample.txt of the working folder', async () => {
    const result = await count(folderWith({ 'sample.txt': 'only three words\n' }), 'sample.txt')
    expect(result).toEqual({ code: 0, stdout: HEAD + row(1, 3, 17, 'sample.txt'), stderr: '' })
  })

  it('finds its sample without SKILL_DIR', async () => {
    const env = { SKILL_DIR: '' }
    const result = await runScript('hello-files', 'scripts/count.sh', { cwd: folderWith({}), env })
    expect(result.stdout).toContain(row(7, 58, 297, 'sample.txt'))
  })

  it('counts all text files of the folder in order and gives a total', async () => {
    const cwd = folderWith({
      'b two.txt': 'x y',
      'a.md': '# T\n',
      empty: '',
      '.hidden': 'h',
      'sub/c.txt': 'c',
    })
    const expected =
      HEAD + row(1, 2, 4, 'a.md') + row(1, 2, 3, 'b two.txt') + row(0, 0, 0, 'empty') + row(2, 4, 7, 'total')
    expect(await count(cwd)).toEqual({ code: 0, stdout: expected, stderr: '' })
  })

  it('leaves binary files of the folder out, and says how many', async () => {
    const result = await count(folderWith({ 'a.txt': 'a', 'b.png': 'x\0y' }))
    const expected = HEAD + row(1, 1, 1, 'a.txt') + 'Note: left out because they look binary: 1\n'
    expect(result).toEqual({ code: 0, stdout: expected, stderr: '' })
  })

  it('says for each name why it was not counted, and counts the others', async () => {
    const cwd = folderWith({ 'a.txt': 'a b\n', bin: 'x\0y' })
    mkdirSync(join(cwd, 'docs'))
    expect(await count(cwd, 'docs', 'bin', 'nope.txt', 'a.txt')).toEqual({
      code: 1,
      stdout: HEAD + row(1, 2, 4, 'a.txt'),
      stderr:
        'count.sh: docs: is a folder. Name the files in it.\n' +
        'count.sh: bin: looks binary (3 bytes). Lines and words are counted in text files only.\n' +
        'count.sh: nope.txt: no such file in the working folder. Check the name.\n',
    })
  })

  it.each([
    ['an unfinished last line', 'one\ntwo', 2, 2],
    ['empty lines', '\n\n', 2, 0],
    ['Windows line ends', 'a b\r\nc\r\n', 2, 3],
    ['letters outside ASCII', 'naïve café\nзнак', 2, 3],
    ['a no-break space', 'a\u00a0b', 1, 1],
    ['all kinds of white space', 'a\tb\vc\fd  e', 1, 5],
    ['bytes that are not UTF-8', Uint8Array.of(0xff, 0xfe, 0x20, 0xc3), 1, 2],
  ])('counts %s as the reference says', async (_what, content, lines, words) => {
    const bytes = Buffer.from(content as string).length
    expect((await count(folderWith({ f: content }), 'f')).stdout).toBe(HEAD + row(lines, words, bytes, 'f'))
  })

  it('takes names that start with a dash after --, and shows no control characters', async () => {
    const result = await count(folderWith({ '-n': 'a', 'b\u001b[2J': 'b' }), '--', '-n', 'b\u001b[2J')
    expect(result.stdout).toBe(HEAD + row(1, 1, 1, '-n') + row(1, 1, 1, 'b?[2J') + row(2, 2, 2, 'total'))
  })

  it('agrees with an independent count on random texts', async () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'é', '漢', ' ', '\n', '\t', '\r', '.', '*', '\\'),
      maxLength: 60,
    })
    const texts = fc.sample(text, { numRuns: 60, seed: 7 })
    const cwd = folderWith(Object.fromEntries(texts.map((t, i) => [`f${String(i).padStart(3, '0')}`, t])))
    const rows = texts.map((t, i) => {
      const lines = t.split('\n').length - (t === '' || t.endsWith('\n') ? 1 : 0)
      const words = t.split(/[ \t\n\r]+/).filter(Boolean).length
      return row(lines, words, Buffer.byteLength(t), `f${String(i).padStart(3, '0')}`)
    })
    expect((await count(cwd)).stdout.startsWith(HEAD + rows.join(''))).toBe(true)
  })
})

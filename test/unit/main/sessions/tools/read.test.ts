import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Envelope } from '@shared/domain/session'
import { wellFormed } from '../../../../../src/main/lib/well-formed'
import { writeFiles } from '../../../../helpers/app'
import { createKit, type Kit } from '../kit'

const skillMd = (name: string) => `---\nname: ${name}\ndescription: Boils ${name}.\n---\nBoil.\n`
const lines = (n: number) => Array.from({ length: n }, (_, i) => `line ${i + 1}\n`).join('')
const FILES = {
  'SKILL.md': skillMd('jam'),
  'references/rules.md': 'one\ntwo\nthree\n',
  'references/no-end.md': 'one\ntwo',
  'references/empty.md': '',
  'references/many.md': lines(1500),
  'references/wide.md': `${'x'.repeat(9000)}\n${'y'.repeat(9000)}\n`,
  'references/one-line.json': `${'a'.repeat(15_999)}😀${'b'.repeat(9000)}`,
  'references/long-then-short.md': `first\n${'x'.repeat(20_000)}\nend\n`,
  'references/umlauts.md': `${'ä'.repeat(5000)}\n`.repeat(3),
  'references/huge.txt': 'x'.repeat(1_000_001),
}

let kit: Kit
let id: string

beforeEach(async () => {
  kit = await createKit({ skills: { jam: FILES } })
  const dir = join(kit.home, '.satchel/skills/jam')
  writeFileSync(join(dir, 'pixel.PNG'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]))
  writeFileSync(join(dir, 'latin1.bin'), Buffer.from([0xe9, 0xe8]))
  writeFileSync(join(dir, 'large.bin'), Buffer.alloc(256_001))
  await kit.deps.registry.refresh()
  id = kit.chat()
  await kit.sessions.loadSkill(id, 'jam')
})
afterEach(() => kit.remove())

async function read(input: Record<string, unknown>): Promise<Envelope> {
  kit.answers.push({ calls: [{ name: 'skills_read', input }] })
  await kit.say(id, 'go')
  return kit.calls(id).at(-1)!.envelope!
}

describe('skills_read', () => {
  test('gives a text file with its lines and size', async () => {
    expect((await read({ path: 'references/rules.md' })).result).toEqual({
      path: 'references/rules.md',
      content: 'one\ntwo\nthree\n',
      from_line: 1,
      to_line: 3,
      total_lines: 3,
      size: 14,
    })
  })

  test.each([
    ['a part', { path: 'references/rules.md', offset: 2, limit: 1 }, ['two\n', 2, 2, 3]],
    ['the last lines', { path: 'references/rules.md', offset: 3 }, ['three\n', 3, 3, 3]],
    ['a file without a last line end', { path: 'references/no-end.md' }, ['one\ntwo\n', 1, 2, 2]],
    ['an empty file', { path: 'references/empty.md' }, ['', 1, 1, 0]],
  ])('gives %s', async (_what, input, [content, from_line, to_line, total_lines]) => {
    expect((await read(input)).result).toMatchObject({ content, from_line, to_line, total_lines })
  })

  test.each([
    ['references/rules.md', 4, '"references/rules.md" ends with line 3; "offset" is 4.'],
    ['references/empty.md', 2, '"references/empty.md" ends with line 0; "offset" is 2.'],
  ])('gives nothing from behind the end of %s, and says where that is', async (path, offset, message) => {
    expect(await read({ path, offset })).toMatchObject({ error_code: 'bad_input', error: message })
  })

  test('gives at most 1,000 lines, and the rest from there on', async () => {
    expect((await read({ path: 'references/many.md' })).result).toMatchObject({ to_line: 1000 })
    expect((await read({ path: 'references/many.md', offset: 1001 })).result).toMatchObject({
      from_line: 1001,
      to_line: 1500,
      total_lines: 1500,
    })
  })

  test('gives whole lines up to 16 kB', async () => {
    const { result } = await read({ path: 'references/wide.md' })
    expect(result).toMatchObject({ content: `${'x'.repeat(9000)}\n`, to_line: 1, total_lines: 2 })
  })

  test('cuts a line that is longer by itself, says so, and cuts no character in two', async () => {
    const { result } = await read({ path: 'references/one-line.json' })
    const { content } = result as { content: string }
    expect(content).toMatch(
      /^a{15999}\n… \(this line is longer than 16 kB: it goes on at offset 1, char_offset 15999\)$/,
    )
    expect(content).toBe(wellFormed(content))
  })

  test('gives the rest of such a line, and the lines after it', async () => {
    const path = 'references/long-then-short.md'
    expect((await read({ path, offset: 2 })).result).toMatchObject({ to_line: 2, next_char_offset: 16_000 })
    expect((await read({ path, offset: 2, char_offset: 16_000 })).result).toMatchObject({
      content: `${'x'.repeat(4000)}\nend\n`,
      from_line: 2,
      to_line: 3,
      total_lines: 3,
    })
  })

  test('gives nothing from behind the end of a line, and says where that is', async () => {
    const { error, error_code } = await read({ path: 'references/rules.md', offset: 2, char_offset: 4 })
    expect(error_code).toBe('bad_input')
    expect(error).toBe('Line 2 of "references/rules.md" has 3 characters; "char_offset" is 4.')
  })

  test('refuses a text of over 1 MB with its size', async () => {
    const { error, error_code } = await read({ path: 'references/huge.txt' })
    expect(error_code).toBe('too_large')
    expect(error).toContain('1000001')
  })

  test('gives small binary files as base64, of large ones type and size only', async () => {
    expect((await read({ path: 'pixel.PNG' })).result).toEqual({
      path: 'pixel.PNG',
      media_type: 'image/png',
      encoding: 'base64',
      content: 'iVBORwA=',
      size: 5,
    })
    expect((await read({ path: 'latin1.bin' })).result).toMatchObject({ encoding: 'base64', content: '6eg=' })
    expect((await read({ path: 'large.bin' })).result).toEqual({
      path: 'large.bin',
      media_type: 'application/octet-stream',
      size: 256_001,
    })
  })

  test('without a path lists the files', async () => {
    const { result } = await read({})
    const { files } = result as { files: { path: string; size: number }[] }
    expect(files).toContainEqual({ path: 'references/rules.md', size: 14 })
    expect(files).toHaveLength(Object.keys(FILES).length + 3)
  })

  test('lists the files beyond the first 200 from where the list says', async () => {
    const many = Object.fromEntries(Array.from({ length: 203 }, (_, n) => [`data/${1000 + n}.txt`, 'x\n']))
    writeFiles(join(kit.home, '.satchel/skills/many'), { ...many, 'SKILL.md': skillMd('many') })
    await kit.deps.registry.refresh()
    await kit.sessions.loadSkill(id, 'many')
    const first = (await read({})).result as { files: { path: string }[] }
    expect(first).toMatchObject({ not_shown: 4, next_offset: 201 })
    const rest = (await read({ offset: 201 })).result as { files: { path: string }[] }
    expect(rest).not.toHaveProperty('not_shown')
    const all = [...first.files, ...rest.files].map(({ path }) => path)
    expect(new Set(all)).toEqual(new Set([...Object.keys(many), 'SKILL.md']))
    expect((await read({ offset: 205 })).error).toBe(
      'The list of "many" ends with file 204; "offset" is 205.',
    )
  })

  test.each(['../other/SKILL.md', '/etc/passwd', '~/x', 'references/../SKILL.md', 'a\\b', '.'])(
    'refuses the path %j',
    async (path) => {
      expect((await read({ path })).error_code).toBe('path_escape')
    },
  )

  test('of a file that is not there names one of the same name', async () => {
    const { error, error_code } = await read({ path: 'rules.md' })
    expect(error_code).toBe('not_found')
    expect(error).toContain('references/rules.md')
  })

  test.each([{ offset: 0 }, { limit: 0 }, { limit: 1001 }, { offset: 1.5 }, { path: '' }])(
    'refuses the input %j and says which part of it',
    async (input) => {
      const { error, error_code } = await read({ path: 'references/rules.md', ...input })
      expect(error_code).toBe('bad_input')
      expect(error).toContain(Object.keys(input)[0])
    },
  )

  test('counts bytes, not characters', async () => {
    const { result } = await read({ path: 'references/umlauts.md' })
    expect(result).toMatchObject({ from_line: 1, to_line: 1, total_lines: 3 })
    expect(Buffer.byteLength((result as { content: string }).content)).toBeLessThanOrEqual(16_000)
  })

  test('reads what was loaded, whatever the folder holds now', async () => {
    writeFileSync(join(kit.home, '.satchel/skills/jam/references/rules.md'), 'changed\n')
    expect((await read({ path: 'references/rules.md' })).result).toMatchObject({
      content: 'one\ntwo\nthree\n',
    })
  })

  test('needs an active skill', async () => {
    expect((await read({ skill: 'tea' })).error_code).toBe('no_active_skill')
    await kit.sessions.unloadSkill(id, 'jam')
    expect((await read({})).error_code).toBe('no_active_skill')
  })

  test('is on record with the file that was read', async () => {
    await read({ path: 'references/rules.md' })
    expect(kit.actions()).toEqual(['skill.loaded', 'skill.read'])
  })
})

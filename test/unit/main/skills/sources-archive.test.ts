import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planArchive, unpackArchive } from '../../../../src/main/skills/sources/archive-source'
import { writeMemorySkill } from '../../../../src/main/skills/sources/memory-source'
import { removeSealed } from '../../../../src/main/skills/store/snapshot-copy'
import { later, makeFifo, tempDir } from './support'
import { makeZip } from './zip'
import type { ZipEntry } from './zip'

const SKILL = '---\nname: sample\ndescription: A sample.\n---\n'
const good: ZipEntry = { name: 'sample/SKILL.md', content: SKILL }

function place(): { base: string; sourcesDir: string } {
  const base = tempDir()
  const sourcesDir = join(base, 'data', 'sources')
  later(() => removeSealed(sourcesDir))
  return { base, sourcesDir }
}

function archive(bytes: Buffer, name = 'sample.skill'): { file: string; sourcesDir: string } {
  const { base, sourcesDir } = place()
  const file = join(base, name)
  writeFileSync(file, bytes)
  return { file, sourcesDir }
}

/** Everything below a folder, with / . */
function tree(dir: string): string[] {
  return existsSync(dir) ? readdirSync(dir, { recursive: true }).map(String).sort() : []
}

describe('an archive', () => {
  it('as zip makes it, with an entry for each folder, keeps the files in folders', async () => {
    const bytes = makeZip([
      { name: 'sample/', mode: 0o040755 },
      good,
      { name: 'sample/scripts/', mode: 0o040755 },
      { name: 'sample/scripts/run.py', content: 'print(1)\n' },
      { name: 'sample/empty/', mode: 0o040755 },
    ])
    const { file, sourcesDir } = archive(bytes)
    const { dir } = await unpackArchive(file, sourcesDir)
    expect(tree(dir)).toEqual(['sample', 'sample/SKILL.md', 'sample/scripts', 'sample/scripts/run.py'])
  })

  it('with one folder becomes a skill that can only be read', async () => {
    const bytes = makeZip([
      { name: 'sample/', mode: 0o040755 },
      good,
      { name: 'sample/scripts/run.py', content: 'print(1)\n', mode: 0o100755 },
    ])
    const { file, sourcesDir } = archive(bytes)
    const stored = await unpackArchive(file, sourcesDir)
    expect(stored.name).toBe('sample')
    expect(tree(stored.dir)).toEqual(['sample', 'sample/SKILL.md', 'sample/scripts', 'sample/scripts/run.py'])
    expect(readFileSync(join(stored.dir, 'sample/SKILL.md'), 'utf8')).toBe(SKILL)
    const mode = (path: string) => statSync(join(stored.dir, path)).mode & 0o777
    expect(['sample', 'sample/SKILL.md', 'sample/scripts', 'sample/scripts/run.py'].map(mode)).toEqual([
      0o555, 0o444, 0o555, 0o555,
    ])
  })

  it('with SKILL.md at its top is called as its file', async () => {
    const { file, sourcesDir } = archive(makeZip([{ name: 'Skill.md', content: SKILL }]), 'My PDFs.zip')
    const stored = await unpackArchive(file, sourcesDir)
    expect(tree(stored.dir)).toEqual(['my-pdfs', 'my-pdfs/Skill.md'])
  })

  it('that was unpacked before is used again, also from another path', async () => {
    const bytes = makeZip([good])
    const { file, sourcesDir } = archive(bytes)
    const stored = await unpackArchive(file, sourcesDir)
    const before = statSync(stored.dir).ino
    const other = join(tempDir(), 'other.zip')
    writeFileSync(other, bytes)
    expect(await unpackArchive(other, sourcesDir)).toEqual(stored)
    expect(statSync(stored.dir).ino).toBe(before)
    expect(readdirSync(sourcesDir)).toHaveLength(1)
  })

  it('unpacked twice at once is there once, and nothing else is left', async () => {
    const { file, sourcesDir } = archive(makeZip([good]))
    const both = await Promise.all([unpackArchive(file, sourcesDir), unpackArchive(file, sourcesDir)])
    expect(both[0]).toEqual(both[1])
    expect(readdirSync(sourcesDir)).toHaveLength(1)
  })

  it('loses what macOS and Windows add by themselves', async () => {
    const litter = ['__MACOSX/sample/._SKILL.md', '.DS_Store', 'sample/.DS_Store', 'Thumbs.db']
    const bytes = makeZip([good, ...litter.map((name) => ({ name, content: 'x' }))])
    const { file, sourcesDir } = archive(bytes)
    expect(tree((await unpackArchive(file, sourcesDir)).dir)).toEqual(['sample', 'sample/SKILL.md'])
  })

  it('keeps skills inside the skill', async () => {
    const { file, sourcesDir } = archive(makeZip([good, { name: 'sample/sub/SKILL.md', content: SKILL }]))
    expect(tree((await unpackArchive(file, sourcesDir)).dir)).toContain('sample/sub/SKILL.md')
  })
})

const many = Array.from({ length: 2001 }, (_, at) => ({ name: `sample/f${at}`, content: 'x' }))
const random = (size: number) =>
  Buffer.from(fc.sample(fc.uint8Array({ minLength: size, maxLength: size }), { numRuns: 1, seed: 7 })[0]!)

const REFUSED: readonly (readonly [string, ZipEntry[], RegExp])[] = [
  ['a path that leads out', [good, { name: '../evil', content: 'x' }], /is no ZIP archive.*relative path/],
  ['a path that leads out and back', [good, { name: 'sample/../../sample/x' }], /relative path/],
  ['an absolute path', [good, { name: '/etc/evil', content: 'x' }], /absolute path/],
  ['a drive', [good, { name: 'C:/evil', content: 'x' }], /absolute path/],
  ['a backslash', [good, { name: 'sample\\..\\..\\evil', content: 'x' }], /invalid characters/],
  ['a NUL', [good, { name: 'sample/a\0b', content: 'x' }], /not safe on every system/],
  ['a stream of another file', [good, { name: 'sample/a:b', content: 'x' }], /not safe on every system/],
  ['a home folder', [good, { name: '~/evil', content: 'x' }], /not safe on every system/],
  ['a percent-encoded way out', [good, { name: 'sample/%2e%2e/x', content: 'x' }], /not safe/],
  ['an unsafe folder without files', [good, { name: 'sample/a:b/', mode: 0o040755 }], /not safe/],
  ['a trailing dot', [good, { name: 'sample/a.', content: 'x' }], /not safe on every system/],
  ['a device of Windows', [good, { name: 'sample/AUX.txt', content: 'x' }], /Windows can't have/],
  ['a device of Windows as a folder', [good, { name: 'sample/con/x', content: 'x' }], /Windows can't have/],
  ['a wildcard', [good, { name: 'sample/a*', content: 'x' }], /Windows can't have/],
  [
    'a link',
    [good, { name: 'sample/l', content: '/etc/passwd', mode: 0o120777 }],
    /is a link or a special file/,
  ],
  [
    'a link and a file through it',
    [good, { name: 'sample/d', content: '/etc', mode: 0o120777 }, { name: 'sample/d/evil', content: 'x' }],
    /is a link or a special file/,
  ],
  ['a named pipe', [good, { name: 'sample/p', mode: 0o010644 }], /is a link or a special file/],
  ['a device', [good, { name: 'sample/p', mode: 0o020644 }], /is a link or a special file/],
  ['an encrypted file', [good, { name: 'sample/x', content: 'x', encrypted: true }], /is encrypted/],
  ['two files of one name', [good, good], /twice/],
  ['two names that differ by case', [good, { name: 'sample/skill.md', content: SKILL }], /twice/],
  [
    'two folders that differ by case',
    [good, { name: 'sample/A/x' }, { name: 'sample/a/y' }],
    /differ only by case/,
  ],
  [
    'two names that differ by Unicode form',
    [good, { name: 'sample/caf\u00e9', content: '1' }, { name: 'sample/cafe\u0301', content: '2' }],
    /twice/,
  ],
  [
    'a file that is a folder too',
    [good, { name: 'sample/a', content: 'x' }, { name: 'sample/a/b' }],
    /a file and a folder/,
  ],
  ['more than 2,000 files', [good, ...many], /more than 2000 files/],
  [
    'more than 4,000 entries',
    Array.from({ length: 4001 }, (_, at) => ({ name: `d${at}/` })),
    /more than 2000 files/,
  ],
  [
    'a declared size above 50 MB',
    [good, { name: 'sample/x', content: 'x', declaredSize: 60_000_000 }],
    /larger than 50 MB/,
  ],
  ['a bomb', [good, { name: 'sample/x', content: Buffer.alloc(20_000_000) }], /more than 100 times its size/],
  [
    'a bomb that declares a small size',
    [good, { name: 'sample/x', content: Buffer.alloc(20_000_000), declaredSize: 10 }],
    /is no ZIP archive that can be read \(too many bytes/,
  ],
  [
    'a file that declares too much',
    [good, { name: 'sample/x', content: 'abc', declaredSize: 10 }],
    /is no ZIP archive that can be read \(not enough bytes/,
  ],
  ['a wrong checksum', [good, { name: 'sample/x', content: 'abc', crc: 1 }], /is damaged/],
  [
    'two names for one file',
    [good, { name: 'sample/x', content: 'abc', localName: 'sample/y' }],
    /two different names/,
  ],
  ['no SKILL.md', [{ name: 'sample/readme.md', content: 'x' }], /must hold one skill/],
  ['SKILL.md too deep', [{ name: 'a/b/SKILL.md', content: SKILL }], /must hold one skill/],
  ['two skills', [good, { name: 'other/SKILL.md', content: SKILL }], /must hold one skill/],
  ['a skill and something beside it', [good, { name: 'readme.md', content: 'x' }], /must hold one skill/],
  ['nothing', [], /must hold one skill/],
]

describe('an archive is refused, and nothing is written, because of', () => {
  it.each(REFUSED)('%s', async (_, entries, reason) => {
    const { file, sourcesDir } = archive(makeZip(entries))
    const error: unknown = await unpackArchive(file, sourcesDir).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'bad_input',
      message: expect.stringMatching(/^It is not used, because /) as string,
    })
    expect((error as Error).message).toMatch(reason)
    expect(tree(sourcesDir)).toEqual([])
  })

  it('a file that is no archive', async () => {
    const { file, sourcesDir } = archive(Buffer.from('PK no archive'))
    await expect(unpackArchive(file, sourcesDir)).rejects.toThrow(/is no ZIP archive/)
  })

  it('its own size above 50 MB', async () => {
    const { file, sourcesDir } = archive(Buffer.alloc(50 * 1024 * 1024 + 1))
    await expect(unpackArchive(file, sourcesDir)).rejects.toThrow(/larger than 50 MB/)
  })

  it('an end in the middle', async () => {
    const bytes = makeZip([good, { name: 'sample/x', content: random(5000) }])
    const { file, sourcesDir } = archive(bytes.subarray(0, bytes.length - 30))
    await expect(unpackArchive(file, sourcesDir)).rejects.toThrow(/It is not used, because/)
    expect(tree(sourcesDir)).toEqual([])
  })

  it('being a named pipe, without waiting for it', async () => {
    const { base, sourcesDir } = place()
    makeFifo(join(base, 'pipe.zip'))
    await expect(unpackArchive(join(base, 'pipe.zip'), sourcesDir)).rejects.toMatchObject({
      code: 'ENOTFILE',
    })
  })
})

describe('any bytes', () => {
  it('are unpacked or refused with a sentence, and nothing is written outside', async () => {
    const { base, sourcesDir } = place()
    const honest = makeZip([good, { name: 'sample/a/b.txt', content: 'text' }])
    const file = join(base, 'fuzz.zip')
    const changes = fc.array(fc.tuple(fc.nat(honest.length - 1), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 6,
    })
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        const bytes = Buffer.from(honest)
        for (const [at, value] of list) bytes[at] = value
        writeFileSync(file, bytes)
        const done = await unpackArchive(file, sourcesDir).catch((error: unknown) => error)
        if (done instanceof Error) expect(done).toMatchObject({ code: 'bad_input' })
        expect(readdirSync(base).sort()).toEqual(existsSync(sourcesDir) ? ['data', 'fuzz.zip'] : ['fuzz.zip'])
        expect(tree(sourcesDir).filter((path) => path.includes('.tmp-'))).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('any list of names gives paths that stay inside, or is refused', () => {
    const part = fc.constantFrom('a', 'A', '..', '.', '', 'SKILL.md', 'con', '~', 'c:', '\\', 'x y', 'é')
    const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
    fc.assert(
      fc.property(fc.array(name, { maxLength: 6 }), (names) => {
        const entries = [...names, 'top/SKILL.md'].map((fileName) => ({
          fileName,
          compressedSize: 1,
          uncompressedSize: 1,
          externalFileAttributes: 0,
          isEncrypted: () => false,
        }))
        let files: { path: string }[] = []
        try {
          files = planArchive(entries, 'x.zip').files
        } catch (error) {
          expect(error).toMatchObject({ code: 'bad_input' })
        }
        for (const { path } of files) expect(join('/root', path).startsWith('/root/')).toBe(true)
        const folded = files.map(({ path }) => path.toLowerCase())
        expect(new Set(folded).size).toBe(folded.length)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a skill from memory', () => {
  it('is written once for what it holds, whatever the order of its files', async () => {
    const { sourcesDir } = place()
    const files = { 'SKILL.md': SKILL, 'a/b.bin': new Uint8Array([0, 255]) }
    const stored = await writeMemorySkill({ name: 'sample', files }, sourcesDir)
    expect(tree(stored.dir)).toEqual(['sample', 'sample/SKILL.md', 'sample/a', 'sample/a/b.bin'])
    expect([...readFileSync(join(stored.dir, 'sample/a/b.bin'))]).toEqual([0, 255])
    const turned = { 'a/b.bin': new Uint8Array([0, 255]), 'SKILL.md': SKILL }
    expect(await writeMemorySkill({ name: 'sample', files: turned }, sourcesDir)).toEqual(stored)
    const other = await writeMemorySkill({ name: 'sample', files: { ...files, 'a/b.bin': 'x' } }, sourcesDir)
    expect(other.dir).not.toBe(stored.dir)
  })

  it.each([
    ['../evil', 'sample'],
    ['/evil', 'sample'],
    ['x', '../sample'],
    ['x', 'Sample'],
  ])('with the path %s and the name %s is refused', async (path, name) => {
    const { sourcesDir } = place()
    await expect(writeMemorySkill({ name, files: { [path]: 'x' } }, sourcesDir)).rejects.toMatchObject({
      code: 'bad_input',
    })
    expect(tree(sourcesDir)).toEqual([])
  })

  it('too large is refused', async () => {
    const { sourcesDir } = place()
    const files = { 'SKILL.md': new Uint8Array(50 * 1024 * 1024 + 1) }
    await expect(writeMemorySkill({ name: 'sample', files }, sourcesDir)).rejects.toThrow(
      /2000 files or 50 MB/,
    )
  })
})

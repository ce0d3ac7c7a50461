import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../../src/main/skills/scan/probe'
import { codes, diagnosticsOf, names, personal, scan, scannerOf } from '../scan-support'
import { later, makeFifo, makeSkill, rootFor, tempDir, write } from '../support'

describe('a scan of one root', () => {
  it('finds skills in path order, with their counts, scope, place and tokens', async () => {
    const root = tempDir()
    makeSkill(join(root, 'zip'), 'zip')
    makeSkill(join(root, 'pdf'), 'pdf', {
      'scripts/read.py': 'print(1)\n',
      run: '#!/bin/sh\necho 1\n',
      'references/guide.md': 'x'.repeat(400),
      'assets/logo.png': 'PNG\0\0',
      '.git/config': 'ignored',
    })
    const result = await scan(personal(root))
    expect(names(result)).toEqual(['pdf', 'zip'])
    expect(result.state).toBe('found')
    expect(result.records[0]).toMatchObject({
      key: `personal:${join(root, 'pdf')}`,
      scope: 'personal',
      rootDir: join(root, 'pdf'),
      skillMd: join(root, 'pdf', 'SKILL.md'),
      location: '~/.satchel/skills/pdf',
      scripts: 2,
      files: 5,
      tokens: { body: 2, files: 100 },
      broken: false,
    })
  })

  it('looks into category folders and skills, but not into tool folders and below six levels', async () => {
    const root = tempDir()
    makeSkill(join(root, 'a', 'b', 'deep'), 'deep')
    makeSkill(join(root, 'outer'), 'outer')
    makeSkill(join(root, 'outer', 'inner'), 'inner')
    for (const skipped of ['.git', 'node_modules', '.venv']) makeSkill(join(root, skipped, 'x'), 'x')
    makeSkill(join(root, '1', '2', '3', '4', '5', 'six'), 'six')
    makeSkill(join(root, '1', '2', '3', '4', '5', '6', 'seven'), 'seven')
    write(join(root, 'SKILL.md'), '---\nname: root\ndescription: not one\n---\n')
    const result = await scan(personal(root))
    expect(names(result)).toEqual(['six', 'deep', 'outer', 'inner'])
    expect(result.note).toBe('Folders more than 6 levels down are not searched, as those in 1/2/3/4/5/6.')
    expect(result.records.map(({ parent }) => parent)).toEqual([null, null, null, result.records[2]!.key])
  })

  it.runIf(process.platform === 'linux')('lists a folder whose name is not UTF-8', async () => {
    const root = tempDir()
    makeSkill(join(root, 'good'), 'good')
    const bad = Buffer.concat([Buffer.from(`${root}/bad`), Buffer.from([0xff])])
    mkdirSync(bad)
    later(() => rmdirSync(bad))
    const result = await scan(personal(root))
    expect(result.records.map(({ folder, broken }) => [folder, broken])).toEqual([
      ['bad\ufffd', true],
      ['good', false],
    ])
    expect(result.records[0]?.brokenReason).toContain('is not UTF-8')
  })

  it.each(['skill.md', 'Skill.md', 'SKILL.MD'])('takes %s for SKILL.md, with a warning', async (file) => {
    const root = tempDir()
    write(join(root, 'pdf', file), '---\nname: pdf\ndescription: d\n---\nBody')
    const result = await scan(personal(root))
    expect(names(result)).toEqual(['pdf'])
    expect(codes(result)).toEqual(['skill-md-case'])
    expect(result.records[0]?.broken).toBe(false)
  })

  it('lists what it can not use with the reason, and everything else beside it', async () => {
    const root = tempDir()
    makeSkill(join(root, 'good'), 'good')
    write(join(root, 'empty', 'SKILL.md'), '')
    write(join(root, 'binary', 'SKILL.md'), Buffer.from('ELF\0\u0001 long enough to be no text'))
    write(join(root, 'huge', 'SKILL.md'), 'x'.repeat(2_000_000))
    write(join(root, 'open', 'SKILL.md'), '---\nname: open\n')
    write(join(root, 'yaml', 'SKILL.md'), '---\nname: "a\\[b"\n---\n')
    const bomb = `a: &a [x,x]\n${'bcdefghi'
      .split('')
      .map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefgh'[i]}`).join(',')}]`)
      .join('\n')}`
    write(join(root, 'bomb', 'SKILL.md'), `---\nname: bomb\ndescription: d\n${bomb}\n---\n`)
    const result = await scan(personal(root))
    expect(result.records.map((r) => [r.folder, r.broken, diagnosticsOf(r)[0]?.code])).toEqual([
      ['binary', true, 'binary'],
      ['bomb', true, 'yaml-limit'],
      ['empty', true, 'empty'],
      ['good', false, undefined],
      ['huge', true, 'too-large'],
      ['open', true, 'frontmatter-not-closed'],
      ['yaml', true, 'yaml-invalid'],
    ])
  })

  it('does not wait for a FIFO named SKILL.md, nor for one beside it', async () => {
    const root = tempDir()
    mkdirSync(join(root, 'pipe'))
    makeFifo(join(root, 'pipe', 'SKILL.md'))
    makeSkill(join(root, 'ok'), 'ok')
    makeFifo(join(root, 'ok', 'pipe'))
    const result = await scan(personal(root))
    expect(result.records.map((r) => [r.folder, r.broken])).toEqual([
      ['ok', false],
      ['pipe', true],
    ])
    expect(diagnosticsOf(result.records[0]!)[0]).toMatchObject({
      code: 'scripts-blocked',
      message: 'None of its scripts can run: "pipe" is a special file, not a file or folder.',
    })
    expect(diagnosticsOf(result.records[1]!)[0]?.message).toBe('SKILL.md is not a file but a special one.')
  })

  it('lists a folder that has the name of SKILL.md as broken, until a file is in its place', async () => {
    const root = tempDir()
    const skillMd = join(root, 'pdf', 'SKILL.md')
    mkdirSync(skillMd, { recursive: true })
    const scanned = scannerOf([personal(root)])
    await scanned.look()
    expect(scanned.records().map((r) => [r.folder, r.broken])).toEqual([['pdf', true]])
    expect(diagnosticsOf(scanned.records()[0]!)[0]?.message).toBe('SKILL.md is not a file but a special one.')
    rmdirSync(skillMd)
    makeSkill(join(root, 'pdf'), 'pdf')
    await scanned.look()
    expect(scanned.records().map((r) => [r.folder, r.broken])).toEqual([['pdf', false]])
  })

  it('says whether the root is missing, empty or not readable', async () => {
    const root = tempDir()
    expect((await scan(personal(join(root, 'none')))).state).toBe('missing')
    expect((await scan(personal(root))).state).toBe('empty')
    expect((await scan(personal(write(join(root, 'file'), 'x')))).state).toBe('unreadable')
  })

  it.runIf(process.platform !== 'win32')('lists a folder that may not be read, with the reason', async () => {
    const root = tempDir()
    makeSkill(join(root, 'good'), 'good')
    makeSkill(join(root, 'locked'), 'locked')
    chmodSync(root, 0o755)
    chmodSync(join(root, 'locked'), 0)
    const result = await asNobody(() => scan(personal(root)))
    expect(result.records.map((r) => [r.folder, r.broken, r.unread])).toEqual([
      ['good', false, false],
      ['locked', true, true],
    ])
    expect(codes(result)).toEqual(['unreadable'])
  })

  it('tells of 1,000 skills in parts, names first, and the second time of nothing', async () => {
    const root = tempDir()
    for (let at = 0; at < 1000; at++) {
      makeSkill(join(root, `skill-${at}`), `skill-${at}`, { 'run.sh': 'echo' })
    }
    const { look, records } = scannerOf([personal(root)])
    const first = await look()
    const listedAt = first.findIndex(({ listed }) => listed)
    expect(first[listedAt]?.complete).toBe(false)
    expect(first.slice(0, listedAt + 1).flatMap(({ upsert }) => upsert)).toHaveLength(1000)
    expect(Math.max(...first.map(({ upsert }) => upsert.length))).toBe(200)
    expect(first.at(-1)?.complete).toBe(true)
    expect(records().map(({ scripts }) => scripts)).toEqual(Array(1000).fill(1))
    expect(await look()).toEqual([])
  })

  it('takes a skill inside a skill for a part of it that can be called, as deep as all others', async () => {
    const root = tempDir()
    makeSkill(join(root, 'outer'), 'outer')
    makeSkill(join(root, 'outer', 'a', 'inner'), 'inner')
    makeSkill(join(root, 'outer', 'a', 'inner', 'core'), 'core')
    makeSkill(join(root, 'outer', '2', '3', '4', '5', '6', 'deep'), 'deep')
    const { look, records } = scannerOf([personal(root)])
    await look()
    const parents = () =>
      records().map(({ name, parent }) => [name, parent?.slice(parent.lastIndexOf('/') + 1)])
    expect(parents()).toEqual([
      ['outer', undefined],
      ['inner', 'outer'],
      ['core', 'inner'],
    ])
    rmSync(join(root, 'outer', 'a', 'inner'), { recursive: true })
    makeSkill(join(root, 'outer', 'b', 'next'), 'next')
    await look()
    expect(parents()).toEqual([
      ['outer', undefined],
      ['next', 'outer'],
    ])
  })

  it('finds skills among 60,000 files', async () => {
    const root = tempDir()
    for (let at = 0; at < 60_000; at++) closeSync(openSync(join(root, `f${at}`), 'w'))
    for (const name of ['a-first', 'z-last']) makeSkill(join(root, name), name)
    const result = await scan(personal(root))
    expect(names(result)).toEqual(['a-first', 'z-last'])
    expect(result.note).toBe('')
  })

  it('looks at the first 50,000 of more folders and links, and says so', async () => {
    const root = tempDir()
    const many = join(root, 'many')
    mkdirSync(many)
    for (let at = 0; at <= 50_000; at++) symlinkSync('nowhere', join(many, `l${at}`))
    expect(entriesOf(many)).toMatchObject({ cut: true, entries: { length: 50_000 } })
  })

  it('keeps apart folders whose names differ only by case or Unicode form', async () => {
    const root = tempDir()
    for (const name of ['pdf', 'PDF', 'caf\u00e9', 'cafe\u0301']) makeSkill(join(root, name), 'x')
    expect((await scan(personal(root))).records.map(({ folder }) => folder).sort()).toEqual(
      ['PDF', 'cafe\u0301', 'caf\u00e9', 'pdf'].sort(),
    )
  })

  it('takes a mounted folder for one skill under the name it is mounted as', async () => {
    const dir = makeSkill(join(tempDir(), 'pdf'), 'pdf')
    const result = await scan(rootFor(dir, { mountedAs: 'other', label: '~/src/pdf' }))
    expect(result.records).toMatchObject([
      { name: 'other', rootDir: dir, location: '~/src/pdf', folder: 'pdf' },
    ])
  })

  it('knows at once of a skill that is only for some places, however long its frontmatter is', async () => {
    const root = tempDir()
    const scope = 'scope:\n  environments: [production]\n'
    write(join(root, 'a', 'SKILL.md'), `---\nname: a\ndescription: d\n${scope}---\n`)
    write(join(root, 'b', 'SKILL.md'), `---\nname: b\ndescription: ${'x'.repeat(5000)}\n${scope}---\n`)
    for (let at = 0; at < 70; at++) makeSkill(join(root, `skill-${at}`), `skill-${at}`)
    const { look } = scannerOf([personal(root)])
    const parts = await look()
    const listed = parts.slice(0, parts.findIndex((part) => part.listed) + 1).flatMap(({ upsert }) => upsert)
    for (const name of ['a', 'b']) {
      expect(listed.find((record) => record.name === name)?.availableTo?.environments).toEqual(['production'])
    }
  })

  it('stops after 2,000 folders without a skill and says so', async () => {
    const root = tempDir()
    for (let at = 0; at < 2100; at++) mkdirSync(join(root, `d${at}`))
    const result = await scan(personal(root))
    expect(result.note).toBe('Only the first 2000 folders were searched.')
  })
})

describe('a second scan', () => {
  const changes: [string, (skill: string) => void][] = [
    [
      'an edit in place',
      (skill) => write(join(skill, 'SKILL.md'), '---\nname: pdf\ndescription: New.\n---\n'),
    ],
    [
      'a save by rename',
      (skill) => {
        write(join(skill, '.tmp'), '---\nname: pdf\ndescription: New.\n---\n')
        renameSync(join(skill, '.tmp'), join(skill, 'SKILL.md'))
      },
    ],
    ['a new script in a sub-folder', (skill) => write(join(skill, 'scripts', 'new.py'), 'x')],
    [
      'a replaced folder',
      (skill) => {
        renameSync(skill, `${skill}-old`)
        makeSkill(skill, 'pdf')
        writeFileSync(`${skill}-old/SKILL.md`, '')
      },
    ],
  ]
  it.each(changes)('sees %s and tells of that skill alone', async (_what, change) => {
    const root = tempDir()
    makeSkill(join(root, 'other'), 'other')
    const skill = makeSkill(join(root, 'pdf'), 'pdf', { 'scripts/old.py': 'x' })
    const { look, records } = scannerOf([personal(root)])
    await look()
    const before = records().find(({ folder }) => folder === 'pdf')!
    change(skill)
    const told = (await look()).flatMap(({ upsert }) => upsert)
    expect(told.map(({ folder }) => folder)).toContain('pdf')
    expect(told.map(({ folder }) => folder)).not.toContain('other')
    expect(told.find(({ folder }) => folder === 'pdf')?.stamp).not.toBe(before.stamp)
  })
})

/** Rights do not hold for root, so the test takes another user's for as long as it reads. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid!(65_534)
  const back = () => process.seteuid!(0)
  later(back)
  return work().finally(back)
}

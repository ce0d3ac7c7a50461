import { chmodSync, linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isScriptFile } from '../../../../src/main/skills/facts'
import type { SkillFacts } from '../../../../src/main/skills/facts'
import type { RootSpec } from '../../../../src/main/skills/record'
import { scanRoot } from '../../../../src/main/skills/scan'
import type { FactsCache, RootScan } from '../../../../src/main/skills/scan'
import { later, makeFifo, makeSkill, tempDir, write } from './support'

const noCache: FactsCache = { get: () => null }

function personal(dir: string): RootSpec {
  return {
    dir,
    scope: 'personal',
    sharedIn: null,
    projectDir: null,
    containIn: null,
    label: '~/.satchel/skills',
  }
}

function project(dir: string): RootSpec {
  return {
    dir: join(dir, 'skills'),
    scope: 'project',
    sharedIn: null,
    projectDir: dir,
    containIn: dir,
    label: 'work/skills',
  }
}

const scan = (spec: RootSpec, cache = noCache) => scanRoot(spec, cache, isScriptFile)
const names = ({ records }: RootScan) => records.map(({ name }) => name)
const codes = ({ records }: RootScan) => records.flatMap((r) => r.diagnostics.map(({ code }) => code))

function cacheOf(result: RootScan): FactsCache {
  const rows = new Map<string, { stamp: string; value: SkillFacts }>()
  for (const { skillMd, stamp, value } of result.fresh) rows.set(skillMd, { stamp, value })
  return { get: (skillMd) => rows.get(skillMd) ?? null }
}

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

  it('looks into category folders, but not into skills, tool folders and below six levels', async () => {
    const root = tempDir()
    makeSkill(join(root, 'a', 'b', 'deep'), 'deep')
    makeSkill(join(root, 'outer'), 'outer')
    makeSkill(join(root, 'outer', 'inner'), 'inner')
    for (const skipped of ['.git', 'node_modules', '.venv']) makeSkill(join(root, skipped, 'x'), 'x')
    makeSkill(join(root, '1', '2', '3', '4', '5', 'six'), 'six')
    makeSkill(join(root, '1', '2', '3', '4', '5', '6', 'seven'), 'seven')
    write(join(root, 'SKILL.md'), '---\nname: root\ndescription: not one\n---\n')
    expect(names(await scan(personal(root)))).toEqual(['six', 'deep', 'outer'])
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
    expect(result.records.map((r) => [r.folder, r.broken, r.diagnostics[0]?.code])).toEqual([
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
    expect(result.records[0]?.diagnostics[0]).toMatchObject({
      code: 'scripts-blocked',
      message: 'None of its scripts can run: "pipe" is a special file, not a file or folder.',
    })
    expect(result.records[1]?.diagnostics[0]?.message).toBe('SKILL.md is not a file but a special one.')
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

  it('reads 1,000 skills, and the second time none of them', async () => {
    const root = tempDir()
    for (let at = 0; at < 1000; at++)
      makeSkill(join(root, `skill-${at}`), `skill-${at}`, { 'run.sh': 'echo' })
    const first = await scan(personal(root))
    expect(first.records).toHaveLength(1000)
    expect(first.fresh).toHaveLength(1000)
    const second = await scan(personal(root), cacheOf(first))
    expect(second.fresh).toEqual([])
    expect(second.records).toEqual(first.records)
  })

  it('stops after 2,000 folders without a skill and says so', async () => {
    const root = tempDir()
    for (let at = 0; at < 2100; at++) mkdirSync(join(root, `d${at}`))
    const result = await scan(personal(root))
    expect(result.note).toBe('Only the first 2000 folders were searched.')
  })
})

describe('links', () => {
  it('to a skill are followed and name the real folder', async () => {
    const root = tempDir()
    const elsewhere = makeSkill(join(tempDir(), 'pdf'), 'pdf')
    symlinkSync(elsewhere, join(root, 'linked'))
    const result = await scan(personal(root))
    expect(result.records[0]).toMatchObject({
      rootDir: elsewhere,
      key: `personal:${elsewhere}`,
      location: '~/.satchel/skills/linked',
      folder: 'linked',
    })
  })

  it('to the same skill count once, and loops end', async () => {
    const root = tempDir()
    makeSkill(join(root, 'a', 'pdf'), 'pdf')
    symlinkSync(join(root, 'a', 'pdf'), join(root, 'b'))
    symlinkSync(root, join(root, 'a', 'loop'))
    symlinkSync('self', join(root, 'self'))
    const result = await scan(personal(root))
    expect(result.records.map((r) => [r.folder, r.broken])).toEqual([
      ['pdf', false],
      ['self', true],
    ])
  })

  it('that lead nowhere are listed with the reason', async () => {
    const root = tempDir()
    symlinkSync(join(root, 'gone'), join(root, 'pdf'))
    const result = await scan(personal(root))
    expect(result.records[0]).toMatchObject({ broken: true, unread: true, name: 'pdf' })
    expect(codes(result)).toEqual(['link-broken'])
  })

  it('out of a project are not followed; those inside are', async () => {
    const dir = tempDir()
    const outside = makeSkill(join(tempDir(), 'secret'), 'secret')
    makeSkill(join(dir, 'lib', 'pdf'), 'pdf')
    mkdirSync(join(dir, 'skills'))
    symlinkSync('../lib/pdf', join(dir, 'skills', 'pdf'))
    symlinkSync(outside, join(dir, 'skills', 'leak'))
    const result = await scan(project(dir))
    expect(result.records.map((r) => [r.name, r.broken, r.unread, r.description])).toEqual([
      ['leak', true, true, ''],
      ['pdf', false, false, 'Does pdf.'],
    ])
    expect(result.records[0]?.diagnostics[0]?.code).toBe('link-leaves-project')
    expect(JSON.stringify(result.records)).not.toContain('secret')
  })

  it('from a project to a folder beside it, whose name only starts the same, are not followed', async () => {
    const base = tempDir()
    const evil = makeSkill(join(base, 'work-evil', 'pdf'), 'pdf')
    mkdirSync(join(base, 'work', 'skills'), { recursive: true })
    symlinkSync(evil, join(base, 'work', 'skills', 'pdf'))
    expect(codes(await scan(project(join(base, 'work'))))).toEqual(['link-leaves-project'])
  })

  it('as a whole root out of the project are not read', async () => {
    const dir = tempDir()
    const outside = tempDir()
    makeSkill(join(outside, 'secret'), 'secret')
    symlinkSync(outside, join(dir, 'skills'))
    const result = await scan(project(dir))
    expect(result).toMatchObject({ state: 'unreadable', records: [] })
    expect(result.note).toContain('leaves the project')
  })

  it('in place of SKILL.md name the folder it really lies in, in a project only inside it', async () => {
    const real = makeSkill(join(tempDir(), 'pdf'), 'pdf')
    const root = tempDir()
    mkdirSync(join(root, 'pdf'))
    symlinkSync(join(real, 'SKILL.md'), join(root, 'pdf', 'SKILL.md'))
    expect((await scan(personal(root))).records[0]).toMatchObject({ rootDir: real, broken: false })

    const dir = tempDir()
    mkdirSync(join(dir, 'skills', 'pdf'), { recursive: true })
    symlinkSync(join(real, 'SKILL.md'), join(dir, 'skills', 'pdf', 'SKILL.md'))
    const result = await scan(project(dir))
    expect(result.records[0]).toMatchObject({ broken: true, unread: true, description: '' })
    expect(codes(result)).toEqual(['link-leaves-project'])
  })

  it('inside a skill that leave it block its scripts but not the skill', async () => {
    const root = tempDir()
    makeSkill(join(root, 'pdf'), 'pdf', { 'run.sh': 'echo' })
    symlinkSync('/etc/hostname', join(root, 'pdf', 'host'))
    const { records } = await scan(personal(root))
    expect(records[0]).toMatchObject({ broken: false })
    expect(records[0]?.diagnostics[0]?.message).toBe(
      'None of its scripts can run: "host" is a link that leaves the skill.',
    )
  })

  it('that are hard links to a file outside block its scripts, except for bundled skills', async () => {
    const root = tempDir()
    makeSkill(join(root, 'skills', 'pdf'), 'pdf')
    linkSync(write(join(root, 'secret'), 'x'), join(root, 'skills', 'pdf', 'stolen'))
    const spec = personal(join(root, 'skills'))
    expect(codes(await scan(spec))).toEqual(['scripts-blocked'])
    expect(codes(await scan({ ...spec, scope: 'bundled' }))).toEqual([])
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
  it.each(changes)('sees %s and reads only that skill', async (_what, change) => {
    const root = tempDir()
    makeSkill(join(root, 'other'), 'other')
    const skill = makeSkill(join(root, 'pdf'), 'pdf', { 'scripts/old.py': 'x' })
    const first = await scan(personal(root))
    change(skill)
    const second = await scan(personal(root), cacheOf(first))
    expect(second.fresh.map(({ skillMd }) => skillMd)).toContain(join(skill, 'SKILL.md'))
    expect(second.fresh.map(({ skillMd }) => skillMd)).not.toContain(join(root, 'other', 'SKILL.md'))
    const stamps = [first, second].map(({ records }) => records.find(({ folder }) => folder === 'pdf')?.stamp)
    expect(stamps[0]).not.toBe(stamps[1])
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

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gitOrigin } from '../../../../../src/main/skills/sources/git-source'
import { createMounts } from '../../../../../src/main/skills/sources/mounts'
import { removeSealed } from '../../../../../src/main/skills/store/snapshot-copy'
import { readSourcesFile } from '../../../../../src/main/skills/sources/sources'
import type { SkillSource } from '../../../../../src/main/skills/sources/sources'
import { later, makeSkill, tempDir, write } from '../support'
import { makeZip } from '../zip'

function place(sources: readonly SkillSource[] = []) {
  const homeDir = tempDir()
  const dataDir = join(homeDir, 'data')
  later(() => removeSealed(join(dataDir, 'sources')))
  return { homeDir, dataDir, sources }
}

const declare = (homeDir: string, content: unknown) =>
  write(
    join(homeDir, '.satchel/sources.json'),
    typeof content === 'string' ? content : JSON.stringify(content),
  )

function git(dir: string, ...args: string[]): string {
  const program = 'git'
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  const env = { PATH: process.env['PATH'], HOME: dir, GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync(program, [...identity, ...args], { cwd: dir, env, stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim()
}

function checkout(dir: string): string {
  mkdirSync(dir, { recursive: true })
  git(dir, 'init', '-q', '-b', 'main')
  return dir
}

function commit(dir: string): string {
  git(dir, 'add', '-A')
  git(dir, 'commit', '-q', '--allow-empty', '-m', 'x')
  return git(dir, 'rev-parse', 'HEAD')
}

describe('sources.json', () => {
  it('that is missing is no problem', () => {
    expect(readSourcesFile(tempDir())).toEqual({ sources: [], notes: [] })
  })

  it('names folders, checkouts and archives', () => {
    const { homeDir } = place()
    const sources = [
      { kind: 'folder', dir: '~/a', as: 'mine' },
      { kind: 'git', dir: '/b', subdir: 'c' },
      { kind: 'archive', file: '~/d.zip' },
    ]
    declare(homeDir, { version: 1, sources })
    expect(readSourcesFile(homeDir)).toEqual({ sources, notes: [] })
  })

  it.each([
    ['{', /^It can't be understood: .*\. None of its sources is used\.$/],
    ['[]', /^It must be \{"version": 1/],
    ['{"version": 2, "sources": []}', /^It must be/],
  ])('%s is a note, not a crash', (content, note) => {
    const { homeDir } = place()
    declare(homeDir, content)
    const read = readSourcesFile(homeDir)
    expect(read).toMatchObject({ sources: [], notes: [{ location: '~/.satchel/sources.json' }] })
    expect(read.notes[0]!.note).toMatch(note)
  })

  it('loses only the source that is wrong, and says which', () => {
    const { homeDir } = place()
    const good = { kind: 'folder', dir: '~/a' }
    declare(homeDir, {
      version: 1,
      sources: [{ kind: 'ftp' }, good, { kind: 'folder', dir: '~/b', as: 'No Name' }, { ...good, extra: 1 }],
    })
    const read = readSourcesFile(homeDir)
    expect(read.sources).toEqual([good])
    expect(read.notes.map(({ note }) => note)).toEqual([
      'Source 1 is left out: "kind" must be "folder", "git" or "archive".',
      'Source 3 is left out: "as" is no name for a skill: use lower-case letters, digits and single hyphens.',
      'Source 4 is left out: "extra" means nothing there.',
    ])
  })

  it.each<[unknown, string]>([
    [{}, '"kind" must be "folder", "git" or "archive".'],
    ['~/a', 'it must be {"kind": ..., ...}.'],
    [null, 'it must be {"kind": ..., ...}.'],
    [{ kind: 'folder' }, '"dir" is missing.'],
    [{ kind: 'folder', file: '~/a' }, '"dir" is missing.'],
    [{ kind: 'folder', dir: 7 }, '"dir" must be a text.'],
    [{ kind: 'archive', file: '' }, '"file" is empty.'],
    [{ kind: 'git', dir: 'x'.repeat(5000) }, '"dir" has more than 4096 characters.'],
    [{ kind: 'git', dir: '~/a', subdir: [] }, '"subdir" must be a text.'],
    [{ kind: 'folder', dir: '~/a', b: 1, c: 2 }, '"b" and "c" mean nothing there.'],
  ])('says in its own words what is wrong with %j', (source, reason) => {
    const { homeDir } = place()
    declare(homeDir, { version: 1, sources: [source] })
    expect(readSourcesFile(homeDir).notes.map(({ note }) => note)).toEqual([
      `Source 1 is left out: ${reason}`,
    ])
  })
})

describe('a mounted source', () => {
  const mounts = createMounts()

  it('that is a folder of skills counts as Personal, after the own folder', async () => {
    const input = place()
    makeSkill(join(input.homeDir, 'team/pdf'), 'pdf')
    const { specs, notes } = await mounts.prepare({ ...input, sources: [{ kind: 'folder', dir: '~/team' }] })
    expect(notes).toEqual([])
    expect(specs).toEqual([
      {
        dir: join(input.homeDir, 'team'),
        scope: 'personal',
        sharedIn: null,
        projectDir: null,
        containIn: null,
        label: '~/team',
        nearness: 1,
        readOnly: false,
        tool: null,
        plugin: null,
        mountedAs: null,
      },
    ])
  })

  it('that is a skill itself is called by its frontmatter, or by another name', async () => {
    const input = place()
    const dir = makeSkill(join(input.homeDir, 'folder'), 'pdf')
    const sources = [
      { kind: 'folder', dir },
      { kind: 'folder', dir, as: 'my-pdf' },
    ] as const
    const { specs } = await mounts.prepare({ ...input, sources })
    expect(specs.map(({ mountedAs }) => mountedAs)).toEqual(['pdf', 'my-pdf'])
  })

  it('from an archive or memory lies below the data folder, under its own or another name', async () => {
    const input = place()
    const files = { 'SKILL.md': '---\nname: mem\ndescription: x\n---\n' }
    writeFileSync(join(input.homeDir, 'a.skill'), makeZip([{ name: 'arch/SKILL.md', content: 'x' }]))
    const { specs, notes } = await mounts.prepare({
      ...input,
      sources: [
        { kind: 'archive', file: '~/a.skill' },
        { kind: 'archive', file: '~/a.skill', as: 'other' },
        { kind: 'memory', name: 'mem', files },
        { kind: 'memory', name: 'mem', files, as: 'remember' },
      ],
    })
    expect(notes).toEqual([])
    const below = specs.map(({ dir, label, mountedAs, readOnly }) => ({
      dir: dir.replace(/[0-9a-f]{64}/, 'hash').slice(input.dataDir.length),
      label,
      mountedAs,
      readOnly,
    }))
    expect(below).toEqual([
      { dir: '/sources/hash', label: '~/a.skill', mountedAs: null, readOnly: true },
      { dir: '/sources/hash/arch', label: '~/a.skill', mountedAs: 'other', readOnly: true },
      { dir: '/sources/hash', label: 'memory/mem', mountedAs: null, readOnly: true },
      { dir: '/sources/hash/mem', label: 'memory/mem', mountedAs: 'remember', readOnly: true },
    ])
  })

  it('of a program that embeds Satchel may be a bundled one', async () => {
    const input = place()
    mkdirSync(join(input.homeDir, 'shipped'))
    const { specs } = await mounts.prepare({ ...input, sources: [{ kind: 'bundled', dir: '~/shipped' }] })
    expect(specs).toMatchObject([{ scope: 'bundled', readOnly: true, label: '~/shipped' }])
  })

  it('that changes is unpacked again, and one that is damaged is said so until then', async () => {
    const input = { ...place(), sources: [{ kind: 'archive', file: '~/a.zip' }] as const }
    const file = join(input.homeDir, 'a.zip')
    const own = createMounts()
    expect((await own.prepare(input)).notes).toEqual([
      { location: '~/a.zip', note: 'There is no such file.' },
    ])
    writeFileSync(file, 'broken')
    expect((await own.prepare(input)).notes[0]?.note).toMatch(/is no ZIP archive/)
    expect((await own.prepare(input)).notes[0]?.note).toMatch(/is no ZIP archive/)
    writeFileSync(file, makeZip([{ name: 'one/SKILL.md', content: '1' }]))
    const one = await own.prepare(input)
    writeFileSync(file, makeZip([{ name: 'two/SKILL.md', content: '2' }]))
    utimesSync(file, 1, 1)
    const two = await own.prepare(input)
    expect([one, two].map(({ specs, notes }) => [specs.length, notes])).toEqual([
      [1, []],
      [1, []],
    ])
    expect(two.specs[0]!.dir).not.toBe(one.specs[0]!.dir)
    expect(await own.prepare(input)).toEqual(two)
  })

  it('whose unpacked copy was deleted is unpacked again', async () => {
    const input = { ...place(), sources: [{ kind: 'archive', file: '~/a.zip' }] as const }
    writeFileSync(join(input.homeDir, 'a.zip'), makeZip([{ name: 'one/SKILL.md', content: '1' }]))
    const before = await mounts.prepare(input)
    await removeSealed(before.specs[0]!.dir)
    expect(await mounts.prepare(input)).toEqual(before)
    rmSync(join(input.homeDir, 'a.zip'))
    expect((await mounts.prepare(input)).notes).toHaveLength(1)
  })

  it('that can not be unpacked because of the disk is not called damaged', async () => {
    const input = place()
    writeFileSync(join(input.homeDir, 'a.zip'), makeZip([{ name: 'one/SKILL.md', content: '1' }]))
    mkdirSync(input.dataDir)
    writeFileSync(join(input.dataDir, 'sources'), 'in the way')
    const { notes } = await createMounts().prepare({
      ...input,
      sources: [{ kind: 'archive', file: '~/a.zip' }],
    })
    expect(notes).toEqual([{ location: '~/a.zip', note: 'It can not be read.' }])
    rmSync(join(input.dataDir, 'sources'))
  })

  it.each<[SkillSource, string]>([
    [{ kind: 'folder', dir: '~/nothing' }, 'there is no such folder'],
    [{ kind: 'folder', dir: 'relative' }, 'its path must be absolute or start with ~/'],
    [{ kind: 'folder', dir: '~', as: 'x' }, 'its path must be absolute or start with ~/'],
    [{ kind: 'folder', dir: '~/empty', as: 'x' }, 'only one skill can have another name'],
    [{ kind: 'git', dir: '~/empty' }, 'the folder is no git checkout'],
    [{ kind: 'memory', name: 'x', files: { '../y': '' } }, 'leads out of it'],
    [{ kind: 'memory', name: 'x', files: {}, as: '../y' }, '"../y" is no name for a skill'],
  ])('that can not be used is a note: %j', async (source, note) => {
    const input = place()
    mkdirSync(join(input.homeDir, 'empty'))
    const mounted = await mounts.prepare({ ...input, sources: [source] })
    expect(mounted.specs).toEqual([])
    expect(mounted.notes[0]!.note).toContain(note)
  })
})

describe('a git checkout', () => {
  const mounts = createMounts()
  const dirsOf = async (source: SkillSource, homeDir: string) => {
    const { specs, notes } = await mounts.prepare({
      homeDir,
      dataDir: join(homeDir, 'data'),
      sources: [source],
    })
    const base = 'dir' in source ? source.dir : ''
    return { specs, notes, dirs: specs.map(({ dir, mountedAs }) => [dir.slice(base.length), mountedAs]) }
  }

  it('tells its remote without password, its branch and its commit', () => {
    const dir = checkout(join(tempDir(), 'repo'))
    expect(gitOrigin(dir)).toEqual({ url: null, ref: 'main', commit: null })
    const id = commit(dir)
    git(dir, 'remote', 'add', 'other', 'https://example.com/other.git')
    git(dir, 'remote', 'add', 'origin', 'https://ada:secret@example.com/skills.git')
    expect(gitOrigin(dir)).toEqual({ url: 'https://example.com/skills.git', ref: 'main', commit: id })
    git(dir, 'pack-refs', '--all')
    expect(gitOrigin(dir)?.commit).toBe(id)
    git(dir, 'checkout', '-q', '--detach')
    expect(gitOrigin(dir)).toMatchObject({ ref: null, commit: id })
  })

  it('tells the same from a worktree', () => {
    const dir = checkout(join(tempDir(), 'repo'))
    const id = commit(dir)
    git(dir, 'remote', 'add', 'origin', 'git@example.com:skills.git')
    git(dir, 'worktree', 'add', '-q', '-b', 'topic/x', '../tree')
    git(dir, 'pack-refs', '--all')
    expect(gitOrigin(join(dir, '../tree'))).toEqual({
      url: 'git@example.com:skills.git',
      ref: 'topic/x',
      commit: id,
    })
  })

  it.each([
    ['ref: refs/heads/../../../secret'],
    ['ref: refs/heads/main\nref: refs/heads/main'],
    ['nonsense'],
  ])('with HEAD %j has no commit, and nothing outside is read', (head) => {
    const dir = join(tempDir(), 'repo')
    write(join(dir, '.git/HEAD'), head)
    write(join(dir, '.git/refs/heads/main'), 'ref: refs/heads/main\n')
    write(join(dir, 'secret'), 'a'.repeat(40))
    expect(gitOrigin(dir)?.commit).toBeNull()
  })

  it('keeps its skills in the usual folders and in those its manifests name; the first place wins', async () => {
    const homeDir = tempDir()
    const dir = checkout(join(homeDir, 'repo'))
    for (const folder of ['skills/.curated', '.claude/skills', 'extra', 'other']) {
      makeSkill(join(dir, folder, 'pdf'), 'pdf')
    }
    write(
      join(dir, '.claude-plugin/plugin.json'),
      JSON.stringify({ name: 'p', skills: ['./extra', './other/pdf', '../out'] }),
    )
    commit(dir)
    const { dirs, specs } = await dirsOf({ kind: 'git', dir }, homeDir)
    expect(dirs).toEqual([
      ['/skills', null],
      ['/.claude/skills', null],
      ['/extra', null],
      ['/other/pdf', 'pdf'],
    ])
    expect(specs.map(({ nearness }) => nearness)).toEqual([1, 2, 3, 4])
    expect(
      specs.every(({ containIn, readOnly, scope }) => containIn === dir && readOnly && scope === 'personal'),
    ).toBe(true)
    expect(specs[0]!.label).toMatch(/^~\/repo \(main [0-9a-f]{7}\)\/skills$/)
  })

  it('without a usual folder is searched whole, and one that is a skill is that skill', async () => {
    const homeDir = tempDir()
    const dir = checkout(join(homeDir, 'repo'))
    makeSkill(join(dir, 'deep/down/pdf'), 'pdf')
    commit(dir)
    expect((await dirsOf({ kind: 'git', dir }, homeDir)).dirs).toEqual([['', null]])
    const sub = { kind: 'git', dir, subdir: 'deep/down/pdf' } as const
    expect((await dirsOf(sub, homeDir)).dirs).toEqual([['/deep/down/pdf', 'pdf']])
    expect((await dirsOf({ ...sub, as: 'mine' }, homeDir)).dirs).toEqual([['/deep/down/pdf', 'mine']])
  })

  it.each(['..', '../repository', 'missing', 'link'])('with the subdir %s is not used', async (subdir) => {
    const homeDir = tempDir()
    const dir = checkout(join(homeDir, 'repo'))
    mkdirSync(join(homeDir, 'repository'))
    symlinkSync(homeDir, join(dir, 'link'))
    const { specs, notes } = await dirsOf({ kind: 'git', dir, subdir }, homeDir)
    expect(specs).toEqual([])
    expect(notes[0]!.note).toContain('leads out of the checkout')
  })
})

import { linkSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { codes, diagnosticsOf, personal, project, scan, scannerOf } from './scan-support'
import { makeSkill, tempDir, write } from './support'

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

  it('may have any name: the folder that they lead to is the one that is named like the skill', async () => {
    const root = tempDir()
    symlinkSync(makeSkill(join(tempDir(), 'rr'), 'rr'), join(root, 'aaa'))
    symlinkSync(makeSkill(join(tempDir(), 'other'), 'pdf'), join(root, 'bbb'))
    const result = await scan(personal(root))
    expect(result.records.map(({ folder, name }) => [folder, name])).toEqual([
      ['aaa', 'rr'],
      ['bbb', 'pdf'],
    ])
    expect(codes(result).filter((code) => code === 'name-differs-from-folder')).toHaveLength(1)
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

  it('of two roots to one skill tell of it once, as long as one is left', async () => {
    const skill = makeSkill(join(tempDir(), 'pdf'), 'pdf')
    const [first, second] = [tempDir(), tempDir()]
    symlinkSync(skill, join(first, 'one'))
    symlinkSync(skill, join(second, 'two'))
    const { look, records } = scannerOf([personal(first), personal(second)])
    const folders = async () => {
      await look()
      return records().map(({ folder }) => folder)
    }
    expect(await folders()).toEqual(['one'])
    rmSync(join(first, 'one'))
    expect(await folders()).toEqual(['two'])
    symlinkSync(skill, join(first, 'one'))
    expect(await folders()).toEqual(['two'])
    rmSync(join(second, 'two'))
    expect(await folders()).toEqual(['one'])
    rmSync(join(first, 'one'))
    expect(await folders()).toEqual([])
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
    expect(diagnosticsOf(result.records[0]!)[0]?.code).toBe('link-leaves-project')
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
    expect(diagnosticsOf(records[0]!)[0]?.message).toBe(
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

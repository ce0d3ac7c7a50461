import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ScanInput } from '../../../../src/main/skills/roots/roots'
import type { SkillRecord } from '../../../../src/main/skills/record'
import type { ScanDelta } from '../../../../src/main/skills/scan/scan-contract'
import { createScanner } from '../../../../src/main/skills/scan/scanner'
import { scannerOf } from './scan-support'
import { later, makeSkill, rootFor, silentLog, tempDir, until, write } from './support'

/** A home with a project, looked at by itself only after events. */
async function home(prepare: (at: { home: string; work: string }) => void = () => {}) {
  const base = tempDir()
  const at = { home: join(base, 'home'), work: join(base, 'home', 'src', 'work') }
  mkdirSync(join(at.work, '.git'), { recursive: true })
  makeSkill(join(at.home, '.satchel', 'skills', 'own'), 'own')
  prepare(at)
  const records = new Map<string, SkillRecord>()
  const deltas: ScanDelta[] = []
  const scanner = createScanner({
    indexFile: null,
    watch: true,
    pollMs: 3_600_000,
    log: silentLog,
    onDelta(delta) {
      deltas.push(delta)
      for (const record of delta.upsert) records.set(record.key, record)
      for (const key of delta.remove) records.delete(key)
    },
  })
  later(() => scanner.close())
  const input: ScanInput = {
    homeDir: at.home,
    resourcesDir: join(base, 'resources'),
    dataDir: join(base, 'data'),
    policyDir: join(base, 'policy'),
    env: {},
    projects: [{ dir: at.work, trusted: true }],
    writableTools: [],
    sources: [],
  }
  scanner.configure(input)
  await scanner.refresh()
  const names = () => [...records.values()].map(({ name }) => name)
  const notes = () => deltas.findLast(({ roots }) => roots !== null)!.notes
  const roots = () => deltas.findLast((delta) => delta.roots !== null)!.roots!
  return {
    ...at,
    scanner,
    names,
    notes,
    roots,
    seen: (name: string) => until(name, () => names().includes(name)),
  }
}

const sources = (...list: object[]) => JSON.stringify({ version: 1, sources: list })
const installed = (dir: string) =>
  JSON.stringify({ version: 2, plugins: { 'kit@shop': [{ installPath: dir, scope: 'user' }] } })

describe('what decides about roots is seen as it changes', () => {
  it('a folder of another tool, in the home folder and in a project, whole or step by step', async () => {
    const at = await home()
    makeSkill(join(at.home, '.cursor', 'skills', 'whole'), 'whole')
    await at.seen('whole')
    mkdirSync(join(at.home, '.codeium'))
    await at.scanner.refresh()
    mkdirSync(join(at.home, '.codeium', 'windsurf'))
    await at.scanner.refresh()
    makeSkill(join(at.home, '.codeium', 'windsurf', 'skills', 'steps'), 'steps')
    await at.seen('steps')
    makeSkill(join(at.work, '.claude', 'skills', 'work'), 'work')
    await at.seen('work')
  })

  it('sources.json, made, changed and replaced, and an archive that it names', async () => {
    const at = await home()
    const file = join(at.home, '.satchel', 'sources.json')
    const team = join(at.home, 'team')
    makeSkill(join(team, 'one'), 'one')
    write(file, sources({ kind: 'folder', dir: '~/team' }))
    await at.seen('one')
    writeFileSync(
      `${file}.tmp`,
      sources({ kind: 'folder', dir: '~/later' }, { kind: 'archive', file: '~/a.zip' }),
    )
    renameSync(`${file}.tmp`, file)
    await until('one is gone', () => !at.names().includes('one'))
    makeSkill(join(at.home, 'later', 'two'), 'two')
    await at.seen('two')
    expect(at.notes().map(({ location }) => location)).toEqual(['~/a.zip'])
    writeFileSync(join(at.home, 'a.zip'), 'no archive')
    await until('another reason', () => at.notes()[0]?.note !== 'There is no such file.')
  })

  it('what comes after ~/.satchel went and came back, beside a skill whose SKILL.md is a link', async () => {
    const at = await home(({ home: dir }) => {
      write(join(dir, 'elsewhere', 'linked.md'), '---\nname: linked\ndescription: Linked.\n---\n')
      const skill = join(dir, '.satchel', 'skills', 'linked')
      mkdirSync(skill)
      symlinkSync(join(dir, 'elsewhere', 'linked.md'), join(skill, 'SKILL.md'))
    })
    const team = join(at.home, 'team')
    makeSkill(join(team, 'one'), 'one')
    renameSync(join(at.home, '.satchel'), join(at.home, 'away'))
    makeSkill(join(at.home, '.satchel', 'skills', 'back'), 'back')
    await at.seen('back')
    write(join(at.home, '.satchel', 'sources.json'), sources({ kind: 'folder', dir: '~/team' }))
    await at.seen('one')
    makeSkill(join(at.home, '.satchel', 'plugins', 'kit', 'skills', 'kit'), 'kit')
    await at.seen('kit')
  })

  it('a plugin put into ~/.satchel/plugins, and its manifest', async () => {
    const at = await home()
    makeSkill(join(at.home, '.satchel', 'plugins', 'kit', 'skills', 'kit'), 'kit')
    await at.seen('kit')
    makeSkill(join(at.home, '.satchel', 'plugins', 'box', 'skills', 'box'), 'box')
    await at.seen('box')
    rmSync(join(at.home, '.satchel', 'plugins', 'kit'), { recursive: true })
    await until('kit is gone', () => !at.names().includes('kit'))
  })

  it('the manifest of a plugin, changed in place and made later', async () => {
    const manifest = (skills: string) => JSON.stringify({ name: 'kit', skills })
    const at = await home(({ home: dir }) => {
      const kit = join(dir, '.satchel', 'plugins', 'kit')
      makeSkill(join(kit, 'more', 'extra'), 'extra')
      makeSkill(join(kit, 'skills', 'usual'), 'usual')
      makeSkill(join(dir, '.satchel', 'plugins', 'box', 'deep', 'boxed'), 'boxed')
      write(join(kit, '.claude-plugin', 'plugin.json'), manifest('./none'))
    })
    expect(at.names().toSorted()).toEqual(['own', 'usual'])
    writeFileSync(
      join(at.home, '.satchel', 'plugins', 'kit', '.claude-plugin', 'plugin.json'),
      manifest('./more'),
    )
    await at.seen('extra')
    write(join(at.home, '.satchel', 'plugins', 'box', '.claude-plugin', 'plugin.json'), manifest('./deep'))
    await at.seen('boxed')
  })

  it('the list of plugins that Claude Code installed, and its settings', async () => {
    const at = await home()
    const plugins = join(at.home, '.claude', 'plugins')
    makeSkill(join(plugins, 'repos', 'kit', 'skills', 'kit'), 'kit')
    write(join(plugins, 'installed_plugins.json'), installed(join(plugins, 'repos', 'kit')))
    await at.seen('kit')
    write(join(at.home, '.claude', 'settings.json'), '{"enabledPlugins": {"kit@shop": false}}')
    await until('kit is off', () => !at.names().includes('kit'))
  })

  it('a commit in a git checkout that is a source', async () => {
    const at = await home(({ home: dir }) => {
      const checkout = join(dir, 'team')
      makeSkill(join(checkout, 'skills', 'team'), 'team')
      write(join(checkout, '.git', 'HEAD'), 'ref: refs/heads/main\n')
      write(join(checkout, '.git', 'config'), '')
      write(join(dir, '.satchel', 'sources.json'), sources({ kind: 'git', dir: '~/team' }))
    })
    expect(at.names()).toContain('team')
    const label = () => at.roots().find(({ spec }) => spec.dir.endsWith('team/skills'))!.spec.label
    expect(label()).toContain('main')
    write(join(at.home, 'team', '.git', 'HEAD'), 'ref: refs/heads/next\n')
    await until('the other branch', () => label().includes('next'))
  })
})

describe('a SKILL.md that is a link', () => {
  const skillMd = (description: string) => `---\nname: pdf\ndescription: ${description}\n---\n`

  async function linked() {
    const base = tempDir()
    const target = write(join(base, 'texts', 'pdf.md'), skillMd('Old.'))
    const link = join(base, 'skills', 'pdf', 'SKILL.md')
    mkdirSync(join(base, 'skills', 'pdf'), { recursive: true })
    symlinkSync(target, link)
    const all = scannerOf([rootFor(join(base, 'skills'))], { watch: true, pollMs: 3_600_000 })
    await all.look()
    const record = () => all.records()[0]
    return { base, target, link, record, text: () => all.records()[0]?.description }
  }

  it('is read again when the file behind it changes, in place or by a rename', async () => {
    const { target, text } = await linked()
    expect(text()).toBe('Old.')
    writeFileSync(target, skillMd('In place.'))
    await until('in place', () => text() === 'In place.')
    writeFileSync(`${target}.tmp`, skillMd('Renamed.'))
    renameSync(`${target}.tmp`, target)
    await until('renamed', () => text() === 'Renamed.')
  })

  it('is followed when it leads elsewhere, to another SKILL.md too', async () => {
    const { base, link, text } = await linked()
    const other = write(join(base, 'other', 'SKILL.md'), skillMd('Other.'))
    rmSync(link)
    symlinkSync(other, link)
    await until('the other file', () => text() === 'Other.')
    writeFileSync(other, skillMd('Edited.'))
    await until('its edit', () => text() === 'Edited.')
    rmSync(link)
    symlinkSync(write(join(base, 'third.md'), skillMd('Third.')), link)
    await until('a third file', () => text() === 'Third.')
  })
  it('is read once what it leads to is there, and is broken again once that is gone', async () => {
    const { base, link, text, record } = await linked()
    rmSync(link)
    symlinkSync(join(base, 'late.md'), link)
    await until('the broken link', () => record()?.broken === true)
    rmSync(link)
    write(link, skillMd('A file.'))
    await until('the file', () => text() === 'A file.')
    rmSync(link)
    symlinkSync(write(join(base, 'late.md'), skillMd('Late.')), link)
    await until('the link', () => text() === 'Late.')
    rmSync(join(base, 'late.md'))
    await until('what it leads to is gone', () => record()?.broken === true)
  })
})

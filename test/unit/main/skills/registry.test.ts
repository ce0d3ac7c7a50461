import type { watch as fsWatch } from 'node:fs'
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRegistry } from '../../../../src/main/skills/registry'
import type { Registry, RegistryDeps } from '../../../../src/main/skills/registry'
import { later, makeSkill, openTestDb, silentLog, tempDir, until, write } from './support'

interface Setup {
  home: string
  project: string
  resources: string
  projects: { dir: string; trusted: boolean }[]
  registry: Registry
  changes: () => number
}

function setup(change: Partial<RegistryDeps> = {}, base = tempDir()): Setup {
  const [home, project, resources] = [join(base, 'home'), join(base, 'work'), join(base, 'resources')]
  for (const dir of [home, project, resources]) mkdirSync(dir, { recursive: true })
  const projects = [{ dir: project, trusted: true }]
  let changes = 0
  const registry = createRegistry({
    db: change.db ?? openTestDb(base),
    homeDir: home,
    resourcesDir: resources,
    projects: () => projects,
    projectOverPersonal: () => false,
    now: () => 0,
    log: silentLog,
    onChange: () => {
      changes += 1
    },
    // Far away, so that what a test sees came by watching.
    pollMs: 3_600_000,
    ...change,
  })
  later(() => registry.close())
  return { home, project, resources, projects, registry, changes: () => changes }
}

const listed = (registry: Registry, projectDir: string | null) =>
  registry.list(projectDir).map(({ record, status }) => `${record.name} ${record.location} ${status}`)

describe('the registry', () => {
  it('reads the five roots, ranks them as decided and shows where each copy lies', async () => {
    const { home, project, resources, registry } = setup()
    makeSkill(join(home, '.satchel/skills/pdf'), 'pdf')
    makeSkill(join(home, '.agents/skills/pdf'), 'pdf')
    makeSkill(join(project, '.satchel/skills/pdf'), 'pdf')
    makeSkill(join(project, '.agents/skills/zip'), 'zip')
    makeSkill(join(resources, 'skills/zip'), 'zip')
    await registry.refresh()
    expect(listed(registry, project)).toEqual([
      'pdf ~/.satchel/skills/pdf effective',
      'pdf ~/.agents/skills/pdf shadowed',
      'pdf work/.satchel/skills/pdf shadowed',
      'zip work/.agents/skills/zip effective',
      'zip Satchel/skills/zip shadowed',
    ])
    expect(listed(registry, null)).toEqual([
      'pdf ~/.satchel/skills/pdf effective',
      'pdf ~/.agents/skills/pdf shadowed',
      'zip Satchel/skills/zip effective',
    ])
    expect(registry.all()).toHaveLength(5)
    expect(registry.scanMs()).toBeGreaterThan(0)
  })

  it('keeps skills of an untrusted project inert until it is trusted', async () => {
    const { project, registry, projects } = setup()
    makeSkill(join(project, '.satchel/skills/pdf'), 'pdf')
    await registry.refresh()
    projects[0]!.trusted = false
    expect(listed(registry, project)).toEqual(['pdf work/.satchel/skills/pdf not-trusted'])
    expect(registry.resolve(project, 'pdf')).toMatchObject({ ok: false, code: 'not_trusted' })
    expect(registry.roots(project).find(({ scope }) => scope === 'project')?.state).toBe('not-trusted')
    projects[0]!.trusted = true
    expect(registry.resolve(project, 'pdf')).toMatchObject({ ok: true })
  })

  it('follows the setting that puts the project above the person at once', async () => {
    let over = false
    const { home, project, registry } = setup({ projectOverPersonal: () => over })
    makeSkill(join(home, '.satchel/skills/pdf'), 'pdf')
    makeSkill(join(project, '.satchel/skills/pdf'), 'pdf')
    await registry.refresh()
    const scope = () => registry.list(project).find(({ status }) => status === 'effective')?.record.scope
    expect(scope()).toBe('personal')
    over = true
    expect(scope()).toBe('project')
  })

  it('counts a folder that two roots reach once, in the higher', async () => {
    const { home, registry } = setup()
    makeSkill(join(home, '.satchel/skills/pdf'), 'pdf')
    mkdirSync(join(home, '.agents/skills'), { recursive: true })
    symlinkSync(join(home, '.satchel/skills/pdf'), join(home, '.agents/skills/pdf'))
    await registry.refresh()
    expect(listed(registry, null)).toEqual(['pdf ~/.satchel/skills/pdf effective'])
  })

  it('gives one copy by its key, and null for one that is gone', async () => {
    const { home, registry } = setup()
    const dir = makeSkill(join(home, '.satchel/skills/pdf'), 'pdf')
    await registry.refresh()
    expect(registry.get(null, `personal:${dir}`)?.record.name).toBe('pdf')
    rmSync(dir, { recursive: true })
    await registry.refresh()
    expect(registry.get(null, `personal:${dir}`)).toBeNull()
  })

  it('tells the state of every root', async () => {
    const { home, project, registry } = setup()
    makeSkill(join(home, '.satchel/skills/pdf'), 'pdf')
    mkdirSync(join(home, '.agents/skills'), { recursive: true })
    write(join(project, '.agents/skills'), 'a file in the way')
    await registry.refresh()
    expect(registry.roots(project)).toEqual([
      { scope: 'personal', location: '~/.satchel/skills', state: 'found', skills: 1 },
      { scope: 'shared', location: '~/.agents/skills', state: 'empty', skills: 0 },
      { scope: 'project', location: 'work/.satchel/skills', state: 'missing', skills: 0 },
      { scope: 'shared', location: 'work/.agents/skills', state: 'unreadable', skills: 0 },
      { scope: 'bundled', location: 'Satchel/skills', state: 'missing', skills: 0 },
    ])
  })

  it('shows the skills of a deleted project no more, and goes on', async () => {
    const { home, project, registry } = setup()
    makeSkill(join(project, '.satchel/skills/pdf'), 'pdf')
    makeSkill(join(home, '.satchel/skills/zip'), 'zip')
    await registry.refresh()
    rmSync(project, { recursive: true })
    await registry.refresh()
    expect(listed(registry, project)).toEqual(['zip ~/.satchel/skills/zip effective'])
  })

  it('starts from what it knew: unchanged skills are not read again, deleted and damaged rows are', async () => {
    const base = tempDir()
    const db = openTestDb(base)
    const first = setup({ db }, base)
    for (const name of ['pdf', 'zip', 'csv']) makeSkill(join(first.home, '.satchel/skills', name), name)
    await first.registry.refresh()
    first.registry.close()
    const rows = () =>
      db.sql.prepare('SELECT skill_md, record FROM skill_cache ORDER BY skill_md').all() as {
        skill_md: string
        record: string
      }[]
    expect(rows()).toHaveLength(3)
    db.sql.prepare("UPDATE skill_cache SET record = replace(record, 'Does pdf.', 'From the cache.')").run()
    db.sql.prepare("UPDATE skill_cache SET record = '{damaged' WHERE skill_md LIKE '%zip%'").run()
    rmSync(join(first.home, '.satchel/skills/csv'), { recursive: true })
    const second = setup({ db }, base)
    await second.registry.refresh()
    expect(second.registry.list(null).map(({ record }) => record.description)).toEqual([
      'From the cache.',
      'Does zip.',
    ])
    expect(rows()).toHaveLength(2)
  })

  it('says that something changed once for each change, and not when nothing did', async () => {
    const { home, registry, changes } = setup()
    makeSkill(join(home, '.satchel/skills/pdf'), 'pdf')
    await registry.refresh()
    expect(changes()).toBe(1)
    await Promise.all([registry.refresh(), registry.refresh()])
    expect(changes()).toBe(1)
    write(join(home, '.satchel/skills/pdf/more.md'), 'x')
    await registry.refresh()
    expect(changes()).toBe(2)
  })
})

describe('a change on disk is seen without being asked for', () => {
  const started = async (change: Partial<RegistryDeps> = {}) => {
    const all = setup(change)
    const root = join(all.home, '.satchel/skills')
    makeSkill(join(root, 'pdf'), 'pdf')
    await all.registry.refresh()
    return {
      ...all,
      root,
      skill: join(root, 'pdf'),
      text: () =>
        all.registry
          .list(null)
          .map(({ record }) => record.description)
          .join(),
    }
  }
  const skillMd = (description: string) => `---\nname: pdf\ndescription: ${description}\n---\n`

  it('a file written in place', async () => {
    const { skill, text } = await started()
    writeFileSync(join(skill, 'SKILL.md'), skillMd('New.'))
    await until('the new description', () => text() === 'New.')
  })

  it('a save by rename, twice', async () => {
    const { skill, text } = await started()
    for (const description of ['First.', 'Second.']) {
      writeFileSync(join(skill, 'SKILL.md.tmp'), skillMd(description))
      renameSync(join(skill, 'SKILL.md.tmp'), join(skill, 'SKILL.md'))
      await until(description, () => text() === description)
    }
  })

  it('a folder that was replaced, and edits in the new one', async () => {
    const { root, skill, text } = await started()
    makeSkill(join(root, '..', 'other'), 'pdf')
    renameSync(skill, join(root, '..', 'old'))
    renameSync(join(root, '..', 'other'), skill)
    writeFileSync(join(skill, 'SKILL.md'), skillMd('Replaced.'))
    await until('the replacement', () => text() === 'Replaced.')
    writeFileSync(join(skill, 'SKILL.md'), skillMd('Edited.'))
    await until('an edit in the replacement', () => text() === 'Edited.')
  })

  it('a new skill, edits in it, and its end', async () => {
    const { root, registry } = await started()
    const names = () =>
      registry
        .list(null)
        .map(({ record }) => record.name)
        .join()
    makeSkill(join(root, 'zip'), 'zip')
    await until('the new skill', () => names() === 'pdf,zip')
    makeSkill(join(root, 'zip'), 'zop')
    await until('its new name', () => names() === 'pdf,zop')
    rmSync(join(root, 'zip'), { recursive: true })
    await until('its end', () => names() === 'pdf')
  })

  it('a root that vanishes, and comes back', async () => {
    const { home, registry } = await started()
    const count = () => registry.list(null).length
    renameSync(join(home, '.satchel'), join(home, 'away'))
    await until('nothing', () => count() === 0)
    cpSync(join(home, 'away'), join(home, '.satchel'), { recursive: true })
    await until('the skill again', () => count() === 1)
  })

  it('a root that was never there before', async () => {
    const { project, registry } = await started()
    makeSkill(join(project, '.agents/skills/zip'), 'zip')
    await until('the project skill', () => registry.list(project).length === 2)
  })

  it('by looking regularly, where the system allows no more watches, and the roots say so', async () => {
    const watch = (() => {
      throw Object.assign(new Error('no more'), { code: 'ENOSPC' })
    }) as unknown as typeof fsWatch
    const { skill, text, registry } = await started({ watch, pollMs: 20 })
    expect(registry.roots(null)[0]?.note).toContain('Live updates are off for some folders')
    writeFileSync(join(skill, 'SKILL.md'), skillMd('New.'))
    await until('the new description', () => text() === 'New.')
  })

  it('but not after it was closed', async () => {
    const { skill, registry, text } = await started({ pollMs: 1 })
    registry.close()
    writeFileSync(join(skill, 'SKILL.md'), skillMd('New.'))
    await registry.refresh()
    expect(text()).toBe('Does pdf.')
  })
})

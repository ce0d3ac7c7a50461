import type { watch as fsWatch } from 'node:fs'
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { Registry } from '../../../../../src/main/skills/registry/registry'
import type { LocalRegistryOptions } from '../../../../helpers/registry'
import { localRegistry } from '../../../../helpers/registry'
import { later, makeSkill, tempDir, until, write } from '../support'

interface Setup {
  home: string
  project: string
  resources: string
  projects: { dir: string; trusted: boolean }[]
  registry: Registry
  changes: () => number
}

function setup(change: Pick<LocalRegistryOptions, 'scanner' | 'registry'> = {}, base = tempDir()): Setup {
  const [home, project, resources] = [join(base, 'home'), join(base, 'work'), join(base, 'resources')]
  for (const dir of [home, project, resources]) mkdirSync(dir, { recursive: true })
  const projects = [{ dir: project, trusted: true }]
  let changes = 0
  const registry = localRegistry({
    homeDir: home,
    resourcesDir: resources,
    projects: () => projects,
    scanner: change.scanner ?? {},
    registry: {
      onChange: () => {
        changes += 1
      },
      ...change.registry,
    },
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
    const { home, project, registry } = setup({ registry: { projectOverPersonal: () => over } })
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
      { scope: 'personal', location: '~/.satchel/skills', readOnly: false, state: 'found', skills: 1 },
      { scope: 'shared', location: '~/.agents/skills', readOnly: false, state: 'empty', skills: 0 },
      { scope: 'project', location: 'work/.satchel/skills', readOnly: false, state: 'missing', skills: 0 },
      { scope: 'shared', location: 'work/.agents/skills', readOnly: false, state: 'unreadable', skills: 0 },
      { scope: 'bundled', location: 'Satchel/skills', readOnly: true, state: 'missing', skills: 0 },
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
    const indexFile = join(base, 'data', 'scan.db')
    const first = setup({ scanner: { indexFile, now: later5s } }, base)
    for (const name of ['pdf', 'zip', 'csv']) makeSkill(join(first.home, '.satchel/skills', name), name)
    await first.registry.refresh()
    first.registry.close()
    await closed()
    const rows = inFile(indexFile, (sql) => sql.prepare('SELECT path FROM scan').all())
    expect(rows).toHaveLength(3)
    inFile(indexFile, (sql) => {
      sql.prepare("UPDATE scan SET facts = replace(facts, 'Does pdf.', 'From the index.')").run()
      sql.prepare("UPDATE scan SET facts = '{damaged' WHERE path LIKE '%zip%'").run()
    })
    rmSync(join(first.home, '.satchel/skills/csv'), { recursive: true })
    const second = setup({ scanner: { indexFile, now: later5s } }, base)
    await second.registry.refresh()
    expect(second.registry.list(null).map(({ record }) => record.description)).toEqual([
      'From the index.',
      'Does zip.',
    ])
    expect(inFile(indexFile, (sql) => sql.prepare('SELECT path FROM scan').all())).toHaveLength(2)
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

/** What was written a moment ago would be read once more. */
const later5s = () => Date.now() + 5000

/** A scanner closes its files once its last look has ended. */
const closed = () => new Promise<void>((done) => setImmediate(done))

function inFile<T>(file: string, work: (sql: Database.Database) => T): T {
  const sql = new Database(file)
  try {
    return work(sql)
  } finally {
    sql.close()
  }
}

describe('a change on disk is seen without being asked for', () => {
  const started = async (scanner: LocalRegistryOptions['scanner'] = {}) => {
    const all = setup({ scanner })
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
    const { skill, text, registry } = await started({ fsWatch: watch, pollMs: 20 })
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

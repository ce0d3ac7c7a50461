import { mkdirSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPlugins } from '../../../../../src/main/skills/roots/plugin-manifest'
import { pluginSpecs } from '../../../../../src/main/skills/roots/plugins'
import { makeSkill, tempDir, write } from '../support'

const json = (path: string, value: unknown) => write(path, JSON.stringify(value))
const CACHE = '.claude/plugins/cache/market/tools/1.0.0'

function input(env: Record<string, string> = {}, projects: string[] = []) {
  return { homeDir: tempDir(), env, projects: projects.map((dir) => ({ dir })) }
}

/** A plugin with one skill, as Claude Code keeps it. */
function cachedPlugin(homeDir: string, at = CACHE): string {
  const dir = join(homeDir, at)
  makeSkill(join(dir, 'skills/lint'), 'lint')
  json(join(dir, '.claude-plugin/plugin.json'), { name: 'tools' })
  return dir
}

const installed = (homeDir: string, value: unknown) =>
  json(join(homeDir, '.claude/plugins/installed_plugins.json'), value)

describe('plugins that Claude Code has installed', () => {
  it.each([
    ['version 1', (install: object) => ({ version: 1, plugins: { 'tools@market': install } })],
    [
      'version 2',
      (install: object) => ({ version: 2, plugins: { 'tools@market': [{ scope: 'user', ...install }] } }),
    ],
  ])('are read from %s of its list', (_, file) => {
    const given = input()
    const dir = cachedPlugin(given.homeDir)
    installed(given.homeDir, file({ installPath: dir, installedAt: '2026-01-02T03:04:05.000Z' }))
    expect(pluginSpecs(given)).toEqual({
      specs: [
        {
          dir: join(dir, 'skills'),
          scope: 'plugin',
          sharedIn: null,
          projectDir: null,
          containIn: dir,
          label: `~/${CACHE}/skills`,
          nearness: 0,
          readOnly: true,
          tool: null,
          plugin: { name: 'tools', installedAt: Date.UTC(2026, 0, 2, 3, 4, 5) },
          mountedAs: null,
        },
      ],
      notes: [],
    })
  })

  it('are found in the folder that CLAUDE_CONFIG_DIR names', () => {
    const elsewhere = tempDir()
    cachedPlugin(elsewhere, 'plugins/cache/market/tools/1.0.0')
    expect(pluginSpecs(input({ CLAUDE_CONFIG_DIR: elsewhere })).specs).toHaveLength(1)
  })

  it('for a project belong to that project, and to none that is not open', () => {
    const project = tempDir()
    const given = input({}, [project])
    const dir = cachedPlugin(given.homeDir)
    const install = (projectPath: string) => ({ scope: 'project', projectPath, installPath: dir })
    installed(given.homeDir, {
      version: 2,
      plugins: { 'tools@market': [install(project), install(tempDir())] },
    })
    expect(pluginSpecs(given).specs.map(({ projectDir }) => projectDir)).toEqual([project])
  })

  it('but turned off are left out', () => {
    const given = input()
    const dir = cachedPlugin(given.homeDir)
    installed(given.homeDir, { version: 1, plugins: { 'tools@market': { installPath: dir } } })
    json(join(given.homeDir, '.claude/settings.json'), { enabledPlugins: { 'tools@market': false } })
    expect(pluginSpecs(given)).toEqual({ specs: [], notes: [] })
  })

  it('outside its folder are refused with a note', () => {
    const given = input()
    const dir = cachedPlugin(given.homeDir, 'elsewhere')
    installed(given.homeDir, { version: 1, plugins: { 'tools@market': { installPath: dir } } })
    const { specs, notes } = pluginSpecs(given)
    expect(specs).toEqual([])
    expect(notes).toMatchObject(
      [{ location: '~/.claude/plugins/installed_plugins.json', note: /lies outside/ }].map(
        ({ location, note }) => ({ location, note: expect.stringMatching(note) as string }),
      ),
    )
  })

  it.each([['{'], ['[]'], ['{"plugins": 1}']])(
    'in a list that can not be read (%s) are a note',
    (content) => {
      const given = input()
      cachedPlugin(given.homeDir)
      write(join(given.homeDir, '.claude/plugins/installed_plugins.json'), content)
      const { specs, notes } = pluginSpecs(given)
      expect([specs.length, notes.length]).toEqual([0, 1])
    },
  )

  it('without a list are those of the cache, each in the version that came last', () => {
    const given = input()
    const old = cachedPlugin(given.homeDir)
    const recent = cachedPlugin(given.homeDir, '.claude/plugins/cache/market/tools/0.9.0')
    utimesSync(old, 1, 1)
    utimesSync(recent, 2, 2)
    expect(pluginSpecs(given).specs).toMatchObject([
      { dir: join(recent, 'skills'), plugin: { name: 'tools', installedAt: 2000 } },
    ])
  })

  it('copied with their whole marketplace bring only their own skills', () => {
    const given = input()
    const dir = join(given.homeDir, CACHE)
    for (const name of ['pdf', 'xlsx', 'art']) makeSkill(join(dir, 'skills', name), name)
    const entry = (name: string, skills: string[]) => ({ name, source: './', strict: false, skills })
    json(join(dir, '.claude-plugin/marketplace.json'), {
      name: 'market',
      plugins: [entry('documents', ['./skills/pdf', './skills/xlsx']), entry('tools', ['./skills/art'])],
    })
    installed(given.homeDir, { version: 1, plugins: { 'tools@market': { installPath: dir } } })
    expect(pluginSpecs(given).specs).toMatchObject([
      { dir: join(dir, 'skills/art'), mountedAs: 'art', plugin: { name: 'tools' } },
    ])
  })
})

describe("plugins in Satchel's own folder", () => {
  it('are plugins, marketplaces, and folders with nothing but skills', () => {
    const given = input()
    const base = join(given.homeDir, '.satchel/plugins')
    makeSkill(join(base, 'plain/skills/a'), 'a')
    makeSkill(join(base, 'named/skills/b'), 'b')
    json(join(base, 'named/.claude-plugin/plugin.json'), { name: 'Proper Name' })
    makeSkill(join(base, 'market/plugins/one/skills/c'), 'c')
    json(join(base, 'market/.claude-plugin/marketplace.json'), {
      metadata: { pluginRoot: './plugins' },
      plugins: [
        { name: 'one', source: 'one' },
        { name: 'far', source: { source: 'github', repo: 'x/y' } },
      ],
    })
    mkdirSync(join(base, 'empty'))
    const { specs, notes } = pluginSpecs(given)
    expect(notes).toEqual([])
    expect(specs.map(({ label, plugin }) => [label, plugin?.name])).toEqual([
      ['~/.satchel/plugins/market/plugins/one/skills', 'one'],
      ['~/.satchel/plugins/named/skills', 'Proper Name'],
      ['~/.satchel/plugins/plain/skills', 'plain'],
    ])
    expect(specs.every(({ plugin }) => (plugin?.installedAt ?? 0) > 0)).toBe(true)
  })
})

describe('a manifest', () => {
  const placesOf = (dir: string) => {
    const { plugins, notes } = readPlugins(dir, 'here')
    return { places: plugins.map(({ places }) => places.map((place) => place.slice(dir.length))), notes }
  }

  it.each([
    ['one more folder', './more', ['/skills', '/more']],
    ['a list', ['./more', './skills'], ['/skills', '/more']],
    ['a folder that is missing', './missing', ['/skills']],
    ['something else', 7, ['/skills']],
  ])('may name %s', (_, skills, places) => {
    const dir = tempDir()
    mkdirSync(join(dir, 'skills'))
    mkdirSync(join(dir, 'more'))
    json(join(dir, '.claude-plugin/plugin.json'), { name: 'x', skills })
    expect(placesOf(dir)).toEqual({ places: [places], notes: [] })
  })

  it.each(['..', '../other', '/etc', './more/../../other', './link'])(
    'that names %s is refused that path',
    (path) => {
      const base = tempDir()
      const dir = join(base, 'plugin')
      mkdirSync(join(dir, 'skills'), { recursive: true })
      mkdirSync(join(base, 'other'))
      symlinkSync(join(base, 'other'), join(dir, 'link'))
      json(join(dir, '.claude-plugin/plugin.json'), { name: 'x', skills: path })
      expect(placesOf(dir)).toEqual({
        places: [['/skills']],
        notes: [
          {
            location: 'here',
            note: `Its path ${JSON.stringify(path)} leads out of the plugin, so it is not read.`,
          },
        ],
      })
    },
  )

  it('does not make a plugin of a folder above it', () => {
    const base = tempDir()
    mkdirSync(join(base, 'market'))
    json(join(base, 'market/.claude-plugin/marketplace.json'), { plugins: [{ name: 'x', source: '../' }] })
    expect(readPlugins(join(base, 'market')).plugins).toEqual([])
  })

  it('that can not be read is a note, and its folder still counts', () => {
    const dir = tempDir()
    mkdirSync(join(dir, 'skills'))
    write(join(dir, '.claude-plugin/plugin.json'), '{')
    const { places, notes } = placesOf(dir)
    expect(places).toEqual([['/skills']])
    expect(notes).toMatchObject([{ location: 'here/.claude-plugin/plugin.json' }])
  })

  it('of a marketplace and of its plugin count together', () => {
    const dir = tempDir()
    for (const folder of ['one/skills', 'one/a', 'one/b']) mkdirSync(join(dir, folder), { recursive: true })
    json(join(dir, '.claude-plugin/marketplace.json'), {
      plugins: [{ name: 'one', source: './one', skills: './a' }],
    })
    json(join(dir, 'one/.claude-plugin/plugin.json'), { name: 'one', skills: ['./b'] })
    expect(placesOf(dir).places).toEqual([['/one/skills', '/one/a', '/one/b']])
  })
})

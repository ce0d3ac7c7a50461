import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toolIds } from '@shared/tool-ids'
import folders from '../../../../../resources/agent-folders.json' with { type: 'json' }
import {
  expand,
  homeFolders,
  projectFoldersOfTools,
} from '../../../../../src/main/skills/roots/agent-folders'

import { foldersUpToGitRoot } from '../../../../../src/main/skills/roots/project-folders'
import { rootSpecs } from '../../../../../src/main/skills/roots/roots'
import type { ScanInput } from '../../../../../src/main/skills/roots/roots'
import { tempDir, write } from '../support'

function input(change: Partial<ScanInput> = {}): ScanInput {
  const homeDir = change.homeDir ?? join(tempDir(), 'home')
  mkdirSync(homeDir, { recursive: true })
  return {
    homeDir,
    resourcesDir: join(homeDir, 'resources'),
    dataDir: join(homeDir, 'data'),
    policyDir: null,
    env: {},
    projects: [],
    writableTools: [],
    sources: [],
    ...change,
  }
}

const isRoot = process.getuid?.() === 0
const make = (...parts: string[]) => {
  const dir = join(...parts)
  mkdirSync(dir, { recursive: true })
  return dir
}
const labels = (given: ScanInput) => rootSpecs(given).specs.map(({ label }) => label)

describe('without anything on disk', () => {
  it("only Satchel's own folders and the common one are searched", () => {
    const given = input()
    const free = { projectDir: null, containIn: null, nearness: 0, tool: null, plugin: null, mountedAs: null }
    const at = { ...free, readOnly: false }
    expect(rootSpecs(given)).toEqual({
      specs: [
        {
          ...at,
          dir: join(given.homeDir, '.satchel/skills'),
          scope: 'personal',
          sharedIn: null,
          label: '~/.satchel/skills',
        },
        {
          ...at,
          dir: join(given.homeDir, '.agents/skills'),
          scope: 'shared',
          sharedIn: 'personal',
          label: '~/.agents/skills',
        },
        {
          ...at,
          dir: join(given.resourcesDir, 'skills'),
          scope: 'bundled',
          sharedIn: null,
          label: 'Satchel/skills',
          readOnly: true,
        },
      ],
      notes: [],
    })
  })
})

describe('folders of other tools at home', () => {
  it('are shared and read-only where they exist', () => {
    const given = input()
    make(given.homeDir, '.claude/skills')
    expect(rootSpecs(given).specs.slice(2, 3)).toMatchObject([
      {
        scope: 'shared',
        sharedIn: 'personal',
        label: '~/.claude/skills',
        readOnly: true,
        tool: { id: 'claude-code', name: 'Claude Code' },
      },
    ])
  })

  it('may be written once the person switched the tool on', () => {
    const given = input({ writableTools: ['claude-code'] })
    make(given.homeDir, '.claude/skills')
    make(given.homeDir, '.cursor/skills')
    const tools = rootSpecs(given).specs.filter(({ tool }) => tool !== null)
    expect(tools.map(({ tool, readOnly }) => [tool?.id, readOnly])).toEqual([
      ['claude-code', false],
      ['cursor', true],
    ])
  })

  it('that several tools use are there once, with the names of all, and writable for each', () => {
    const given = input({ writableTools: ['zenflow'] })
    make(given.homeDir, '.zencoder/skills')
    const tools = rootSpecs(given).specs.filter(({ tool }) => tool !== null)
    expect(tools).toMatchObject([{ tool: { id: 'zencoder', name: 'Zencoder and Zenflow' }, readOnly: false }])
  })

  it('that are links to a folder that is searched anyway are there once', () => {
    const given = input()
    make(given.homeDir, '.agents/skills')
    make(given.homeDir, '.claude')
    symlinkSync('../.agents/skills', join(given.homeDir, '.claude/skills'))
    expect(labels(given)).toEqual(['~/.satchel/skills', '~/.agents/skills', 'Satchel/skills'])
  })

  it.each([
    ['CLAUDE_CONFIG_DIR', '/skills', 'claude-code'],
    ['CODEX_HOME', '/skills', 'codex'],
    ['VIBE_HOME', '/skills', 'mistral-vibe'],
    ['XDG_CONFIG_HOME', '/goose/skills', 'goose'],
  ])('are found where %s says', (name, rest, id) => {
    const elsewhere = tempDir()
    const given = input({ env: { [name]: elsewhere } })
    make(elsewhere, rest)
    const found = rootSpecs(given).specs.filter(({ tool }) => tool?.id === id)
    expect(found).toMatchObject([{ dir: join(elsewhere, rest), label: join(elsewhere, rest) }])
  })

  it('a variable that is empty or relative is ignored', () => {
    const place = { homeDir: '/home/ada', env: { CODEX_HOME: 'relative', VIBE_HOME: ' ' } }
    expect(expand('${CODEX_HOME:-~/.codex}/skills', place)).toBe('/home/ada/.codex/skills')
    expect(expand('${VIBE_HOME:-~/.vibe}/skills', place)).toBe('/home/ada/.vibe/skills')
    expect(expand('~/.pi/agent/skills', place)).toBe('/home/ada/.pi/agent/skills')
  })
})

describe('the map of tools', () => {
  const map = new Map(folders.tools.map((tool) => [tool.id, tool]))

  it.each([
    ['amp', '.agents/skills', '${XDG_CONFIG_HOME:-~/.config}/agents/skills'],
    ['astrbot', 'data/skills', '~/.astrbot/data/skills'],
    ['claude-code', '.claude/skills', '${CLAUDE_CONFIG_DIR:-~/.claude}/skills'],
    ['codex', '.agents/skills', '${CODEX_HOME:-~/.codex}/skills'],
    ['cortex', '.cortex/skills', '~/.snowflake/cortex/skills'],
    ['crush', '.crush/skills', '~/.config/crush/skills'],
    ['devin', '.devin/skills', '${XDG_CONFIG_HOME:-~/.config}/devin/skills'],
    ['github-copilot', '.agents/skills', '~/.copilot/skills'],
    ['mux', '.mux/skills', '~/.mux/skills'],
    ['opencode', '.agents/skills', '${XDG_CONFIG_HOME:-~/.config}/opencode/skills'],
    ['openclaw', 'skills', '~/.openclaw/skills'],
    ['pi', '.pi/skills', '~/.pi/agent/skills'],
    ['qoder-cn', '.qoder/skills', '~/.qoder-cn/skills'],
    ['tabnine-cli', '.tabnine/agent/skills', '~/.tabnine/agent/skills'],
    ['windsurf', '.windsurf/skills', '~/.codeium/windsurf/skills'],
  ])('%s writes %s in a project and %s at home', (id, project, home) => {
    expect([map.get(id)?.project[0], map.get(id)?.home[0]]).toEqual([project, home])
  })

  it('has each tool once, with a date of verification and safe folders', () => {
    expect(new Set(toolIds()).size).toBe(73)
    for (const { project, home, verified } of folders.tools) {
      expect(verified).toMatch(/^20\d\d-\d\d-\d\d$/)
      expect(project.length).toBeGreaterThan(0)
      for (const dir of project) expect(dir).toMatch(/^(?!\/)(?!.*\.\.)[\w./-]+$/)
      for (const dir of home) expect(dir).toMatch(/^(?:~|\$\{[A-Z_]+:-~\/[\w.]+\})\/[\w./-]+$/)
    }
  })

  it('never names the common folder as one of a tool', () => {
    const place = { homeDir: '/home/ada', env: {} }
    expect(homeFolders(place).filter(({ dir }) => dir === '/home/ada/.agents/skills')).toEqual([])
    expect(projectFoldersOfTools().filter(({ dir }) => dir === '.agents/skills')).toEqual([])
  })
})

describe('a project', () => {
  const specsOf = (given: ScanInput) => rootSpecs(given).specs.filter(({ projectDir }) => projectDir !== null)

  it('outside a checkout brings only its own folders', () => {
    const given = input()
    const dir = make(given.homeDir, 'work/app')
    make(given.homeDir, 'work/.satchel/skills')
    make(dir, '.claude/skills')
    const found = specsOf({ ...given, projects: [{ dir, trusted: false }] })
    expect(found.map(({ label, scope, sharedIn }) => [label, scope, sharedIn])).toEqual([
      ['app/.satchel/skills', 'project', null],
      ['app/.agents/skills', 'shared', 'project'],
      ['app/.claude/skills', 'shared', 'project'],
    ])
    expect(
      found.every(
        ({ containIn, projectDir, nearness }) => containIn === dir && projectDir === dir && nearness === 0,
      ),
    ).toBe(true)
    expect(found.map(({ readOnly }) => readOnly)).toEqual([false, false, true])
  })

  it.each([
    ['a folder', (root: string) => make(root, '.git')],
    ['a file', (root: string) => write(join(root, '.git'), 'gitdir: /elsewhere\n')],
  ])('brings the folders above it up to the one where .git is %s, and nothing above', (_, init) => {
    const given = input()
    const root = make(given.homeDir, 'work/repo')
    const dir = make(root, 'packages/app')
    for (const at of ['work', 'work/repo', 'work/repo/packages']) make(given.homeDir, at, '.satchel/skills')
    make(root, '.claude/skills')
    init(root)
    const found = specsOf({ ...given, projects: [{ dir, trusted: true }] })
    expect(found.map(({ label, nearness }) => [label, nearness])).toEqual([
      ['app/.satchel/skills', 0],
      ['app/.agents/skills', 0],
      ['packages/.satchel/skills', 1],
      ['repo/.satchel/skills', 2],
      ['repo/.claude/skills', 2],
    ])
    expect(found.every(({ containIn, projectDir }) => containIn === root && projectDir === dir)).toBe(true)
  })

  it('that is the root of a checkout itself brings nothing from above', () => {
    const given = input()
    const dir = make(given.homeDir, 'outer/repo')
    make(given.homeDir, 'outer/.git')
    make(given.homeDir, 'outer/.satchel/skills')
    make(dir, '.git')
    expect(specsOf({ ...given, projects: [{ dir, trusted: true }] }).map(({ nearness }) => nearness)).toEqual(
      [0, 0],
    )
  })

  it('never brings the home folder, even if that is a checkout', () => {
    const given = input()
    const dir = make(given.homeDir, 'work/app')
    make(given.homeDir, '.git')
    make(given.homeDir, 'work/.satchel/skills')
    const found = specsOf({ ...given, projects: [{ dir, trusted: true }] })
    expect(found.map(({ label }) => label)).toEqual(['app/.satchel/skills', 'app/.agents/skills'])
    expect(found[0]!.containIn).toBe(dir)
  })

  it('brings nothing from a folder of another owner, nor from above it', () => {
    const root = make(tempDir(), 'common')
    const dir = make(root, 'theirs/app')
    make(root, '.git')
    const ownerOf = (path: string) => (path.endsWith('theirs') ? 2 : 1)
    expect(foldersUpToGitRoot(dir, '/home/ada', ownerOf)).toEqual([dir])
    expect(foldersUpToGitRoot(dir, '/home/ada')).toEqual([dir, join(root, 'theirs'), root])
  })

  it('that is gone still has its own folders, as missing ones', () => {
    const given = input()
    const dir = join(given.homeDir, 'gone')
    expect(specsOf({ ...given, projects: [{ dir, trusted: true }] })).toHaveLength(2)
  })
})

describe('the Enterprise folder', () => {
  it('is not there without a policy folder, or without skills in it', () => {
    const policyDir = tempDir()
    expect(labels(input({ policyDir }))).toHaveLength(3)
  })

  // Whoever runs the tests owns the folder: an administrator's it is only for root.
  it('is searched where root owns it, else it is not used and a note says so', () => {
    const policyDir = tempDir()
    make(policyDir, 'skills/deploy')
    const { specs, notes } = rootSpecs(input({ policyDir }))
    const found = specs.filter(({ scope }) => scope === 'enterprise')
    const spec = { dir: join(policyDir, 'skills'), label: join(policyDir, 'skills'), readOnly: true }
    expect(found).toMatchObject(isRoot ? [spec] : [])
    expect(notes).toHaveLength(isRoot ? 0 : 1)
  })

  it.each(['skills', 'skills/deploy'])('is not used when others may write %s, and says so', (path) => {
    const policyDir = tempDir()
    make(policyDir, 'skills/deploy')
    chmodSync(join(policyDir, path), 0o777)
    const { specs, notes } = rootSpecs(input({ policyDir }))
    expect(specs.filter(({ scope }) => scope === 'enterprise')).toEqual([])
    expect(notes).toMatchObject([{ location: join(policyDir, 'skills') }])
    const reason = isRoot
      ? `others than an administrator can write ${join(policyDir, path)}`
      : `${join(policyDir, 'skills')} belongs to somebody else than an administrator`
    expect(notes[0]!.note).toBe(
      `These Enterprise skills are not used, because ${reason}. An administrator must own the folder, and nobody else may write it.`,
    )
  })
})

it('sources stand between the own folders and the projects', () => {
  const given = input()
  const dir = make(given.homeDir, 'app')
  const own = rootSpecs(given).specs[0]!
  const mounted = { specs: [{ ...own, label: 'mounted' }], notes: [{ location: 'x', note: 'y' }] }
  const { specs, notes } = rootSpecs({ ...given, projects: [{ dir, trusted: true }] }, mounted)
  expect(specs.map(({ label }) => label)).toEqual([
    '~/.satchel/skills',
    '~/.agents/skills',
    'mounted',
    'app/.satchel/skills',
    'app/.agents/skills',
    'Satchel/skills',
  ])
  expect(notes).toEqual(mounted.notes)
})

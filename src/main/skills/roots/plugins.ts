import { readdirSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { expand, shownFromHome } from './agent-folders'
import { placeOf } from '../sources/git-places'
import { isFolder, realOrSelf, statOrNull } from '../scan/on-disk'
import { readPlugins } from './plugin-manifest'
import type { PluginFolder } from './plugin-manifest'
import type { RootSpec } from '../record'
import type { RootNote } from '../sources/sources'
import { readDataFile } from '../../lib/data-file'
import { isInside } from '../../lib/contain'

/** What plugins are looked for with; a part of `ScanInput`. */
export interface PluginInput {
  homeDir: string
  env: Readonly<Record<string, string | undefined>>
  projects: readonly { dir: string }[]
}

interface Installed {
  /** `name@marketplace`, or null for a folder below `~/.satchel/plugins`. */
  name: string | null
  dir: string
  /** Milliseconds since 1970. */
  installedAt: number
  /** The project it was installed for; null: everywhere. */
  projectDir: string | null
}

const MAX_FILE = 4 * 1024 * 1024

/**
 * The skill folders of plugins: those that Claude Code has installed (`installed_plugins.json`, versions 1 and 2; its
 * cache where that file is missing), without those it has turned off, and every folder of `~/.satchel/plugins`. A plugin
 * that was installed for a project belongs to that project only, and waits for its trust.
 */
export function pluginSpecs(input: PluginInput): { specs: RootSpec[]; notes: RootNote[] } {
  const claudeDir = expand('${CLAUDE_CONFIG_DIR:-~/.claude}', input)
  const claude = installedByClaude(claudeDir, input)
  const notes = [...claude.notes]
  const specs = [...claude.installed, ...ownPlugins(input.homeDir)].flatMap((installed) => {
    const found = readPlugins(installed.dir, shownFromHome(installed.dir, input.homeDir))
    notes.push(...found.notes)
    return chosen(found.plugins, installed).flatMap((plugin) => specsOf(plugin, installed, input))
  })
  return { specs, notes }
}

/** What says which plugins an installed folder holds, and where their skills are (`readPlugins`). */
export function pluginManifests(input: PluginInput): string[] {
  const claudeDir = expand('${CLAUDE_CONFIG_DIR:-~/.claude}', input)
  const all = [...installedByClaude(claudeDir, input).installed, ...ownPlugins(input.homeDir)]
  return all.flatMap(({ dir }) =>
    ['plugin.json', 'marketplace.json'].map((file) => join(dir, '.claude-plugin', file)),
  )
}

/** Of a marketplace that was copied whole, only the plugin that was installed. */
function chosen(plugins: readonly PluginFolder[], { name }: Installed): PluginFolder[] {
  if (name === null) return [...plugins]
  const named = plugins.filter((plugin) => plugin.name === name)
  return (named.length > 0 ? named : plugins.slice(0, 1)).map((plugin) => ({ ...plugin, name }))
}

function specsOf(plugin: PluginFolder, installed: Installed, { homeDir }: PluginInput): RootSpec[] {
  return plugin.places.map((place) => ({
    dir: place,
    scope: 'plugin',
    sharedIn: null,
    projectDir: installed.projectDir,
    containIn: realOrSelf(plugin.dir),
    label: shownFromHome(place, homeDir),
    nearness: 0,
    readOnly: true,
    tool: null,
    plugin: { name: plugin.name, installedAt: installed.installedAt },
    mountedAs: placeOf(place).handle,
  }))
}

function ownPlugins(homeDir: string): Installed[] {
  return foldersIn(join(homeDir, '.satchel', 'plugins')).map((dir) => {
    const stat = statOrNull(dir)
    return { name: null, dir, installedAt: stat?.birthtimeMs || (stat?.mtimeMs ?? 0), projectDir: null }
  })
}

const Install = z.object({
  installPath: z.string(),
  installedAt: z.string().optional().catch(undefined),
  scope: z.string().optional().catch(undefined),
  projectPath: z.string().optional().catch(undefined),
})
type Install = z.infer<typeof Install>
const InstalledFile = z.object({ plugins: z.record(z.string(), z.unknown()) })
const ClaudeSettings = z.object({ enabledPlugins: z.record(z.string(), z.unknown()).catch({}) })

function installedByClaude(
  claudeDir: string,
  input: PluginInput,
): { installed: Installed[]; notes: RootNote[] } {
  const pluginsDir = join(claudeDir, 'plugins')
  const path = join(pluginsDir, 'installed_plugins.json')
  const location = shownFromHome(path, input.homeDir)
  const file = readDataFile(path, MAX_FILE)
  if (file.state === 'missing') return { installed: cached(pluginsDir), notes: [] }
  if (file.state === 'broken') return { installed: [], notes: [{ location, note: file.reason }] }
  const listed = InstalledFile.safeParse(file.value)
  if (!listed.success) {
    return { installed: [], notes: [{ location, note: 'It does not list plugins as versions 1 and 2 do.' }] }
  }
  const off = turnedOff(claudeDir)
  const all = Object.entries(listed.data.plugins)
    .filter(([key]) => !off.has(key))
    .flatMap(([key, value]) => installsOf(value).map((install) => ({ key, install })))
  return accept(all, { pluginsDir, location, projects: input.projects })
}

interface Acceptance {
  pluginsDir: string
  location: string
  projects: PluginInput['projects']
}

function accept(
  all: readonly { key: string; install: Install }[],
  { pluginsDir, location, projects }: Acceptance,
): { installed: Installed[]; notes: RootNote[] } {
  const installed: Installed[] = []
  const notes: RootNote[] = []
  for (const { key, install } of all) {
    const dir = install.installPath
    const project = projectOf(install, projects)
    if (project === undefined || !isFolder(dir)) continue
    if (!isAbsolute(dir) || !isInside(realOrSelf(pluginsDir), realOrSelf(dir))) {
      const note = `The plugin ${key} lies outside ${pluginsDir}, so it is not read. Add its folder to ~/.satchel/plugins.`
      notes.push({ location, note })
      continue
    }
    const installedAt = Date.parse(install.installedAt ?? '') || 0
    installed.push({ name: key.replace(/@[^@]*$/, ''), dir, installedAt, projectDir: project })
  }
  return { installed, notes }
}

/** Undefined: it was installed for a project that is not open. */
function projectOf(install: Install, projects: PluginInput['projects']): string | null | undefined {
  const { projectPath, scope } = install
  if (scope !== 'project' && scope !== 'local') return null
  const dir = projectPath === undefined ? undefined : realOrSelf(projectPath)
  return projects.find((project) => project.dir === dir)?.dir
}

/** Version 1 has one installation of each plugin, version 2 a list. */
function installsOf(value: unknown): Install[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one) => {
    const install = Install.safeParse(one)
    return install.success ? [install.data] : []
  })
}

function turnedOff(claudeDir: string): Set<string> {
  const file = readDataFile(join(claudeDir, 'settings.json'), MAX_FILE)
  const settings = ClaudeSettings.safeParse(file.state === 'read' ? file.value : undefined)
  const enabled = settings.success ? settings.data.enabledPlugins : {}
  return new Set(Object.keys(enabled).filter((key) => enabled[key] === false))
}

/** `cache/<marketplace>/<plugin>/<version>`: of each plugin the version that came last. */
function cached(pluginsDir: string): Installed[] {
  const plugins = foldersIn(join(pluginsDir, 'cache')).flatMap(foldersIn)
  return plugins.flatMap((dir) => {
    const versions = foldersIn(dir).map((version) => ({
      name: dir.split(/[\\/]/).at(-1)!,
      dir: version,
      installedAt: statOrNull(version)?.mtimeMs ?? 0,
      projectDir: null,
    }))
    return versions.sort((a, b) => b.installedAt - a.installedAt).slice(0, 1)
  })
}

/** In path order; nothing where there is no such folder. */
function foldersIn(dir: string): string[] {
  try {
    return readdirSync(dir)
      .sort()
      .map((name) => join(dir, name))
      .filter(isFolder)
  } catch {
    return [] // missing or unreadable: there are no plugins
  }
}

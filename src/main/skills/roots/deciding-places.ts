import { join } from 'node:path'
import { expand, homeFolders, projectFoldersOfTools } from './agent-folders'
import { isFolder, realOrSelf } from '../scan/on-disk'
import { pluginManifests } from './plugins'
import { foldersUpToGitRoot } from './project-folders'
import type { ScanInput } from './roots'
import { readSourcesFile } from '../sources/sources'
import type { SkillSource } from '../sources/sources'

/** What else than the roots decides which roots there are. */
export interface DecidingPlaces {
  /** Files, and folders that may appear. The most important first. */
  names: string[]
  /** Folders of which every entry counts. */
  folders: string[]
}

/**
 * Sources, plugins and their manifests, the Enterprise folder, and folders of other tools that are not there yet: what changes, comes or goes
 * at these places asks for a look (F7). Looks at the disk each time.
 */
export function decidingPlaces(input: ScanInput): DecidingPlaces {
  const { homeDir, policyDir } = input
  const claude = expand('${CLAUDE_CONFIG_DIR:-~/.claude}', input)
  const plugins = join(homeDir, '.satchel', 'plugins')
  return {
    names: [
      join(homeDir, '.satchel', 'sources.json'),
      ...(policyDir === null ? [] : [join(policyDir, 'skills')]),
      join(claude, 'plugins', 'installed_plugins.json'),
      join(claude, 'settings.json'),
      ...sourcePlaces(input),
      ...pluginManifests(input),
      ...toolFolders(input).filter((dir) => !isFolder(dir)),
    ],
    folders: [plugins, join(claude, 'plugins', 'cache')],
  }
}

function sourcePlaces({ homeDir, sources }: ScanInput): string[] {
  const atHome = (path: string) => (path.startsWith('~/') ? join(homeDir, path.slice(2)) : path)
  const placesOf = (source: SkillSource): string[] => {
    if (source.kind === 'archive') return [atHome(source.file)]
    if (source.kind === 'memory') return []
    const dir = atHome(source.dir)
    // A checkout of another branch, and every commit, is written there.
    if (source.kind === 'git') return [join(dir, '.git', 'HEAD'), join(dir, '.git', 'logs', 'HEAD')]
    return isFolder(dir) ? [] : [dir]
  }
  return [...sources, ...readSourcesFile(homeDir).sources].flatMap(placesOf)
}

function toolFolders(input: ScanInput): string[] {
  const above = realOrSelf(input.homeDir)
  const inProjects = input.projects.flatMap(({ dir }) =>
    foldersUpToGitRoot(dir, above).flatMap((at) => projectFoldersOfTools().map((tool) => join(at, tool.dir))),
  )
  return [...homeFolders(input).map(({ dir }) => dir), ...inProjects]
}

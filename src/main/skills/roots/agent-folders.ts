import { isAbsolute, join } from 'node:path'
import folders from '../../../../resources/agent-folders.json' with { type: 'json' }

/** A folder in which other tools keep skills. */
export interface ToolFolder {
  /** The first tool that uses it, with the names of all: "Zencoder and Zenflow". */
  tool: { id: string; name: string }
  /** Ids of all tools that use it. */
  ids: string[]
  /** Absolute for a folder in the home folder; below the project, with /, for one in a project. */
  dir: string
  /** How it is shown: from ~ on, or below the project. */
  label: string
}

export interface HomePlace {
  homeDir: string
  env: Readonly<Record<string, string | undefined>>
}

/** The folder that many tools share (`format.md` 1); Satchel reads and writes it as its own. */
export const COMMON_FOLDER = '.agents/skills'

/**
 * The folders of other tools in the home folder, each once, whether they exist or not. A variable of a tool that names
 * another folder (`CLAUDE_CONFIG_DIR`, `XDG_CONFIG_HOME` ...) counts when it is an absolute path.
 */
export function homeFolders(place: HomePlace): ToolFolder[] {
  const own = join(place.homeDir, COMMON_FOLDER)
  const all = folders.tools.flatMap(({ id, name, home }) =>
    home.map((pattern) => ({ id, name, dir: expand(pattern, place) })),
  )
  return merged(all.filter(({ dir }) => dir !== own)).map((folder) => ({
    ...folder,
    label: shownFromHome(folder.dir, place.homeDir),
  }))
}

/** The same inside a project, relative to it. */
export function projectFoldersOfTools(): readonly ToolFolder[] {
  return PROJECT_FOLDERS
}

/** `${NAME:-default}/rest` of the map as a path: what the variable names, else the default; ~ is the home folder. */
export function expand(pattern: string, { homeDir, env }: HomePlace): string {
  const [, name = '', fallback = '', rest = ''] = /^\$\{(\w+):-([^}]*)\}(.*)$/.exec(pattern) ?? []
  const named = env[name]?.trim() ?? ''
  const start = isAbsolute(named) ? named : fallback
  const path = name === '' ? pattern : `${start}${rest}`
  return path.startsWith('~') ? join(homeDir, path.slice(1)) : join(path)
}

/** A path as it is shown: from ~ on where it lies in the home folder, always with /. */
export function shownFromHome(path: string, homeDir: string): string {
  const inside = path.startsWith(`${homeDir}/`) || path.startsWith(`${homeDir}\\`)
  return (inside ? `~${path.slice(homeDir.length)}` : path).replaceAll('\\', '/')
}

interface Use {
  id: string
  name: string
  dir: string
}

function merged(uses: readonly Use[]): Omit<ToolFolder, 'label'>[] {
  const byDir = new Map<string, Use[]>()
  for (const use of uses) byDir.set(use.dir, [...(byDir.get(use.dir) ?? []), use])
  return [...byDir].map(([dir, users]) => ({
    dir,
    ids: users.map(({ id }) => id),
    tool: { id: users[0]!.id, name: namesOf(users) },
  }))
}

function namesOf(users: readonly Use[]): string {
  const names = users.map(({ name }) => name)
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`
}

/** Worked out once: a look at the disk asks for them for every folder of every project. */
const PROJECT_FOLDERS: readonly ToolFolder[] = merged(
  folders.tools.flatMap(({ id, name, project }) => project.map((dir) => ({ id, name, dir }))),
)
  .filter(({ dir }) => dir !== COMMON_FOLDER)
  .map((folder) => ({ ...folder, label: folder.dir }))

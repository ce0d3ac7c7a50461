import { basename, join } from 'node:path'
import { COMMON_FOLDER, homeFolders, projectFoldersOfTools } from './agent-folders'
import type { ToolFolder } from './agent-folders'
import type { Mounted } from '../sources/mounts'
import type { ProgramTable } from '../registry/check-environment'
import { isFolder, realOrSelf } from '../scan/on-disk'
import { pluginSpecs } from './plugins'
import { foldersUpToGitRoot } from './project-folders'
import type { RootSpec } from '../record'
import type { RootNote, SkillSource } from '../sources/sources'
import { whyFolderNotAdmins } from '../../lib/admin-owned'

/** A folder that a person opened. */
export interface ProjectFolder {
  /** A real path. */
  dir: string
  trusted: boolean
}

/** Everything that says where skills are. Plain data: it crosses to the worker. */
export interface ScanInput {
  /** Personal skills and the shared folders of the person's tools are under it. */
  homeDir: string
  /** Holds `skills/`, the bundled ones. */
  resourcesDir: string
  /** Archives and skills from memory are unpacked below its `sources/`. */
  dataDir: string
  /** Holds `skills/`, the Enterprise scope; null: there is none. */
  policyDir: string | null
  env: Readonly<Record<string, string | undefined>>
  /** Left out: programs are on the PATH of `env`. */
  programs?: ProgramTable
  projects: readonly ProjectFolder[]
  /** Ids of tools whose folders may be written. */
  writableTools: readonly string[]
  /** Declared by the program; those of `~/.satchel/sources.json` come on top. */
  sources: readonly SkillSource[]
}

export interface Roots {
  /** Every folder that is searched for skills. */
  specs: RootSpec[]
  /** What was not used, and why. */
  notes: RootNote[]
}

type Place = Pick<RootSpec, 'projectDir' | 'containIn' | 'nearness'>

const FREE: Place = { projectDir: null, containIn: null, nearness: 0 }
const PLAIN = { sharedIn: null, tool: null, plugin: null, mountedAs: null } as const

/**
 * Every folder that is searched for skills (`product.md`, decision 1; `management.md` 1.1), in the order of the scopes.
 * `mounted` are the sources, made ready by `createMounts`. Folders of other tools are only listed where they exist, and
 * once, whatever number of tools uses them. Looks at the disk each time: a few hundred stat calls.
 */
export function rootSpecs(input: ScanInput, mounted: Mounted = { specs: [], notes: [] }): Roots {
  const enterprise = enterpriseSpecs(input.policyDir)
  const plugins = pluginSpecs(input)
  const bundled = join(input.resourcesDir, 'skills')
  return {
    specs: [
      ...enterprise.specs,
      ...personalSpecs(input),
      ...mounted.specs,
      ...input.projects.flatMap(({ dir }) => projectSpecs(dir, input)),
      ...plugins.specs,
      { ...FREE, ...PLAIN, dir: bundled, scope: 'bundled', label: 'Satchel/skills', readOnly: true },
    ],
    notes: [...enterprise.notes, ...mounted.notes, ...plugins.notes],
  }
}

/** The Enterprise scope: an administrator's folder, else it is not used and said so (`security.md` 4.2). */
function enterpriseSpecs(policyDir: string | null): Roots {
  const dir = policyDir === null ? null : join(policyDir, 'skills')
  if (dir === null || !isFolder(dir)) return { specs: [], notes: [] }
  const reason = whyFolderNotAdmins(dir)
  if (reason !== null) {
    const note = `These Enterprise skills are not used, because ${reason}. An administrator must own the folder, and nobody else may write it.`
    return { specs: [], notes: [{ location: dir, note }] }
  }
  return { specs: [{ ...FREE, ...PLAIN, dir, scope: 'enterprise', label: dir, readOnly: true }], notes: [] }
}

function personalSpecs(input: ScanInput): RootSpec[] {
  const own = ownSpecs(input.homeDir, '~', FREE)
  const tools = homeFolders(input).map((folder) => toolSpec(folder, { ...folder, place: FREE }, input))
  return [...own, ...existing(tools, own)]
}

/** Satchel's own folder and the common one; also where they are missing, so that people see where to put a skill. */
function ownSpecs(above: string, label: string, place: Place): RootSpec[] {
  const scope = place.projectDir === null ? 'personal' : 'project'
  const own = { ...place, ...PLAIN, readOnly: false }
  return [
    { ...own, dir: join(above, '.satchel', 'skills'), scope, label: `${label}/.satchel/skills` },
    {
      ...own,
      dir: join(above, COMMON_FOLDER),
      scope: 'shared',
      sharedIn: scope,
      label: `${label}/${COMMON_FOLDER}`,
    },
  ]
}

function toolSpec(
  { tool, ids }: ToolFolder,
  at: { dir: string; label: string; place: Place },
  { writableTools }: ScanInput,
): RootSpec {
  return {
    ...at.place,
    ...PLAIN,
    dir: at.dir,
    label: at.label,
    scope: 'shared',
    sharedIn: at.place.projectDir === null ? 'personal' : 'project',
    readOnly: !ids.some((id) => writableTools.includes(id)),
    tool,
  }
}

/** Those that exist and are not reached by an earlier root, by a link for example. */
function existing(specs: readonly RootSpec[], known: readonly RootSpec[]): RootSpec[] {
  const seen = new Set(known.map(({ dir }) => realOrSelf(dir)))
  return specs.filter(({ dir }) => {
    if (!isFolder(dir)) return false
    const real = realOrSelf(dir)
    if (seen.has(real)) return false
    seen.add(real)
    return true
  })
}

/** The project's own folders, then those of the folders above it up to the root of its git checkout. */
function projectSpecs(projectDir: string, input: ScanInput): RootSpec[] {
  const dirs = foldersUpToGitRoot(projectDir, realOrSelf(input.homeDir))
  const containIn = realOrSelf(dirs.at(-1)!)
  return dirs.flatMap((dir, nearness) => {
    const place = { projectDir, containIn, nearness }
    const label = basename(dir)
    const own = ownSpecs(dir, label, place)
    const tools = projectFoldersOfTools()
      .filter((folder) => isFolder(join(dir, folder.dir)))
      .map((folder) =>
        toolSpec(folder, { dir: join(dir, folder.dir), label: `${label}/${folder.label}`, place }, input),
      )
    return nearness === 0 ? [...own, ...existing(tools, own)] : existing([...own, ...tools], [])
  })
}

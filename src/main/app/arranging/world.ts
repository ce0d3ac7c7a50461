import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import type { ArrangeEffect, SkillPlace } from '@shared/domain/arranging'
import { PROJECT_NOT_TRUSTED } from '@shared/arrange-words'
import type { Arrange, ArrangingDeps } from '../../arranging/service'
import { projectShown, shownBelow } from '../../arranging/look'
import type { Wanted } from '../../arranging/look'
import type { SkillFacts } from '../../arranging/plan'
import { effectsOf, futureRecord } from './effects'
import { isInside } from '../../lib/contain'
import { COMMON_FOLDER } from '../../skills/roots/agent-folders'
import type { SkillRecord } from '../../skills/record'
import type { Registry } from '../../skills/registry/registry'
import { hashTree, MAX_TREE_FILES } from '../../skills/store/snapshot-copy'
import { listTree } from '../../skills/store/tree'
import { treeDigest } from '../../skills/store/tree-digest'

export interface ArrangeWorldDeps {
  registry: Pick<Registry, 'all' | 'get' | 'rules'>
  homeDir: string
  isTrusted(projectDir: string): boolean
  /** Who manages Enterprise skills. */
  organisation(): string
}

type World = Pick<ArrangingDeps, 'skill' | 'holding' | 'place' | 'former' | 'effects' | 'digestOf'>

/** What arranging needs to know about skills and the folders that they lie in. */
export function createArrangeWorld(deps: ArrangeWorldDeps): World {
  const find = (projectDir: string | null, key: string) => deps.registry.get(projectDir, key)?.record ?? null
  return {
    skill(projectDir, key) {
      const record = find(projectDir, key)
      return record && skillFacts(deps, record)
    },
    holding(projectDir, key) {
      const record = find(projectDir, key)
      return record && holding(deps, record)
    },
    place: (projectDir, place) => placeOf(deps, projectDir, place)?.wanted ?? null,
    former: (path) => {
      const dir = dirname(path)
      const shown = shownBelow([{ dir: deps.homeDir, shown: '~' }], dir)
      return { dir, label: shown, shown, noLinksBelow: null, refusal: null }
    },
    effects: (input) => effects(deps, input),
    digestOf: digestOnDisk,
  }
}

/** Digest of the skill in a folder (`approvals.md` 8); null when it can't be read. */
async function digestOnDisk(dir: string): Promise<string | null> {
  try {
    const real = realpathSync(dir)
    const { files, cut } = listTree(real, { maxFiles: MAX_TREE_FILES, allowHardLinks: true })
    return cut ? null : treeDigest(await hashTree(files))
  } catch {
    return null // gone, or closed to us
  }
}

function skillFacts(deps: ArrangeWorldDeps, record: SkillRecord): SkillFacts {
  const { key, name, rootDir, location } = record
  const notCopied = whyNotCopied(deps, record)
  return {
    key,
    name,
    path: rootDir,
    shown: location,
    locked: whyLocked(deps, record) ?? notCopied,
    notCopied,
  }
}

function whyNotCopied({ isTrusted }: ArrangeWorldDeps, record: SkillRecord): string | null {
  if (record.unread) return record.brokenReason || 'It can’t be read.'
  if (record.projectDir !== null && !isTrusted(record.projectDir)) {
    return 'The project is not trusted yet, so its skills stay where they are. Review the project first.'
  }
  return null
}

/** Why a copy stays as it is, and what can be done instead. */
function whyLocked({ organisation }: ArrangeWorldDeps, record: SkillRecord): string | null {
  const { scope, root, parent } = record
  if (scope === 'enterprise')
    return `Managed by ${organisation()}. Only its administrator can change this copy.`
  if (scope === 'bundled')
    return 'What comes with Satchel can’t be changed or deleted. Turn it off, or copy it to Personal.'
  if (root.plugin) return `It belongs to the plugin ${root.plugin.name}, which keeps it as it is.`
  if (root.mountedAs !== null) return 'It comes from a source that Satchel only reads.'
  if (root.readOnly) {
    return `It lies in a folder of ${root.tool?.name ?? 'another tool'}, which Satchel only reads. Settings › Skills can change that.`
  }
  if (parent !== null) return `It lies inside the skill ${basename(parent)} and is a part of it.`
  return isReachedByLink(record)
    ? 'Its folder is a link. Satchel changes it only where it really lies.'
    : null
}

/** The root itself may be a link that a person made; what lies in it is reached plainly, or not changed. */
function isReachedByLink({ root, rootDir, skillMd }: SkillRecord): boolean {
  try {
    const top = realpathSync(root.dir)
    return !isInside(top, rootDir) || relative(top, rootDir) !== relative(root.dir, dirname(skillMd))
  } catch {
    return true // gone meanwhile: nothing is changed there
  }
}

function holding(deps: ArrangeWorldDeps, record: SkillRecord): Wanted {
  const shown = dirname(record.location)
  return {
    dir: dirname(record.rootDir),
    label: shown,
    shown,
    noLinksBelow: null,
    refusal: whyLocked(deps, record),
  }
}

interface Place {
  wanted: Wanted
  root: Pick<SkillRecord, 'scope' | 'sharedIn' | 'projectDir'>
}

/** The four folders that skills are written into, and how each counts. */
const PLACES: Record<
  SkillPlace,
  { label: string; folder: string; of: 'personal' | 'project'; shared: boolean }
> = {
  personal: { label: 'Personal', folder: '.satchel/skills', of: 'personal', shared: false },
  project: { label: 'Project', folder: '.satchel/skills', of: 'project', shared: false },
  'personal-shared': { label: 'Shared', folder: COMMON_FOLDER, of: 'personal', shared: true },
  'project-shared': { label: 'Shared', folder: COMMON_FOLDER, of: 'project', shared: true },
}

function placeOf(deps: ArrangeWorldDeps, projectDir: string | null, place: SkillPlace): Place | null {
  const { label, folder, of, shared } = PLACES[place]
  const above = of === 'personal' ? { dir: deps.homeDir, shown: '~' } : projectDir && projectShown(projectDir)
  if (!above) return null
  const wanted = {
    dir: join(above.dir, ...folder.split('/')),
    label,
    shown: `${above.shown}/${folder}`,
    ...(of === 'personal'
      ? { noLinksBelow: null, refusal: null }
      : { noLinksBelow: above.dir, refusal: whyNotInProject(above.dir, deps.isTrusted) }),
  }
  const root = shared ? ({ scope: 'shared', sharedIn: of } as const) : { scope: of, sharedIn: null }
  return { wanted, root: { ...root, projectDir: of === 'project' ? projectDir : null } }
}

function whyNotInProject(dir: string, isTrusted: (dir: string) => boolean): string | null {
  if (!existsSync(dir)) return 'The folder of the project is not there.'
  return isTrusted(dir) ? null : PROJECT_NOT_TRUSTED
}

function effects(deps: ArrangeWorldDeps, { projectDir, request }: Arrange): ArrangeEffect[] {
  const { registry } = deps
  if (request.do === 'restore') return []
  const record = 'key' in request ? (registry.get(projectDir, request.key)?.record ?? null) : null
  const removed = ['move', 'rename', 'delete'].includes(request.do) ? record : null
  if (request.do === 'delete') return effectsOf(registry, { removed, added: null }, projectDir)
  const at = 'place' in request ? placeOf(deps, projectDir, request.place) : record && beside(record)
  if (!at) return []
  const { dir, shown } = at.wanted
  const added = futureRecord(request.name, { dir, shown, root: at.root }, record)
  return effectsOf(registry, { removed, added }, projectDir)
}

function beside({ rootDir, location, scope, sharedIn, projectDir }: SkillRecord): {
  wanted: Pick<Wanted, 'dir' | 'shown'>
  root: Place['root']
} {
  const wanted = { dir: dirname(rootDir), shown: dirname(location) }
  return { wanted, root: { scope, sharedIn, projectDir } }
}

import type { ActiveSkill } from '@shared/domain/session'
import { AppError } from '@shared/errors'
import { containRelative } from '@shared/paths'
import { listFiles, type Listing } from '../../workspace/list-files'
import { isFolderAt, locate, type Place, type Workspace } from '../../workspace/place'
import { readFileAt } from '../../workspace/read-file'
import type { Asked } from '../requests/new-request'
import { skillDir } from '../instructions/prompt'
import { activeSkill, isInert } from './active'

/** What a path of Read, Glob or Grep means: something of the workspace, or of a skill as it was loaded. */
export type FileTarget =
  | { kind: 'workspace'; place: Place }
  /** `path` is relative to the skill; empty: its folder. */
  | { kind: 'skill'; skill: ActiveSkill; path: string }

/** The chat that asks, and what it asks with. */
type Where = Pick<Asked, 'deps' | 'session'>

/** Throws `path_escape`, `not_found`, `not_trusted`. */
export async function fileTarget(asked: Where, path: string): Promise<FileTarget> {
  const inSkill = SKILLS.exec(path)
  if (!inSkill) return { kind: 'workspace', place: await locate(await workspaceFor(asked), path) }
  const [, name = '', rest = ''] = inSkill
  const skill = activeSkill(asked.session, name)
  if (!skill)
    throw new AppError(
      'not_found',
      `The skill "${name}" is not active, so its files are not here. Load it first.`,
    )
  if (isInert(asked.deps, asked.session, skill.key)) {
    throw new AppError(
      'not_trusted',
      `The project is not trusted any more, so "${name}" can't be read. Tell the person.`,
    )
  }
  return { kind: 'skill', skill, path: rest.replaceAll('/', '') === '' ? '' : containRelative(rest) }
}

const SKILLS = new RegExp(`^${skillDir('')}([^/]+)(?:/(.*))?$`, 's')

/** The folder that the tools of this chat work in. */
export async function workspaceFor({ deps, session }: Where): Promise<Workspace> {
  return { root: await deps.workspaceOf(session), hidden: deps.hiddenFolders }
}

/** The path as the model knows it, below which those of its files stand. */
export function shownPath(target: FileTarget): string {
  if (target.kind === 'workspace') return target.place.path
  return [skillDir(target.skill.name), target.path].filter(Boolean).join('/')
}

/** False for what is not there. */
export async function isFolder({ deps }: Where, target: FileTarget): Promise<boolean> {
  if (target.kind === 'workspace') return await isFolderAt(target.place)
  const { files } = await deps.store.manifest(target.skill.digest)
  return target.path === '' || files.some(({ path }) => path.startsWith(`${target.path}/`))
}

/** The bytes of a file. Throws as `readFileAt`. */
export async function readTarget({ deps }: Asked, target: FileTarget, max: number): Promise<Uint8Array> {
  if (target.kind === 'workspace') return (await readFileAt(target.place, max)).bytes
  const { skill, path } = target
  const { files } = await deps.store.manifest(skill.digest)
  const file = files.find((candidate) => candidate.path === path)
  if (!file) throw new AppError('not_found', `"${skill.name}" has no file "${path}". Glob lists its files.`)
  if (file.size > max)
    throw new AppError('too_large', `"${path}" has ${file.size} bytes; more than ${max} are not read.`)
  return deps.store.read(skill.digest, path)
}

/** Files below a folder, or the one that the target is; relative to the target. */
export async function listTarget({ deps }: Asked, target: FileTarget, limit: number): Promise<Listing> {
  if (target.kind === 'workspace') return listFiles(target.place, limit)
  const { files } = await deps.store.manifest(target.skill.digest)
  const prefix = target.path === '' ? '' : `${target.path}/`
  const inside = files.map(({ path }) => path).filter((path) => path.startsWith(prefix))
  return {
    files: inside.slice(0, limit).map((path) => path.slice(prefix.length)),
    cut: inside.length > limit,
  }
}

/** A file below a target; with no path, the target itself. */
export function below(target: FileTarget, path: string): FileTarget {
  if (path === '') return target
  if (target.kind === 'skill') return { ...target, path: [target.path, path].filter(Boolean).join('/') }
  const { place } = target
  const segments = [...place.segments, ...path.split('/')]
  return { kind: 'workspace', place: { ...place, segments, path: segments.join('/') } }
}

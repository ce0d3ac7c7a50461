import { basename, dirname } from 'node:path'
import type { ArrangeEffect, ArrangeKind, ArrangePlan, ArrangeRequest } from '@shared/domain/arranging'
import { foldName, whyNoName } from '@shared/skill-md/skill-name'
import type { NewFile } from './operation'
import type { NameEdit } from './skill-name-edit'
import type { Kept } from './trash'
import type { Tree } from './tree'

/** A copy of a skill, as far as arranging is concerned. */
export interface SkillFacts {
  key: string
  /** What people call it by. */
  name: string
  /** Real path of its folder. */
  path: string
  /** The same for display. */
  shown: string
  /** Why its folder stays as it is, with whom to ask; null: it may be changed. */
  locked: string | null
  /** Why it can't even be copied. */
  notCopied: string | null
}

/** A folder that skills are written into. */
export interface PlaceFacts {
  /** Real path, as far as it is there. */
  dir: string
  /** "Personal". */
  label: string
  shown: string
  /** Names of all that is in it. */
  names: readonly string[]
  /** Why nothing is written there; null: it may be. */
  refusal: string | null
  /** It lies in a git checkout. */
  inGit: boolean
}

/** All that a plan depends on, looked at now. */
export interface Facts {
  skill: SkillFacts | null
  /** Where the folder is to be. */
  place: PlaceFacts | null
  /** Of the skill's folder; a string: why it can't be read. */
  tree: Tree | string | null
  /** What the new name changes; a string: why it can't be written. */
  edit: NameEdit | string | null
  template: readonly NewFile[] | null
  kept: Kept | null
  effects: readonly ArrangeEffect[]
}

/** What is to be done, once a person said so. */
export interface Work {
  kind: ArrangeKind
  was: string
  name: string
  put: { parent: string; name: string } | null
  take: { path: string; shown: string } | null
  /** The copy says this name; null: it is exact. */
  writes: string | null
}

export type Planned = Omit<ArrangePlan, 'hash'> & { work: Work | null }

/** What a request would do, or why it is refused. Pure: everything it knows was looked at before. */
export function planOf(request: ArrangeRequest, facts: Facts): Planned {
  const refusal = whyRefused(request, facts)
  const work = workOf(request, facts)
  const { edit, place, skill } = facts
  const made = place && work?.put ? { path: `${place.shown}/${work.put.name}`, ...sizeOf(facts) } : null
  const shown = {
    name: work?.name ?? '',
    refusal,
    offersCopy: request.do !== 'copy' && canOnlyBeCopied(skill),
    makes: made,
    takes: work?.take ? { path: work.take.shown } : null,
    edits: editsOf(edit),
  }
  if (refusal !== null) return { ...shown, effects: [], notes: [], work: null }
  return { ...shown, effects: [...facts.effects], notes: made ? notesOf(facts, made.files) : [], work }
}

function editsOf(edit: Facts['edit']): Planned['edits'] {
  if (edit === null || typeof edit === 'string') return []
  return [{ file: edit.file, before: edit.before, after: edit.after }]
}

function canOnlyBeCopied(skill: SkillFacts | null): boolean {
  return skill !== null && skill.locked !== null && skill.notCopied === null
}

function workOf(request: ArrangeRequest, facts: Facts): Work | null {
  if (request.do === 'restore') return restoreWork(request.name, facts)
  const { skill, place } = facts
  const was = skill?.name ?? ''
  const take = skill && { path: skill.path, shown: skill.shown }
  if (request.do === 'delete') {
    return skill && { kind: 'delete', was, name: was, put: null, take, writes: null }
  }
  const { do: kind, name } = request
  const put = place && { parent: place.dir, name }
  if (kind === 'create') return { kind, was: name, name, put, take: null, writes: null }
  const moves = kind === 'move' || kind === 'rename'
  return (
    skill && { kind, was: nameBefore(request, skill), name, put, take: moves ? take : null, writes: name }
  )
}

/** Of a skill that is called so already, whose folder gets the name too, that of the folder. */
function nameBefore(request: ArrangeRequest, { name, path }: { name: string; path: string }): string {
  return request.do === 'rename' && request.name === name ? basename(path) : name
}

function restoreWork(given: string | undefined, { kept, place, edit }: Facts): Work | null {
  if (!kept) return null
  const put = place && { parent: place.dir, name: given ?? basename(kept.path) }
  const writes = typeof edit === 'object' && edit !== null ? (given ?? null) : null
  return { kind: 'restore', was: kept.name, name: given ?? kept.name, put, take: null, writes }
}

type Check = (request: ArrangeRequest, facts: Facts) => string | null

function whyRefused(request: ArrangeRequest, facts: Facts): string | null {
  for (const check of CHECKS) {
    const why = check(request, facts)
    if (why !== null) return why
  }
  return null
}

const CHECKS: readonly Check[] = [
  (request, { skill }) =>
    'key' in request && !skill ? 'This skill is not there any more. Its folder was moved or deleted.' : null,
  (request, { kept }) =>
    request.do === 'restore' && !kept ? 'It is not in the trash any more: after 30 days it is gone.' : null,
  (request, { skill }) =>
    request.do !== 'copy' && request.do !== 'duplicate' ? (skill?.locked ?? null) : null,
  (request, { skill }) => (request.do === 'delete' ? null : (skill?.notCopied ?? null)),
  (request) => ('name' in request && request.name !== undefined ? whyNoName(request.name) : null),
  (request, { template }) =>
    request.do === 'create' && !template ? `There is no template "${request.template}".` : null,
  (request) =>
    request.do === 'create' && Array.from(request.description).length > MAX_DESCRIPTION
      ? `The description has more than ${MAX_DESCRIPTION} characters. Some clients would not load the skill.`
      : null,
  (_request, { place }) => place?.refusal ?? null,
  (request, facts) => ('place' in request && !facts.place ? 'No project is open.' : null),
  samePlace,
  nameTaken,
  (request, { tree }) => (request.do !== 'delete' && typeof tree === 'string' ? tree : null),
  // What is in the trash can't be mended there: it comes back as it is.
  (request, { edit }) => (request.do !== 'restore' && typeof edit === 'string' ? edit : null),
]

/** Longest description that every client loads (`format.md` 1.1). */
const MAX_DESCRIPTION = 1024

function samePlace(request: ArrangeRequest, { skill, place }: Facts): string | null {
  if (!skill || !place || !('name' in request)) return null
  const isHere = dirname(skill.path) === place.dir && basename(skill.path) === request.name
  if (!isHere) return null
  if (request.do === 'move') return `It is in ${place.shown} already.`
  return request.do === 'rename' ? `Its folder is called "${request.name}" already.` : null
}

/** Nothing is ever written over: a taken name is refused, also in another case or Unicode form. */
function nameTaken(request: ArrangeRequest, facts: Facts): string | null {
  const { place, skill } = facts
  const name = workOf(request, facts)?.put?.name
  if (!place || name === undefined) return null
  const found = place.names.find((other) => foldName(other) === foldName(name))
  if (found === undefined) return null
  const isItself = request.do === 'rename' && skill !== null && basename(skill.path) === found
  // The folder is called by another writing of its name, which the new one puts right.
  if (isItself && found !== name) return null
  const other = freeName(name, place.names)
  return `${place.shown} holds "${found}" already. Choose another name, for example ${other}.`
}

/** A name like this one that nothing in the folder has. */
export function freeName(name: string, names: readonly string[]): string {
  const taken = new Set(names.map(foldName))
  for (let n = 2; ; n += 1) {
    const ending = `-${n}`
    const wanted = `${Array.from(name)
      .slice(0, 64 - ending.length)
      .join('')
      .replace(/-$/, '')}${ending}`
    if (!taken.has(foldName(wanted))) return wanted
  }
}

function sizeOf({ tree, template, kept }: Facts): { files: number; bytes: number } {
  if (template)
    return { files: template.length, bytes: template.reduce((sum, { bytes }) => sum + bytes.length, 0) }
  if (tree && typeof tree === 'object') return { files: tree.files, bytes: tree.bytes }
  return { files: kept?.files ?? 0, bytes: kept?.bytes ?? 0 }
}

function notesOf({ place, edit }: Facts, files: number): string[] {
  const what = files === 1 ? '1 file' : `${files} files`
  return [
    ...(typeof edit === 'string'
      ? ['Only its folder gets the name: its SKILL.md can’t be edited as it is.']
      : []),
    ...(place?.inGit ? [`The project is a git repository: this adds ${what} to its status.`] : []),
  ]
}

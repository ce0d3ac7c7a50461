import { SCOPE_NAMES } from '@shared/scope-names'
import type { Scope, SkillList, SkillRoot, SkillStatus, SkillSummary } from '@shared/domain/skill'
import { listWords } from '../list/list-strings'

/** Which part of the tree is chosen. */
export type Place =
  | { kind: 'all' }
  | { kind: 'scope'; scope: Scope }
  | { kind: 'root'; location: string }
  | { kind: 'status'; status: SkillStatus }
  /** Used, but with something to look at. */
  | { kind: 'problems' }

export interface TreeItem {
  place: Place
  label: string
  /** Null where the note says it all. */
  count: number | null
  /** State of a folder that has nothing to show: "none yet", "unreadable". */
  note: string
  /** Paths, and what is to be said of them. */
  title: string
  /** Locations of the folders that it stands for. */
  folders: readonly string[]
}

export interface SharedItem extends TreeItem {
  /** Where it lies, if the label does not say it; else empty. */
  location: string
  readOnly: boolean
}

export interface Tree {
  scopes: (TreeItem & { scope: Scope })[]
  /** Folders of other tools. */
  shared: SharedItem[]
  attention: (TreeItem & { icon: 'broken' | 'problems' | 'shadowed' | 'not-trusted' })[]
}

/** Places in the order in which copies are chosen, folders of other tools, and what needs a person (ux.md 3.3). */
export function skillTree(list: SkillList, projectFirst = false): Tree {
  return {
    scopes: scopeOrder(projectFirst)
      .map((scope) => scopeItem(list, scope))
      .filter(({ count, note }) => (count ?? 0) > 0 || note !== ''),
    shared: list.roots.filter((root) => root.scope === 'shared').map(sharedItem),
    attention: ATTENTION.map(({ place, label, icon }) => {
      return { place, label, icon, count: countIn(list, place), note: '', title: '', folders: [] }
    }).filter((item) => item.count > 0),
  }
}

/** Where copies are looked for, first to last; shared folders come right after the scope they lie in. */
export function scopeOrder(projectFirst: boolean): readonly Scope[] {
  return projectFirst
    ? ['enterprise', 'project', 'personal', 'plugin', 'bundled']
    : ['enterprise', 'personal', 'project', 'plugin', 'bundled']
}

/** Smaller is looked at first. */
export function scopeRank(skill: Pick<SkillSummary, 'scope' | 'location'>, projectFirst: boolean): number {
  const { scope, location } = skill
  if (scope !== 'shared') return scopeOrder(projectFirst).indexOf(scope) * 2
  const inHome = location.startsWith('~') || location.startsWith('/')
  return scopeOrder(projectFirst).indexOf(inHome ? 'personal' : 'project') * 2 + 1
}

export function inPlace(skill: SkillSummary, place: Place): boolean {
  if (place.kind === 'all') return true
  if (place.kind === 'scope') return skill.scope === place.scope
  if (place.kind === 'status') return skill.status === place.status
  if (place.kind === 'problems') return skill.problems > 0 && skill.status !== 'broken'
  return skill.scope === 'shared' && isBelow(skill.location, place.location)
}

export function samePlace(a: Place, b: Place): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** What people call a place; empty: all of them. */
export function placeName(place: Place): string {
  if (place.kind === 'all') return ''
  if (place.kind === 'scope') return SCOPE_NAMES[place.scope]
  if (place.kind === 'root') return place.location
  return ATTENTION.find((item) => samePlace(item.place, place))?.label ?? ''
}

/** Words of the folder states, for the tree and the empty list. */
export const ROOT_WORDS: Record<SkillRoot['state'], string> = {
  found: '',
  missing: listWords.places.noneYet,
  empty: listWords.places.noneYet,
  unreadable: 'unreadable',
  'not-trusted': listWords.places.notTrusted,
}

/** A folder in one sentence: where it is, whose, and what is to be known of it. */
export function rootSentence({ location, state, tool, readOnly, note }: SkillRoot): string {
  const whose = tool === undefined ? '' : listWords.places.of(tool)
  const parts = [
    `${location}${whose}.`,
    state === 'missing' ? listWords.places.theFolderIsNot : '',
    state === 'empty' ? listWords.places.noSkillIsIn : '',
    readOnly ? listWords.places.satchelWritesNothingThere : '',
    note ?? '',
  ]
  return parts.filter(Boolean).join(' ')
}

const ATTENTION: readonly { place: Place; label: string; icon: Tree['attention'][number]['icon'] }[] = [
  { place: { kind: 'status', status: 'broken' }, label: listWords.places.wontLoad, icon: 'broken' },
  { place: { kind: 'problems' }, label: listWords.places.withWarnings, icon: 'problems' },
  { place: { kind: 'status', status: 'shadowed' }, label: listWords.places.shadowed, icon: 'shadowed' },
  {
    place: { kind: 'status', status: 'not-trusted' },
    label: listWords.places.notTrustedYet,
    icon: 'not-trusted',
  },
]

function scopeItem(list: SkillList, scope: Scope): Tree['scopes'][number] {
  const roots = list.roots.filter((root) => root.scope === scope)
  const place: Place = { kind: 'scope', scope }
  const count = countIn(list, place)
  const note = scopeNote(roots)
  const shown = count === 0 && note !== '' ? null : count
  const folders = roots.map(({ location }) => location)
  return {
    place,
    scope,
    label: scope,
    count: shown,
    note,
    title: roots.map(rootSentence).join('\n'),
    folders,
  }
}

function scopeNote(roots: readonly SkillRoot[]): string {
  if (roots.length === 0 || roots.some((root) => root.state === 'found')) return ''
  const worst = roots.find((root) => root.state === 'not-trusted' || root.state === 'unreadable')
  return ROOT_WORDS[(worst ?? roots[0])?.state ?? 'missing']
}

function sharedItem(root: SkillRoot): SharedItem {
  const note = ROOT_WORDS[root.state]
  const { label, location } = sharedWords(root)
  return {
    place: { kind: 'root', location: root.location },
    label,
    location,
    count: root.skills === 0 && note !== '' ? null : root.skills,
    note,
    readOnly: root.readOnly,
    folders: [root.location],
    title: root.tool === undefined ? `${SHARED_BY_ALL} ${rootSentence(root)}` : rootSentence(root),
  }
}

/** The tool with the folder; the common folder of a project with the project. */
function sharedWords({ tool, location }: SkillRoot): Pick<SharedItem, 'label' | 'location'> {
  if (tool !== undefined) return { label: tool, location }
  const [, project, folder] = /^([^~/][^/]*)\/(.+)$/.exec(location) ?? []
  if (project === undefined || folder === undefined || location.startsWith('.'))
    return { label: location, location: '' }
  return { label: folder, location: listWords.places.in(project) }
}

/** The common folder belongs to no tool: what lies there counts as the person's own (format.md 4). */
const SHARED_BY_ALL = listWords.places.yourOwnSkillsFor

function countIn(list: SkillList, place: Place): number {
  let count = 0
  for (const skill of list.skills) if (inPlace(skill, place)) count += 1
  return count
}

function isBelow(location: string, folder: string): boolean {
  return location === folder || location.startsWith(`${folder}/`)
}

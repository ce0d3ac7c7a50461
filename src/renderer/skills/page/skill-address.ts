import { Scope } from '@shared/domain/skill'
import type { SkillSummary } from '@shared/domain/skill'

/** The parts of a skill's page, in their order. */
export const PAGE_TABS = [
  'overview',
  'edit',
  'files',
  'scripts',
  'problems',
  'source',
  'usage',
  'agent',
  'where',
] as const
export type PageTab = (typeof PAGE_TABS)[number]

/** The page of one skill, with what is in front (`ux.md` 2.4). */
export interface SkillAddress {
  scope: Scope
  name: string
  /** Where the copy lies, as it is shown; only where the scope has several of this name. */
  copy?: string
  tab: PageTab
  /** Path inside the skill, of the file that is shown. */
  file?: string
  /** 1-based, of that file. */
  line?: number
  /** The heading of that file that is shown. */
  anchor?: string
}

type Named = Pick<SkillSummary, 'key' | 'name' | 'scope' | 'location'>

/** `skill/<scope>/<name>/<tab>?file=…&line=…`; the first part of the page stands without its name. */
export function formatSkillAddress({ scope, name, copy, tab, file, line, anchor }: SkillAddress): string {
  const query = new URLSearchParams()
  if (copy !== undefined) query.set('copy', copy)
  if (file !== undefined) query.set('file', file)
  if (line !== undefined) query.set('line', String(line))
  if (anchor) query.set('anchor', anchor)
  const path = ['skill', scope, encodeURIComponent(name), ...(tab === 'overview' ? [] : [tab])].join('/')
  return query.size === 0 ? path : `${path}?${query.toString()}`
}

/** Null for anything that is no address of a skill's page. What is not known in it is left out. */
export function parseSkillAddress(address: string): SkillAddress | null {
  const [path = '', ...rest] = address.split('?')
  const [area, from, encoded, part = 'overview', ...more] = path.split('/')
  const scope = Scope.safeParse(from)
  const name = decoded(encoded ?? '')
  if (area !== 'skill' || !scope.success || !name || more.length > 0) return null
  return {
    scope: scope.data,
    name,
    tab: PAGE_TABS.find((tab) => tab === part) ?? 'overview',
    ...placeIn(new URLSearchParams(rest.join('?'))),
  }
}

function placeIn(query: URLSearchParams): Pick<SkillAddress, 'copy' | 'file' | 'line' | 'anchor'> {
  const line = Number(query.get('line'))
  const texts = (['copy', 'file', 'anchor'] as const).flatMap((name) => {
    const value = query.get(name)
    return value ? [[name, value]] : []
  })
  return { ...Object.fromEntries(texts), ...(Number.isSafeInteger(line) && line > 0 ? { line } : {}) }
}

/** The address of a copy in a list. */
export function addressOf(skill: Named, list: readonly Named[], tab: PageTab): SkillAddress {
  const { scope, name, location } = skill
  const isOne = !list.some((other) => other.key !== skill.key && other.scope === scope && other.name === name)
  return { scope, name, ...(isOne ? {} : { copy: location }), tab }
}

/** The copy that an address means: the first of its scope and name, unless it says which; that one under any name. */
export function findSkill<T extends Named>(
  list: readonly T[],
  { scope, name, copy }: SkillAddress,
): T | undefined {
  const own = list.filter((skill) => skill.scope === scope)
  if (copy !== undefined) return own.find(({ location }) => location === copy)
  return own.find((skill) => skill.name === name)
}

/** The copy whose page is open: it stays open under another name, and beside another one that took its name. */
export function followSkill<T extends Named>(
  list: readonly T[],
  address: SkillAddress,
  shown: Pick<Named, 'key' | 'name'> | null,
): T | undefined {
  const found = findSkill(list, address)
  if (shown?.name !== address.name || (found && address.copy !== undefined)) return found
  return list.find(({ key, scope }) => key === shown.key && scope === address.scope) ?? found
}

/** The address of the same part of a copy, by the name that it has now; null: it is the one given. */
export function addressNow(skill: Named, list: readonly Named[], address: SkillAddress): SkillAddress | null {
  const { name, copy } = addressOf(skill, list, address.tab)
  if (name === address.name && (copy ?? address.copy) === address.copy) return null
  const { copy: _before, ...rest } = address
  return { ...rest, name, ...(copy === undefined ? {} : { copy }) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return '' // a broken escape names no skill
  }
}

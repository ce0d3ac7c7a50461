import type { Diagnostic, Scope } from '../domain/skill'
import { SCOPE_NAMES } from '../scope-names'
import { foldName } from '../skill-md/skill-name'
import type { TogetherCode } from './rules'
import { nearlyEqual } from './similar'

/** What is looked at of each skill when all are checked together. */
export interface TogetherSkill {
  key: string
  name: string
  /** Name of its folder. */
  folder: string
  /** Where it is, as it is shown: told where the name of the folder alone would not say which is meant. */
  location?: string
  scope: Scope
  description: string
  /** Names of other skills; `name@scope` and `name@package` too. */
  requires: readonly string[]
  effective: boolean
  /** Not in the catalogue: `disable-model-invocation`. */
  hidden: boolean
}

export interface TogetherLimits {
  /** Skills that the catalogue holds. */
  catalogueMax: number
}

const CATALOGUE_FIX =
  'Turn off skills that are not needed here, or write "disable-model-invocation: true" into those that only people call.'

type Found = Map<string, Diagnostic[]>

/** Names that are told of one skill. */
const MAX_NAMED = 3

/**
 * What is odd about skills only beside each other (`ux.md` 3.3, *Problems*), by key; a skill without findings has no
 * entry. The order given is the order of precedence: of two unused copies the first counts. 10,000 skills take a
 * fraction of a second.
 */
export function checkTogether(
  skills: readonly TogetherSkill[],
  { catalogueMax }: TogetherLimits,
): Map<string, Diagnostic[]> {
  const found: Found = new Map()
  checkTwice(skills, found)
  checkNamesAlike(skills, found)
  checkRequires(skills, found)
  checkDescriptions(skills, found)
  checkCatalogue(skills, catalogueMax, found)
  return found
}

/** Told once for all skills; null when the catalogue holds them. */
export function catalogueOverflow(count: number, max: number): Diagnostic | null {
  if (count <= max) return null
  return warning(
    'catalogue-full',
    `Agents see ${max} of ${count} skills in the catalogue; the other ${count - max} are called by name only.`,
    CATALOGUE_FIX,
  )
}

function warning(code: TogetherCode, message: string, fix: string): Diagnostic {
  return { code, severity: 'warning', message, fix }
}

function add(found: Found, key: string, diagnostic: Diagnostic): void {
  const known = found.get(key)
  if (known) known.push(diagnostic)
  else found.set(key, [diagnostic])
}

function groupBy(
  skills: readonly TogetherSkill[],
  keyOf: (skill: TogetherSkill) => string,
): TogetherSkill[][] {
  const groups = new Map<string, TogetherSkill[]>()
  for (const skill of skills) {
    const group = groups.get(keyOf(skill))
    if (group) group.push(skill)
    else groups.set(keyOf(skill), [skill])
  }
  return [...groups.values()].filter((group) => group.length > 1)
}

function checkTwice(skills: readonly TogetherSkill[], found: Found): void {
  for (const group of groupBy(skills, ({ scope, name }) => `${scope}:${name}`)) {
    const used = group.find(({ effective }) => effective) ?? group[0]!
    for (const skill of group) {
      if (skill === used) continue
      const where = used.folder === skill.folder ? (used.location ?? used.folder) : used.folder
      const message = `The name "${skill.name}" stands twice in ${SCOPE_NAMES[skill.scope]}; the copy in "${where}" counts.`
      add(found, skill.key, warning('name-twice', message, 'Give one of them another name, or delete it.'))
    }
  }
}

/** Names anywhere, folders inside one scope: what a system that ignores case would take for one. */
function checkNamesAlike(skills: readonly TogetherSkill[], found: Found): void {
  for (const group of groupBy(skills, ({ name }) => foldName(name))) {
    addAlike(group, ({ name }) => name, found)
  }
  for (const group of groupBy(skills, ({ scope, folder }) => `${scope}:${foldName(folder)}`)) {
    addAlike(group, ({ folder }) => folder, found)
  }
}

function addAlike(
  group: readonly TogetherSkill[],
  textOf: (skill: TogetherSkill) => string,
  found: Found,
): void {
  const texts = [...new Set(group.map(textOf))]
  if (texts.length < 2) return
  for (const skill of group) {
    const own = textOf(skill)
    const other = texts.find((text) => text !== own) ?? own
    const message = `"${own}" and "${other}" differ only by case or by how letters are composed.`
    add(found, skill.key, warning('names-alike', message, 'Rename one of them.'))
  }
}

function checkRequires(skills: readonly TogetherSkill[], found: Found): void {
  const known = new Set(skills.map(({ name }) => foldName(name)))
  const usable = new Set(skills.filter(({ effective }) => effective).map(({ name }) => foldName(name)))
  for (const skill of skills) {
    for (const required of skill.requires) {
      const name = foldName(required.replace(/@.*$/s, ''))
      if (!known.has(name)) add(found, skill.key, requiresMissing(required))
      else if (!usable.has(name)) add(found, skill.key, requiresUnavailable(required))
    }
  }
}

function requiresMissing(name: string): Diagnostic {
  return warning(
    'requires-missing',
    `It requires the skill "${name}", which is not there.`,
    'Add that skill, or delete its name from "requires".',
  )
}

function requiresUnavailable(name: string): Diagnostic {
  return {
    code: 'requires-unavailable' satisfies TogetherCode,
    severity: 'info',
    message: `It requires the skill "${name}", which is there but not in use.`,
    fix: 'Turn that skill on, or look why it is not effective.',
  }
}

function checkDescriptions(skills: readonly TogetherSkill[], found: Found): void {
  const seen = skills.filter(({ effective, hidden }) => effective && !hidden)
  const names = new Map(seen.map(({ key, name }) => [key, name]))
  for (const [key, others] of nearlyEqual(seen)) {
    const all = [...new Set(others.map((other) => `"${names.get(other) ?? other}"`))]
    const named = all.slice(0, MAX_NAMED)
    const more = all.length > MAX_NAMED ? ' and others' : ''
    const message = `Its description says nearly the same as that of ${named.join(', ')}${more}: which one an agent chooses is a coin toss.`
    add(
      found,
      key,
      warning(
        'description-alike',
        message,
        'Say in each what it does that the other does not, or turn one off.',
      ),
    )
  }
}

/** Without words of a person to go by the catalogue is filled by name. */
function checkCatalogue(skills: readonly TogetherSkill[], max: number, found: Found): void {
  const listed = skills.filter(({ effective, hidden }) => effective && !hidden)
  if (listed.length <= max) return
  const beyond = listed.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).slice(max)
  const finding = warning(
    'catalogue-full',
    `The catalogue holds ${max} of ${listed.length} skills; this one is left out unless it fits what is asked.`,
    CATALOGUE_FIX,
  )
  for (const { key } of beyond) add(found, key, finding)
}

import type { SkillPlace } from '@shared/domain/arranging'
import type { SkillRoot } from '@shared/domain/skill'
import { words } from '../../arranging/strings'
import { library } from '../library-strings'
import type { Place } from '../tree/places'

/** What is dragged: rows of the list. */
export interface Dragged {
  skills: readonly { key: string; name: string }[]
}

/** Where skills may be put by dropping them, with the folder; or why nowhere there. */
export type DropTarget = { place: SkillPlace; label: string; folder: string } | { refusal: string }

/** What a place of the tree is for skills that are dragged onto it; null: nothing at all, as for a filter. */
export function dropTarget(
  place: Place,
  {
    roots,
    project,
    organisation,
  }: { roots: readonly SkillRoot[]; project: string | null; organisation: string },
): DropTarget | null {
  if (place.kind === 'scope') {
    if (place.scope === 'personal') return targetIn('personal', project)
    if (place.scope === 'project') return targetIn('project', project)
    if (place.scope === 'enterprise') return { refusal: library.managedBy(organisation) }
    return { refusal: place.scope === 'plugin' ? library.drop.plugin : library.drop.bundled }
  }
  if (place.kind !== 'root') return null
  const root = roots.find(({ location }) => location === place.location)
  if (!root) return null
  if (root.tool !== undefined) return { refusal: library.drop.tool(root.tool) }
  return targetIn(isInHome(root.location) ? 'personal-shared' : 'project-shared', project)
}

/** What letting go would do, in one sentence (`ux.md` 2.8): the target path before the drop. */
export function dropWords(target: DropTarget, { skills }: Dragged, isCopy: boolean): string {
  if ('refusal' in target) return target.refusal
  const [first] = skills
  const what = skills.length === 1 && first ? `/${first.name}` : `, ${library.drop.several(skills.length)}`
  return (isCopy ? library.drop.copy : library.drop.move)(target.label, `${target.folder}${what}`)
}

function targetIn(place: SkillPlace, project: string | null): DropTarget {
  const inProject = place === 'project' || place === 'project-shared'
  if (inProject && project === null) return { refusal: library.drop.noProject }
  const folder = inProject ? `${project}/${words.folders[place]}` : words.folders[place]
  return { place, label: words.places[place], folder }
}

function isInHome(location: string): boolean {
  return location.startsWith('~') || location.startsWith('/')
}

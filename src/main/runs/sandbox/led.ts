import { isProtectedName, PROTECTED_PATHS } from '../../lib/protected-paths'
import { gitNamed, type OuterSettings } from './git-named'
import { linkedPlaces } from './links'
import { foundAt, isSame, mountOf, type Found } from './nested'

/**
 * What trusted places lead to inside the project, by git's settings and by links, as it is now; without an id: it is not
 * there. `found` are the places below the root. What is protected by its own name is not among it.
 */
export function ledFrom(workspace: string, found: readonly Found[], outer: OuterSettings): Found[] {
  const named = gitNamed(
    workspace,
    found.map(({ path }) => path),
    outer,
  )
  const linked = linkedPlaces(workspace, [...PROTECTED_PATHS, ...found.map(mountOf)])
  return [...new Set([...named, ...linked])]
    .filter((path) => !path.split('/').some(isProtectedName))
    .map((path) => foundAt(workspace, path))
}

/**
 * Where trusted places lead that stand elsewhere than before the run, and did not lead before: settings and links that
 * are relative lead elsewhere from there, and what a script put there is not the person's.
 */
export function ledAnew(
  workspace: string,
  moved: readonly Found[],
  { named, outer }: { named: readonly Found[]; outer: OuterSettings },
): Found[] {
  if (moved.length === 0) return []
  return ledFrom(workspace, moved, outer)
    .filter((now) => now.id !== '' && !named.some((was) => isSame(was, now)))
    .map(({ path }) => ({ path, id: '' }))
}

import type { ArrangeEffect } from './domain/arranging'
import { SCOPE_NAMES } from './scope-names'

/** What an operation changes about the copy that is used, one sentence each: "In northwind-ops: nothing changes." */
export function effectWords(effects: readonly ArrangeEffect[]): string[] {
  const names = new Set(effects.map(({ name }) => name))
  const others = effects.some(({ project }) => project !== null)
  return effects.map((effect) => {
    const where =
      effect.project === null ? (others ? 'Everywhere else' : 'Everywhere') : `In ${effect.project}`
    const what = names.size > 1 ? `${effect.name} ` : ''
    return `${where}: ${what}${changeOf(effect)}.`
  })
}

function changeOf({ before, after, wasIt, isIt, name }: ArrangeEffect): string {
  if (!after) return before ? 'is no longer available' : 'is not available, as before'
  if (!before) return 'becomes available'
  if (wasIt && isIt) return 'does not change'
  if (before.location === after.location)
    return `does not change: the ${SCOPE_NAMES[after.scope]} copy is used`
  if (isIt) return `is used instead of the ${SCOPE_NAMES[before.scope]} copy of ${name}`
  return `is the ${SCOPE_NAMES[after.scope]} copy then`
}

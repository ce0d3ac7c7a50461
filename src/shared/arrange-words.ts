import type { ArrangeEffect } from './domain/arranging'
import { SCOPE_NAMES } from './scope-names'

/** Why nothing is put into a project that is not trusted; the dialog leads to the review. */
export const PROJECT_NOT_TRUSTED =
  'The project is not trusted yet. Review it first, then its skills are used too.'

/** What an operation changes about the copy that is used, one sentence each: "In northwind-ops: nothing changes." */
export function effectWords(effects: readonly ArrangeEffect[]): string[] {
  const names = new Set(effects.map(({ name }) => name))
  const others = effects.some(({ project }) => project !== null)
  const elsewhere = others ? 'Everywhere else' : 'Everywhere'
  return effects.map((effect) => {
    const where = effect.project === null ? elsewhere : `In ${effect.project}`
    return `${where}: ${changeOf(effect, names.size > 1 ? `${effect.name} ` : '')}.`
  })
}

function changeOf({ before, after, wasIt, isIt }: ArrangeEffect, name: string): string {
  const of = name === '' ? '' : ` of ${name.trim()}`
  if (!after) return before ? `${name || 'the skill '}is no longer available` : 'nothing changes'
  if (!before) return `${name || 'the skill '}becomes available`
  if (wasIt && isIt) return 'nothing changes'
  const [was, is] = [SCOPE_NAMES[before.scope], SCOPE_NAMES[after.scope]]
  if (before.location === after.location) return `nothing changes, the ${is} copy${of} is used`
  return isIt ? `${name}is used instead of the ${was} copy` : `the ${is} copy${of} is used then`
}

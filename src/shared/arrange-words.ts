import { defineStrings } from './catalogue'
import type { ArrangeEffect } from './domain/arranging'
import { SCOPE_NAMES } from './scope-names'

/** Why nothing is put into a project that is not trusted; the dialog leads to the review. */
export const PROJECT_NOT_TRUSTED =
  'The project is not trusted yet. Review it first, then its skills are used too.'

/** What an operation changes about the copy that is used; a name is given where it is about several skills. */
const words = defineStrings('effects of arranging', {
  everywhere: 'Everywhere',
  elsewhere: 'Everywhere else',
  inProject: (project: string) => `In ${project}`,
  sentence: (where: string, change: string) => `${where}: ${change}.`,
  nothing: 'nothing changes',
  gone: (name: string) => `${name || 'the skill'} is no longer available`,
  comes: (name: string) => `${name || 'the skill'} becomes available`,
  stays: (scope: string, name: string) => `nothing changes, the ${scope} copy${ofSkill(name)} is used`,
  usedInstead: (name: string, scope: string) =>
    `${name === '' ? '' : `${name} `}is used instead of the ${scope} copy`,
  usedThen: (scope: string, name: string) => `the ${scope} copy${ofSkill(name)} is used then`,
})

/** What an operation changes, one sentence for each place: "In northwind-ops: nothing changes." */
export function effectWords(effects: readonly ArrangeEffect[]): string[] {
  const names = new Set(effects.map(({ name }) => name))
  const others = effects.some(({ project }) => project !== null)
  const elsewhere = others ? words.elsewhere : words.everywhere
  return effects.map((effect) => {
    const where = effect.project === null ? elsewhere : words.inProject(effect.project)
    return words.sentence(where, changeOf(effect, names.size > 1 ? effect.name : ''))
  })
}

function changeOf({ before, after, wasIt, isIt }: ArrangeEffect, name: string): string {
  if (!after) return before ? words.gone(name) : words.nothing
  if (!before) return words.comes(name)
  if (wasIt && isIt) return words.nothing
  const [was, is] = [SCOPE_NAMES[before.scope], SCOPE_NAMES[after.scope]]
  if (before.location === after.location) return words.stays(is, name)
  return isIt ? words.usedInstead(name, was) : words.usedThen(is, name)
}

function ofSkill(name: string): string {
  return name === '' ? '' : ` of ${name}`
}

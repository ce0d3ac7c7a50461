import { availableSkills } from '../instructions/catalogue'
import { runtimeRules } from './rules'
import type { Style } from './style'

/** The runtime's own style, after S1: list and bodies stand in the instructions, tools keep their own names. */
export const runtimeStyle: Style = {
  id: 'runtime',
  listIn: 'instructions',
  list: availableSkills,
  rules: runtimeRules('look in available_skills whether one fits'),
  tools: [],
  replaces: {},
}

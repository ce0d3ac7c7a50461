import { runtimeRules } from './rules'
import type { Style } from './style'

/** Never depends on the skills: the same bytes for one and for 10,000 (S4, "Context Efficiency"). */
const PARAGRAPH = [
  '<available_skills>',
  'Skills are not listed here, to keep this short. To find one, call skills_list with a few words of the task; it answers',
  'with names and descriptions. Then call skills_load with the name that fits, and follow its text. If nothing fits, try',
  'other words once, then go on without a skill.',
  '</available_skills>',
].join('\n')

/** As `runtime`, without a list: one paragraph of under 1,000 bytes. */
export const compactStyle: Style = {
  id: 'compact',
  listIn: 'instructions',
  list: PARAGRAPH,
  rules: runtimeRules('call skills_list to see whether one fits'),
  tools: [],
  replaces: {},
}

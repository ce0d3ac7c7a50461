import type { RuleView } from '@shared/domain/rule'
import { sentenceOf } from '../../main/approvals/rules/rules'
import type { Given, Outcome } from '../grammar/command'
import { EXIT } from '../grammar/exit-codes'
import { shown } from '../terminal/output'
import { ruleNamed, withRules, type RulesHere } from '../here/rules'
import type { World } from '../world'

/** `satchel rules test [ID]`: a rule's own tests, its hostile variants, and what it would have matched. */
export function run(given: Given, world: World): Outcome {
  return withRules(world, (here) => {
    const [id] = given.words
    const rules = id === undefined ? (here?.all ?? []) : [ruleNamed(here, id)]
    const tested = rules.map((rule) => testOf(here!, rule))
    return {
      result: { rules: tested },
      exit: tested.some(({ problem }) => problem !== null) ? EXIT.failed : EXIT.done,
      text: () => ({ out: tested.map(linesOf).join('\n') || 'There are no rules.' }),
    }
  })
}

interface Tested {
  id: string
  text: string
  problem: string | null
  matched: number
  of: number
}

function testOf({ rules }: RulesHere, rule: RuleView): Tested {
  const { matched, of } = rules.wouldMatch(rule)
  return { id: rule.id, text: sentenceOf(rule), problem: rule.problem, matched: matched.length, of }
}

function linesOf({ id, text, problem, matched, of }: Tested): string {
  const said = problem === null ? 'Its tests pass.' : `${problem} It is not used.`
  return `${id}  ${said} Would match ${matched} of your last ${of} requests.\n  ${shown(text)}`
}

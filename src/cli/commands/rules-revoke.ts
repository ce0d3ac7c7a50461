import { AppError } from '@shared/errors'
import { sentenceOf } from '../../main/approvals/rules/rules'
import type { Given, Outcome } from '../grammar/command'
import { shown } from '../terminal/output'
import { publicRule, ruleNamed, withRules } from '../here/rules'
import type { World } from '../world'

/** `satchel rules revoke ID`: what it decided is asked for again. */
export function run(given: Given, world: World): Outcome {
  return withRules(world, (here) => {
    const rule = ruleNamed(here, given.words[0] ?? '')
    if (rule.origin !== 'own') {
      const why =
        rule.origin === 'policy'
          ? 'Your organisation made this rule. Only who administers this computer can change it.'
          : 'This rule is in the file of its project. Change .satchel/rules.json there.'
      throw new AppError('bad_input', why)
    }
    here?.rules.change({ id: rule.id, state: 'revoked' })
    return {
      result: { ...publicRule(rule), state: 'revoked' },
      text: () => ({ out: `Revoked: ${shown(sentenceOf(rule))}` }),
    }
  })
}

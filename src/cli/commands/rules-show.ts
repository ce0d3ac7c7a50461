import type { RuleView } from '@shared/domain/rule'
import { sentenceOf } from '../../main/approvals/rules/rules'
import type { Given, Outcome } from '../grammar/command'
import { shown } from '../terminal/output'
import { publicRule, ruleNamed, withRules } from '../here/rules'
import type { World } from '../world'

/** `satchel rules show ID`: all that is known of one rule. */
export function run(given: Given, world: World): Outcome {
  return withRules(world, (here) => {
    const rule = ruleNamed(here, given.words[0] ?? '')
    return { result: publicRule(rule), text: () => ({ out: ruleLines(rule).join('\n') }) }
  })
}

function ruleLines(rule: RuleView): string[] {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  return [
    shown(sentenceOf(rule)),
    `State: ${rule.state}${rule.problem === null ? '' : `. ${rule.problem} It is not used.`}`,
    `Made: ${day(rule.createdAt)}${rule.createdFrom === null ? '' : `, from ${rule.createdFrom}`}`,
    `Used: ${rule.lastUsedAt === null ? 'never' : `${rule.useCount} times, last ${day(rule.lastUsedAt)}`}`,
    `Ends: ${rule.expiresAt === null ? 'never by itself' : day(rule.expiresAt)}`,
  ]
}

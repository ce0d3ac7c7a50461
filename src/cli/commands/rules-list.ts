import type { RuleView } from '@shared/domain/rule'
import { sentenceOf } from '../../main/approvals/rules/rules'
import type { Given, Outcome } from '../grammar/command'
import { counted, shown } from '../terminal/output'
import type { Style } from '../terminal/output'
import { publicRule, withRules } from '../here/rules'
import { table, type Cell } from '../terminal/table'
import type { World } from '../world'

/** `satchel rules list`: the newest first. */
export function run(_given: Given, world: World): Outcome {
  return withRules(world, (here) => {
    const rules = here?.all ?? []
    const notes = here?.notes ?? []
    return {
      result: { rules: rules.map(publicRule), notes },
      text: (out, err) => ({
        out: [
          ...(rules.length === 0 ? [] : [listText(rules, out)]),
          `${counted(rules.length, 'rule')}.`,
        ].join('\n'),
        err: notes.map((note) => err.paint('warn', shown(note))).join('\n'),
      }),
    }
  })
}

function listText(rules: readonly RuleView[], style: Style): string {
  const columns = [
    { title: 'ID' },
    { title: 'STATE' },
    { title: 'USES', align: 'right' as const },
    { title: 'RULE', shrinksTo: 30 },
  ]
  return table(columns, rules.map(cells), style)
}

function cells(rule: RuleView): Cell[] {
  const isBad = rule.problem !== null
  return [
    { text: rule.id },
    { text: isBad ? 'broken' : rule.state, ...(isBad ? { paint: 'bad' as const } : {}) },
    { text: String(rule.useCount) },
    { text: shown(sentenceOf(rule)) },
  ]
}

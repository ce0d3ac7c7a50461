import { effectWords } from '@shared/arrange-words'
import type { ArrangeDone, ArrangePlan, ArrangeRequest, SkillPlace } from '@shared/domain/arranging'
import { withArranging } from '../here/arranging-skills'
import type { Given, Outcome, Run } from '../grammar/command'
import { shown } from '../terminal/output'
import type { World } from '../world'

/** `satchel skills duplicate`, `rename`, `move`, `copy` and `delete`: the operations of the app, by name. */
export const run = {
  duplicate: command((key, { words }) => ({ do: 'duplicate', key, name: words[1]! })),
  rename: command((key, { words }) => ({ do: 'rename', key, name: words[1]! })),
  move: command((key, given, name) => ({ do: 'move', key, place: placeOf(given), name })),
  copy: command((key, given, name) => ({ do: 'copy', key, place: placeOf(given), name })),
  delete: command((key) => ({ do: 'delete', key })),
}

type Ask = (key: string, given: Given, name: string) => ArrangeRequest

function command(ask: Ask): Run {
  return (given: Given, world: World) =>
    withArranging(given, world, async ({ arrange, keyOf }) => {
      const asked = given.words[0]!
      const key = keyOf(asked)
      const name = given.values.get('name') ?? asked.split('@')[0]!
      const { done, plan } = await arrange(ask(key, given, name))
      return outcomeOf(done, plan)
    })
}

function placeOf({ values }: Given): SkillPlace {
  return (values.get('to') ?? 'personal') as SkillPlace
}

function outcomeOf(done: ArrangeDone, plan: ArrangePlan): Outcome {
  const { id, kind, name, path, trashId, text } = done
  const effects = effectWords(plan.effects)
  return {
    result: { operation: id, kind, name, path, trash: trashId, effects },
    text: () => ({
      out: [
        shown(text),
        ...effects.map((sentence) => `  ${shown(sentence)}`),
        ...(trashId === null ? [] : [`To take it back: satchel skills restore ${trashId}`]),
      ].join('\n'),
    }),
  }
}

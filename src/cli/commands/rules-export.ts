import { resolve } from 'node:path'
import { exportRules } from '../../main/app/rule-export'
import type { Given, Outcome } from '../grammar/command'
import { counted } from '../terminal/output'
import { needRules } from '../here/rules'
import type { World } from '../world'

/** `satchel rules export FILE`: the rules that hold always, as JSON. */
export function run(given: Given, world: World): Promise<Outcome> {
  const path = resolve(world.cwd, given.words[0] ?? '')
  return needRules(world, async (here) => {
    const count = await exportRules(here, path)
    return { result: { path, count }, text: () => ({ out: `${counted(count, 'rule')} saved in ${path}.` }) }
  })
}

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { FileRule } from '@shared/domain/rule'
import { AppError } from '@shared/errors'
import type { Given, Outcome } from '../grammar/command'
import { counted, shown } from '../terminal/output'
import { needRules } from '../here/rules'
import type { World } from '../world'

/** `satchel rules import FILE`: each rule's sentence and what it would have matched; saved only with `--save`. */
export function run(given: Given, world: World): Promise<Outcome> {
  const text = readText(resolve(world.cwd, given.words[0] ?? ''))
  return needRules(world, async ({ rules }) => {
    const found = rules.readFile(text)
    const chosen = found.flatMap(({ problem }, at) => (problem === null ? [at] : []))
    const isSaved = given.flags.has('save')
    const added = isSaved ? rules.importFile(text, chosen) : 0
    const end = isSaved
      ? `${counted(added, 'rule')} saved.`
      : `Nothing was saved. ${counted(chosen.length, 'rule')} can be: add --save.`
    return {
      result: { rules: found, added },
      text: () => ({ out: [...found.map(linesOf), end].join('\n') }),
    }
  })
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new AppError('bad_input', `The file can't be read (${code ?? String(error)}): ${path}`)
  }
}

function linesOf({ text, problem, matched, of }: FileRule): string {
  const said =
    problem === null
      ? `Would have matched ${matched} of your last ${of} requests.`
      : `Not taken. ${shown(problem)}`
  return `${shown(text)}\n  ${said}`
}

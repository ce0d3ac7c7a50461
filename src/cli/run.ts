import { readCall, wantsJson, wantsNoColor } from './grammar/args'
import type { Outcome } from './grammar/command'
import { EXIT } from './grammar/exit-codes'
import { failureOf } from './terminal/failure'
import type { Failure } from './terminal/failure'
import { helpFor } from './grammar/help'
import { envelopeLine } from './terminal/json'
import { shown, styleFor } from './terminal/output'
import { versionOf } from './version'
import type { World } from './world'

/** Runs one command and prints what it gives; never throws. Nothing but the result goes to stdout. */
export async function runCommand(args: readonly string[], world: World): Promise<number> {
  const began = performance.now()
  const json = wantsJson(args)
  const noColor = wantsNoColor(args)
  try {
    const outcome = await outcomeOf(args, world)
    if (json) {
      const { result, tokens = 0, cost = 0 } = outcome
      const used = { tokens_used: tokens, cost_usd: cost }
      world.stdout.write(envelopeLine({ result, ...used, duration_ms: performance.now() - began }))
    } else print(outcome, world, noColor)
    return outcome.exit ?? EXIT.done
  } catch (error) {
    const failure = failureOf(error, world.root)
    if (json) {
      const { message, code, tokens, cost } = failure
      const told = { error: message, error_code: code, tokens_used: tokens, cost_usd: cost }
      world.stdout.write(envelopeLine({ ...told, duration_ms: performance.now() - began }))
    } else printFailure(failure, world, noColor)
    return failure.exit
  }
}

async function outcomeOf(args: readonly string[], world: World): Promise<Outcome> {
  const { group, command, given, version } = readCall(args)
  if (version) return plain({ version: versionOf(world) }, `satchel ${versionOf(world)}`)
  if (command === null || given.flags.has('help')) {
    const unlimited = { width: Infinity, paint: (_as: unknown, text: string) => text }
    return {
      result: { help: helpFor(group, command, unlimited) },
      text: (style) => ({ out: helpFor(group, command, style) }),
    }
  }
  const run = await command.load()
  return run(given, world)
}

function plain(result: unknown, out: string): Outcome {
  return { result, text: () => ({ out }) }
}

function print(outcome: Outcome, { stdout, stderr, env }: World, noColor: boolean): void {
  const { out, err = '' } = outcome.text(
    styleFor(stdout, { env }, noColor),
    styleFor(stderr, { env }, noColor),
  )
  if (out !== '') stdout.write(`${out}\n`)
  if (err !== '') stderr.write(`${err}\n`)
}

function printFailure({ message, type }: Failure, { stderr, env }: World, noColor: boolean): void {
  const style = styleFor(stderr, { env }, noColor)
  stderr.write(`${style.paint('bad', 'satchel:')} ${shown(message)}\n`)
  if (type !== null) stderr.write(`Type: ${shown(type)}\n`)
}

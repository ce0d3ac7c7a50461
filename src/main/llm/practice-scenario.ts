import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Log } from '../lib/log'

/** One answer of a scenario: everything in it is sent in this order. */
const ScenarioStep = z
  .strictObject({
    reasoning: z.string().optional(),
    text: z.string().optional(),
    call: z.strictObject({ name: z.string().min(1), input: z.record(z.string(), z.unknown()) }).optional(),
    /** Pause between two pieces of text, in milliseconds. */
    pauseMs: z.number().int().min(0).max(60_000).optional(),
    /** After everything else: never end, until the call is stopped. */
    hang: z.boolean().optional(),
  })
  .refine((step) => step.reasoning ?? step.text ?? step.call ?? step.hang, 'a step needs text, call or hang')
export type ScenarioStep = z.infer<typeof ScenarioStep>

/**
 * A scripted conversation for tests: a file `<any name>.practice.json` in the practice folder.
 *
 * ```json
 * {
 *   "name": "two steps",
 *   "match": "count .* words",
 *   "steps": [
 *     { "text": "Loading.", "call": { "name": "skills_load", "input": { "names": ["x"] } } },
 *     { "reasoning": "…", "text": "Done.", "pauseMs": 50 }
 *   ]
 * }
 * ```
 *
 * `match` is a regular expression, without regard to case, for the person's last message; of several files that match
 * the first by file name is taken. The n-th answer after that message sends the n-th step; after the last step the
 * scenario says that it is over.
 */
export const Scenario = z.strictObject({
  name: z.string().min(1),
  match: z.string().refine(isPattern, 'not a regular expression'),
  steps: z.array(ScenarioStep).min(1),
})
export type Scenario = z.infer<typeof Scenario>

/** The step to send, or null when no scenario is for this message. Files are read anew each time. */
export async function scenarioStep(
  { dir, log }: { dir: string; log: Log },
  userText: string,
  answersInRound: number,
): Promise<ScenarioStep | null> {
  for (const scenario of await readScenarios(dir, log)) {
    if (!new RegExp(scenario.match, 'i').test(userText)) continue
    return scenario.steps[answersInRound] ?? { text: `The scenario "${scenario.name}" is over.` }
  }
  return null
}

async function readScenarios(dir: string, log: Log): Promise<Scenario[]> {
  const names = (await readdir(dir)).filter((name) => name.endsWith('.practice.json')).sort()
  const scenarios: Scenario[] = []
  for (const name of names) {
    try {
      scenarios.push(Scenario.parse(JSON.parse(await readFile(join(dir, name), 'utf8'))))
    } catch (error) {
      log.error(`The practice scenario ${name} can't be used`, error)
    }
  }
  return scenarios
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'i') instanceof RegExp
  } catch {
    // The parser's answer is all that is asked for.
    return false
  }
}

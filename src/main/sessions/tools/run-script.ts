import { z } from 'zod'
import { AppError } from '@shared/errors'
import { containRelative } from '@shared/paths'
import type { RequestRow } from '../../db/request-rows'
import { prepareRun } from '../requests/run-request'
import { activeSkill, noActiveSkill } from './active'
import { askFirst, type AskingSteps } from './ask-first'
import { afterLostRun, executeRun, filesChanged, type RunShape } from './execute-run'
import { isPreparation, prepareFirst, scriptAgain } from './prepare-first'
import { defineTool, describeIssue, type Tool, type ToolContext, type ToolOutcome } from './tool'

export const RunScriptInput = z.object({
  path: z.string().min(1).max(4096).describe('The script, relative to the skill: "scripts/x.py".'),
  skill: z.string().max(200).optional().describe('An active skill; left out: the one loaded last.'),
  args: z.array(z.string()).max(10_000).default([]).describe('Arguments, one by one; there is no shell.'),
  env: z.record(z.string(), z.string()).default({}).describe('Extra environment variables.'),
  workdir: z
    .string()
    .max(4096)
    .optional()
    .describe('Folder inside the project, relative to it. Left out: the project.'),
  stdin: z.string().max(64_000).optional().describe('Text given on standard input. Left out: closed.'),
  interactive: z.boolean().default(false).describe('The person may answer prompts of the script.'),
  timeout_ms: z.number().int().min(100).max(3_600_000).optional(),
})
export type RunScriptInput = z.output<typeof RunScriptInput>

/** What a page or a command sent; `bad_input` says what is wrong with it. */
export function readRunScriptInput(input: unknown): RunScriptInput {
  const parsed = RunScriptInput.safeParse(input)
  if (parsed.success) return parsed.data
  throw new AppError('bad_input', describeIssue(parsed.error, input))
}

const definition = {
  name: 'skills_run_script',
  description:
    "Runs a script of an active skill in a sandbox, in the person's project folder. A person reviews it first; their answer may take a while.",
  input: RunScriptInput,
}

/** Asks first, always: the request is a row, and this tool is called again when it was decided. */
export const runScriptTool: Tool & { input: typeof RunScriptInput } = {
  ...defineTool(definition, (context, input) => runScript(context, input, scriptShape(input))),
  prepare: (asked, input) => prepareRun(asked, RunScriptInput.parse(input)),
}

/** Runs a script for whichever tool asked for it; `shape` is what that tool says of its output. */
export async function runScript(
  context: ToolContext,
  input: RunScriptInput,
  shape: RunShape,
): Promise<ToolOutcome> {
  const isAsked = context.call.requestId !== null
  if (!isAsked && !activeSkill(context.session, input.skill))
    return noActiveSkill(context.session, input.skill)
  const request = context.call.requestId === null ? null : context.deps.broker.get(context.call.requestId)
  // Without its packages the script is asked for as before.
  if (isPreparation(request) && isRefused(request))
    return askForScript(scriptAgain(context), input, { shape, why: 'The packages were not prepared.' })
  return askForScript(context, input, { shape, why: '' })
}

function isRefused({ status }: RequestRow): boolean {
  return status === 'denied' || status === 'auto_denied'
}

/** `why`: what came before, for the person who is asked. */
function askForScript(
  context: ToolContext,
  input: RunScriptInput,
  { shape, why }: { shape: RunShape; why: string },
): Promise<ToolOutcome> {
  const steps: AskingSteps<RunScriptInput> = {
    async prepare(asked, wanted) {
      const request = await prepareRun(asked, wanted)
      return why === '' ? request : { ...request, askReason: `${why} ${request.askReason}` }
    },
    async carryOut(now, request) {
      if (!isPreparation(request)) return executeRun(context, request, shape)
      const prepared = await prepareFirst(now, request)
      if (prepared.kind === 'end') return prepared.outcome
      return askForScript(prepared.context, input, { shape, why: prepared.why })
    },
    afterLoss: afterLostRun,
  }
  return askFirst(steps, context, input)
}

function scriptShape({ path }: RunScriptInput): RunShape {
  const shown = containRelative(path)
  return ({ run, stdout, stderr, truncated, durationMs, changed }) => ({
    path: shown,
    exit_code: run.exitCode,
    stdout,
    stderr,
    run_id: run.id,
    duration_ms: durationMs,
    truncated,
    ...filesChanged(changed),
  })
}

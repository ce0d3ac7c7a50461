import { z } from 'zod'
import type { NewRequest } from '../../approvals/broker'
import { withOwnCommand } from '../requests/edited-call'
import type { Asked } from '../requests/new-request'
import { prepareRun } from '../requests/run-request'
import { prepareShell, type ShellCommand } from '../requests/shell-request'
import { readSkillCommand } from '../styles/skill-command'
import { askFirst } from './ask-first'
import { afterLostRun, executeRun, filesChanged, type RunShape } from './execute-run'
import { runScript, RunScriptInput } from './run-script'
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from './tool'

const Input = z.object({
  command: z.string().min(1).max(64_000).describe('The command line, for bash.'),
  workdir: z
    .string()
    .max(4096)
    .optional()
    .describe('Folder inside the project, relative to it. Left out: the project.'),
  timeout_ms: z.number().int().min(100).max(3_600_000).optional(),
})

/** A free command, or a script of a skill when the text is nothing but its run: that can be bound to its content. */
export const bashTool: Tool & { input: typeof Input } = {
  ...defineTool(
    {
      name: 'Bash',
      description:
        "Runs a command in a sandbox, in the person's project folder, without network. Skills lie under /.sandbox/skills/<name>. A person reviews it first; their answer may take a while.",
      input: Input,
    },
    runCommand,
  ),
  prepare: (asked, input) => prepareCommand(asked, Input.parse(input)),
}

function prepareCommand(asked: Asked, given: ShellCommand): Promise<NewRequest> {
  const input = withOwnCommand(asked.call, given)
  const script = scriptOf(input)
  return script ? prepareRun(asked, script) : prepareShell(asked, input)
}

async function runCommand(context: ToolContext, given: ShellCommand): Promise<ToolOutcome> {
  const input = withOwnCommand(context.call, given)
  const script = scriptOf(input)
  if (script) return runScript(context, script, shellShape)
  const steps = {
    prepare: prepareShell,
    carryOut: (_: ToolContext, request: Parameters<typeof executeRun>[1]) =>
      executeRun(context, request, shellShape),
    afterLoss: afterLostRun,
  }
  return askFirst(steps, context, input)
}

function scriptOf({ command, workdir, timeout_ms }: ShellCommand): RunScriptInput | null {
  const script = readSkillCommand(command)
  return script && RunScriptInput.parse({ ...script, workdir, timeout_ms })
}

const shellShape: RunShape = ({ run, stdout, stderr, truncated, changed }) => ({
  stdout,
  stderr,
  return_code: run.exitCode,
  run_id: run.id,
  ...(truncated ? { truncated } : {}),
  ...filesChanged(changed),
})

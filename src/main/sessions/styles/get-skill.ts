import { z } from 'zod'
import type { Envelope } from '@shared/domain/session'
import { moreLine, type CatalogueLine } from '../instructions/catalogue'
import { escapeTags, plainLine } from '../instructions/escape'
import { readSkillCommand } from './skill-command'
import { defineStyleTool, loadCall, resultOrError, type CallFacts, type Style } from './style'

const INTRO = 'Gets detailed information about an agent skill.'

const getSkill = defineStyleTool({
  name: 'get_skill',
  over: ['skills_load'],
  describe: (list) => (list === '' ? `${INTRO} No skills are currently available.` : `${INTRO}\n${list}`),
  input: z.object({ skillName: z.string().min(1).max(200).describe('The name of the skill to retrieve') }),
  toCore: ({ skillName }) => loadCall(skillName),
  shape: ({ skill }) => ({
    name: skill?.name,
    description: skill?.description,
    mountPath: skill?.dir,
    instructions: skill?.body,
  }),
  shapeError: ({ call, envelope, unknown }) =>
    unknown ? `Skill '${String((call.input['names'] as string[])[0])}' not found` : (envelope.error ?? ''),
  seen: resultOrError,
  holdsBody: true,
})

const sandboxExecute = defineStyleTool({
  name: 'sandbox_execute',
  over: ['skills_run_script', 'Bash'],
  describe:
    'Runs a command in the sandbox, in the folder of the project, for example "sh /.sandbox/skills/<name>/scripts/x.sh". ' +
    'Gives {exitCode, output, error}. A person reviews it first.',
  input: z.object({ command: z.string().min(1).max(64_000).describe('The command line') }),
  toCore: ({ command }) => {
    const script = readSkillCommand(command)
    return script ? { tool: 'skills_run_script', input: { ...script } } : { tool: 'Bash', input: { command } }
  },
  shape: ({ result }) => shellResult(result),
  seen: (envelope) =>
    envelope.success ? envelope.result : { ...shellResult(partialOf(envelope)), error: envelope.error ?? '' },
})

/** S0: the list stands in the description of `get_skill`, the body in its result, scripts run by the shell. */
export const getSkillStyle: Style = {
  id: 'get-skill',
  listIn: 'tool',
  list: writeList,
  rules: [
    'Skills: the description of get_skill lists them. Before a complex task, look there whether one fits, call get_skill',
    'with its name before you use it, and follow its instructions. Its files lie under its mountPath: where the text names a',
    'script, run it with sandbox_execute, such as "sh <mountPath>/scripts/x.sh"; do not read a script first. A relative path',
    'in the text begins at the mountPath.',
  ].join('\n'),
  tools: [getSkill, sandboxExecute],
  replaces: { skills_load: 'get_skill', skills_read: 'Bash', Bash: 'sandbox_execute' },
  offeredEmpty: true,
}

function writeList(lines: readonly CatalogueLine[], omitted: number): string {
  const written = lines.map(({ name, description }) => {
    const text = escapeTags(plainLine(description))
    return `  - ${escapeTags(plainLine(name))}${text === '' ? '' : `: ${text}`}`
  })
  return ['Available skills:', ...written, ...moreLine(omitted).map((line) => `  ${line}`)].join('\n')
}

/** Of a script run or of a free command. */
function shellResult(result: CallFacts['result']) {
  const error = textOf(result['stderr']).trimEnd()
  return {
    exitCode: result['exit_code'] ?? result['return_code'] ?? null,
    output: textOf(result['stdout']).trimEnd(),
    error: error === '' ? null : error,
  }
}

function partialOf({ partial }: Envelope): CallFacts['result'] {
  return typeof partial === 'object' && partial !== null ? (partial as CallFacts['result']) : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

import { z } from 'zod'
import { moreLine, type CatalogueLine } from '../instructions/catalogue'
import { escapeTags, plainLine } from '../instructions/escape'
import { defineStyleTool, loadCall, type Style } from './style'

const Name = z.string().min(1).max(200)
const Input = z
  .object({
    skill: Name.optional().describe('Name of the skill'),
    skill_name: Name.optional().describe('The same as skill'),
    args: z.string().max(10_000).optional().describe('Arguments for the skill'),
  })
  .refine(({ skill, skill_name }) => skill !== undefined || skill_name !== undefined, {
    message: 'Missing required parameter: skill',
  })

const skillTool = defineStyleTool({
  name: 'Skill',
  over: ['skills_load'],
  describe: describeTool,
  input: Input,
  toCore: ({ skill, skill_name, args }) => loadCall(skill ?? skill_name ?? '', args),
  shape: ({ skill }) => ({ skill_name: skill?.name, base_path: skill?.dir, content: skill?.body }),
  stepText: ({ skill, skill_name }) => `The "${skill ?? skill_name ?? ''}" skill is loading`,
  holdsBody: true,
})

/** S4: the list stands in the description of `Skill`, files and scripts are reached by path. */
export const skillToolStyle: Style = {
  id: 'skill-tool',
  listIn: 'tool',
  list: writeList,
  rules: [
    'Skills: the description of the Skill tool lists them. Before a complex task, look there whether one fits. When a skill',
    'is loaded you get skill_name, base_path (the folder of the skill) and content (its text).',
    '- Where the content links to a file, such as [reference.md](reference.md), read {base_path}/reference.md with Read when',
    '  you need it.',
    '- Where the content or a bash code block names a script, run it with Bash and the path resolved, such as',
    '  `python3 {base_path}/scripts/validate.py input.txt`, or with skills_run_script. Execute a script, do not read it first:',
    '  only its output is for you.',
    '- Relative paths begin at base_path; absolute paths and addresses stay as they are. Always use forward slashes.',
  ].join('\n'),
  tools: [skillTool],
  replaces: { skills_load: 'Skill', skills_read: 'Read' },
}

function writeList(lines: readonly CatalogueLine[], omitted: number): string {
  const written = lines.map(({ name, description }) => {
    const text = escapeTags(plainLine(description))
    return `"${escapeTags(plainLine(name))}"${text === '' ? '' : `: ${text}`}`
  })
  const entries = [...written, ...moreLine(omitted)].join('\n\n')
  return `<available_skills>\n${entries}\n</available_skills>`
}

/** The words of S4, "Skill Tool Description". */
function describeTool(list: string): string {
  return `# Skill Tool

Execute specialized skills within the main conversation. When users request task execution or you identify a relevant capability, use this tool to invoke the corresponding skill.

## How to Invoke Skills

Use the tool with the skill name:
- \`skill: "commit-message"\` - basic invocation
- \`skill: "code-review", args: "pr-123"\` - with arguments

## Available Skills

The following skills are available:

${list}

## Important Requirements

- **IMMEDIATELY invoke** this tool as your first action when a skill is relevant
- **NEVER just announce** a skill without calling the tool
- **Only use skills** listed in <available_skills> above
- **Don't invoke** already-running skills
- **Don't use** this tool for built-in CLI commands

## What Happens When You Invoke

When you invoke a skill:
1. The skill loads with message: \`The "{name}" skill is loading\`
2. You receive the complete SKILL.md content
3. Follow the skill's instructions precisely
4. The skill may include tool restrictions (allowed-tools)

## Progressive Disclosure

Skills use progressive disclosure:

**Stage 1 (Tool Description)**: Only name + description visible (current view)
**Stage 2 (Tool Invocation)**: Full SKILL.md content returned in tool result
**Stage 3 (Skill Execution)**: Reference docs loaded on-demand, scripts executed

This keeps context lean while providing full capability when needed.`
}

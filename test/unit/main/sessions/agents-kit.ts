import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeFiles } from '../../../helpers/app'
import { createKit, type Kit, type KitOptions } from './kit'

/** The sessions part with agents' files, and what tests of agents ask it. */
export interface AgentKit {
  kit: Kit
  /** Writes a personal agent's file, or one of a project. */
  put(name: string, text: string, base?: string): void
  /** A chat with the agent, with the skills that it always uses. */
  chatWith(agent: string, projectDir?: string | null): Promise<string>
  /** A project's folder. */
  project(trusted: boolean): string
  /** Instructions of the last call, as one text. */
  instructions(): string
  toolNames(): string[]
}

export const skill = (name: string, more = '') => ({
  'SKILL.md': `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\nThe body of ${name}.\n`,
  'scripts/run.sh': 'echo ran\n',
})
export const SKILLS = {
  jam: skill('jam'),
  tea: skill('tea', 'tags: [drink]\n'),
  soup: skill('soup'),
}

export const agentMd = (name: string, more = '', role = `You are ${name}.`) =>
  `---\nname: ${name}\ndescription: D.\n${more}---\n${role}\n`

export async function startAgents(
  agents: Record<string, string>,
  options: KitOptions = {},
): Promise<AgentKit> {
  const kit = await createKit({ skills: SKILLS, ...options })
  const put: AgentKit['put'] = (name, text, base = kit.home) => {
    writeFiles(join(base, '.satchel', 'agents'), { [`${name}.md`]: text })
    kit.agents.refresh()
  }
  for (const [name, text] of Object.entries(agents)) put(name, text)
  return {
    kit,
    put,
    async chatWith(agent, projectDir = null) {
      const { id } = kit.sessions.create({ projectDir, agent })
      await kit.sessions.prepare(id)
      return id
    },
    project(trusted) {
      const dir = join(kit.home, 'project')
      mkdirSync(dir, { recursive: true })
      kit.projects.push({ dir, name: 'project', trusted, openedAt: 1 })
      return dir
    },
    instructions: () => kit.asked.at(-1)!.instructions.join('\n\n'),
    toolNames: () => kit.asked.at(-1)!.tools.map(({ name }) => name),
  }
}

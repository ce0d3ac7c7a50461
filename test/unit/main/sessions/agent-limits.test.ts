import { afterEach, describe, expect, it } from 'vitest'
import { agentMd, startAgents, type AgentKit } from './agents-kit'
import { codeOf, type Kit } from './kit'

let kit: Kit
let at: AgentKit
afterEach(() => kit.remove())

async function start(agents: Record<string, string>): Promise<void> {
  at = await startAgents(agents)
  kit = at.kit
}

const detail = (id: string) => kit.sessions.prepare(id)
const lastError = (id: string) => kit.calls(id).at(-1)?.envelope

describe('what an agent may use', () => {
  const RUN = { name: 'skills_run_script', input: { path: 'scripts/run.sh' } }

  it.each(['tools: {scripts: never}\n', 'mode: never\n', "tools: {'*': never}\n", 'tools: [Read]\n'])(
    'is no script with "%s", whatever the model calls',
    async (yaml) => {
      await start({ clerk: agentMd('clerk', `uses_skills: jam\n${yaml}`) })
      const id = await at.chatWith('clerk')
      kit.answers.push({ calls: [RUN] })
      await kit.say(id, 'Go')
      expect(at.toolNames()).not.toContain('skills_run_script')
      expect(at.toolNames()).toEqual(expect.arrayContaining(['skills_load', 'skills_read']))
      expect(lastError(id)).toMatchObject({ error_code: 'tool_not_allowed' })
      expect(kit.deps.broker.pending(id)).toEqual([])
    },
  )

  it('is refused under the other names of a tool too', async () => {
    await start({ clerk: agentMd('clerk', 'uses_skills: jam\nstyle: get-skill\ntools: {scripts: never}\n') })
    const id = await at.chatWith('clerk')
    const command = 'sh /.sandbox/skills/jam/scripts/run.sh'
    kit.answers.push({ calls: [{ name: 'sandbox_execute', input: { command } }] })
    await kit.say(id, 'Go')
    expect(lastError(id)).toMatchObject({ error_code: 'tool_not_allowed' })
  })

  it('is not the reading of files where the agent forbids it', async () => {
    await start({ clerk: agentMd('clerk', 'uses_skills: jam\ntools: {skills_read: never}\n') })
    const id = await at.chatWith('clerk')
    kit.answers.push({ calls: [{ name: 'skills_read', input: { path: 'scripts/run.sh' } }] })
    await kit.say(id, 'Go')
    expect(lastError(id)).toMatchObject({ error_code: 'tool_not_allowed' })
  })

  it('still asks for a script, and the request names the agent', async () => {
    await start({
      clerk: agentMd('clerk', 'label: Document clerk\nuses_skills: jam\ntools: {scripts: allow}\n'),
    })
    const id = await at.chatWith('clerk')
    kit.answers.push({ calls: [RUN] })
    await kit.say(id, 'Go', 'awaiting_approval')
    expect(kit.waiting(id).agentName).toBe('Document clerk')
  })
})

describe("a project's agent", () => {
  const inProject = async (trusted: boolean, yaml = '') => {
    await start({})
    const dir = at.project(trusted)
    at.put('clerk', agentMd('clerk', yaml, 'Role of the project.'), dir)
    return dir
  }

  it('does not exist while the project is not trusted', async () => {
    const dir = await inProject(false)
    expect(await codeOf(() => kit.sessions.create({ projectDir: dir, agent: 'clerk' }))).toBe('not_found')
  })

  it('says nothing any more once the person takes the trust back', async () => {
    const dir = await inProject(true, 'uses_skills: jam\n')
    const id = await at.chatWith('clerk', dir)
    await kit.say(id, 'Hello')
    expect(at.instructions()).toContain('Role of the project.')
    kit.projects[0]!.trusted = false
    await kit.say(id, 'Again')
    expect(at.instructions()).not.toContain('Role of the project.')
    expect((await detail(id)).agent).toMatchObject({ name: 'general', file: 'inert' })
  })

  it('asks where it says "allow" until the person confirms exactly this file', async () => {
    const dir = await inProject(true, 'tools: {Write: allow, Edit: never}\n')
    const id = await at.chatWith('clerk', dir)
    expect((await detail(id)).agent.unconfirmed).toEqual(['Write'])
    kit.sessions.confirmTools(id)
    expect((await detail(id)).agent.unconfirmed).toEqual([])
    expect(kit.actions()).toContain('agent.confirmed')
    at.put('clerk', agentMd('clerk', 'tools: {Write: allow, Edit: allow}\n'), dir)
    const other = await at.chatWith('clerk', dir)
    expect((await detail(other)).agent.unconfirmed).toEqual(['Write', 'Edit'])
  })

  it('can tighten limits and not widen them', async () => {
    const dir = await inProject(true, 'limits: {active_skills: 9}\n')
    expect((await detail(await at.chatWith('clerk', dir))).maxActiveSkills).toBe(5)
    at.put('clerk', agentMd('clerk', 'limits: {active_skills: 2}\n'), dir)
    expect((await detail(await at.chatWith('clerk', dir))).maxActiveSkills).toBe(2)
  })
})

describe('a turn ends at the limit of its agent', () => {
  const LIST = { calls: [{ name: 'skills_list', input: {} }] }
  const notices = () => kit.events.flatMap((event) => (event.t === 'notice' ? [event.message] : []))

  it('of steps, and the next message begins anew', async () => {
    await start({ clerk: agentMd('clerk', 'limits: {steps: 2}\n') })
    const id = await at.chatWith('clerk')
    kit.answers.push(LIST, LIST, LIST, { text: 'Done.' })
    await kit.say(id, 'Go')
    expect(kit.asked).toHaveLength(2)
    expect(notices()).toEqual([
      'The agent made 2 steps in one turn and was stopped. Send a message to let it go on.',
    ])
    await kit.say(id, 'Go on')
    expect(kit.asked).toHaveLength(4)
  })

  it('of tokens', async () => {
    await start({ clerk: agentMd('clerk', 'limits: {tokens: 1}\n') })
    const id = await at.chatWith('clerk')
    kit.answers.push(LIST, LIST)
    await kit.say(id, 'Go')
    expect(kit.asked).toHaveLength(1)
    expect(notices()[0]).toMatch(/^The agent used 1 tokens/)
  })

  it('of minutes', async () => {
    await start({ clerk: agentMd('clerk', 'limits: {minutes: 2}\n') })
    const id = await at.chatWith('clerk')
    kit.deps.now = () => kit.asked.length * 120_000
    kit.answers.push(LIST, LIST)
    await kit.say(id, 'Go')
    expect(kit.asked).toHaveLength(1)
    expect(notices()[0]).toMatch(/^The agent worked for 2 minutes/)
  })
})

import { describe, expect, it } from 'vitest'
import { testWorld } from './cli-world'

interface Row {
  name: string
  scope: string
  status: string
  problems: { code: string }[]
}

const agentMd = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\nYou are ${name}.\n`

describe('satchel agents', () => {
  it('lists the bundled agents, none of which has a problem', async () => {
    const { json } = testWorld()
    const { exit, result } = await json('agents', 'list')
    const { agents } = result as { agents: Row[] }
    expect(exit).toBe(0)
    expect(agents.map(({ name, status, problems }) => [name, status, problems])).toEqual(
      ['document-clerk', 'general', 'reviewer', 'skill-writer'].map((name) => [name, 'effective', []]),
    )
  })

  it('shows for people what is used and what is wrong', async () => {
    const { run, write } = testWorld()
    write('home/.satchel/agents/clerk.md', agentMd('clerk', 'uses_skills: [nowhere]\n'))
    write('home/.satchel/agents/broken.md', 'nothing')
    const { out } = await run('agents', 'list')
    expect(out).toMatch(/broken +Personal +won't load +default .*The file does not start/)
    expect(out).toMatch(/clerk +Personal +effective, 1 problem/)
    expect(out).toContain('6 agents.')
  })

  it('does not use agents of a project that is not trusted, and says so', async () => {
    const { run, json, write } = testWorld()
    write('cwd/.satchel/agents/general.md', agentMd('general'))
    const { err } = await run('agents', 'list')
    expect(err).toContain('1 agent of this project is not in use, because you did not trust the folder.')
    const { result } = await json('agents', 'show', 'general')
    expect(result as Row).toMatchObject({ scope: 'bundled', status: 'effective' })
  })

  it('tells of agents that another one hands work to and that are not there', async () => {
    const { run, write } = testWorld()
    write('home/.satchel/agents/clerk.md', agentMd('clerk', 'subagents: [reviewer, nobody]\n'))
    const { out } = await run('agents', 'show', 'clerk')
    expect(out).toMatch(/subagent-not-there\n {2}It may hand work to "nobody", which is not there for it/)
    expect(out).not.toContain('It may hand work to "reviewer"')
  })

  it('shows one with its role, its problems and the line of each', async () => {
    const { run, write, skill } = testWorld()
    skill('home/.satchel/skills/pdf')
    skill('home/.agents/skills/pdf')
    skill('home/.satchel/skills/ocr')
    write(
      'home/.satchel/agents/clerk.md',
      agentMd('clerk', 'uses_skills: [pdf, ocr, gone]\nlimits: {active_skills: 1}\nmode: x\n'),
    )
    const { out } = await run('agents', 'show', 'clerk')
    expect(out).toContain('You are clerk.')
    expect(out).toContain('~/.satchel/agents/clerk.md:6 warning wrong-type')
    expect(out).toMatch(/uses-skill-over-limit\n {2}"ocr" is not loaded: at most 1 skills can be active/)
    expect(out).toMatch(/uses-skill-missing\n {2}It always uses "gone", which is not there for it/)
    expect(out).toMatch(/uses-skill-shadowed\n {2}Of "pdf" the copy in ~\/\.satchel\/skills\/pdf is used/)
  })

  it('tells when a skill is not for the agent that always uses it', async () => {
    const { json, write } = testWorld()
    const scope = 'scope:\n  agents: [reviewer]\n'
    write('home/.satchel/skills/pdf/SKILL.md', `---\nname: pdf\ndescription: Does.\n${scope}---\nDo.\n`)
    write('home/.satchel/agents/clerk.md', agentMd('clerk', 'uses_skills: pdf\n'))
    write('home/.satchel/agents/reviewer.md', agentMd('reviewer', 'uses_skills: pdf\n'))
    const codes = async (name: string) => {
      const { result } = await json('agents', 'show', name)
      return (result as Row).problems.map(({ code }) => code)
    }
    expect(await codes('clerk')).toEqual(['uses-skill-missing'])
    expect(await codes('reviewer')).toEqual([])
  })

  it('shows a file that another one replaces, by its scope', async () => {
    const { run, json, write } = testWorld()
    write('home/.satchel/agents/general.md', agentMd('general', 'limits: {minutes: 1, steps: 2}\n'))
    expect((await run('agents', 'show', 'general')).out).toContain('2 steps, 1 minute')
    const { result } = await json('agents', 'show', 'general@bundled')
    expect(result as Row).toMatchObject({ scope: 'bundled', status: 'shadowed' })
    const { exit, err } = await run('agents', 'show', 'general@project')
    expect([exit, err]).toEqual([1, expect.stringContaining('There is no agent "general@project".')])
  })

  it('prints the role alone', async () => {
    const { run } = testWorld()
    const { out } = await run('agents', 'show', 'general', '--role')
    expect(out).toMatch(/^You are Satchel's general agent\./)
  })

  it('says which name was meant', async () => {
    const { run } = testWorld()
    const { exit, err } = await run('agents', 'show', 'revewer')
    expect(exit).toBe(1)
    expect(err).toContain('There is no agent "revewer". Did you mean reviewer?')
  })
})

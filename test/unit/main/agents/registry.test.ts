import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createAgents } from '../../../../src/main/agents/registry'
import type { Agents, AgentsDeps } from '../../../../src/main/agents/registry'
import { createWatcher } from '../../../../src/main/skills/registry/watch'
import { later, tempDir, until, write } from '../skills/support'

const agentMd = (name: string, description: string, more = '') =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\nYou are ${name}.\n`

interface Place {
  home: string
  project: string
  agents: Agents
  changes: number
  rules: { trusted: boolean; projectOverPersonal: boolean }
  /** Writes an agent's file below home or project. */
  put(base: 'home' | 'project' | 'resources', name: string, text: string): string
}

function place(change: Partial<AgentsDeps> = {}, before?: (at: Place) => void): Place {
  const base = tempDir()
  const dirs = {
    home: join(base, 'home'),
    project: join(base, 'project'),
    resources: join(base, 'resources'),
  }
  for (const dir of Object.values(dirs)) mkdirSync(dir)
  const at: Place = {
    ...dirs,
    agents: null as never,
    changes: 0,
    rules: { trusted: true, projectOverPersonal: false },
    put: (kind: keyof typeof dirs, name: string, text: string) =>
      write(join(dirs[kind], kind === 'resources' ? 'agents' : '.satchel/agents', `${name}.md`), text),
  }
  before?.(at)
  at.agents = createAgents({
    places: () => ({
      homeDir: dirs.home,
      resourcesDir: dirs.resources,
      policyDir: null,
      projects: [dirs.project],
    }),
    rules: () => at.rules,
    onChange: () => void (at.changes += 1),
    ...change,
  })
  later(() => at.agents.close())
  return at
}

const used = ({ agents, project }: Place, name = 'clerk') => agents.find(project, name)?.agent.description

describe('which file of an agent is used', () => {
  const three = (at: Place) => {
    at.put('resources', 'clerk', agentMd('clerk', 'bundled'))
    at.put('project', 'clerk', agentMd('clerk', 'project'))
    at.put('home', 'clerk', agentMd('clerk', 'personal'))
  }

  it('is Personal before Project before Bundled, and the others are shown as shadowed', () => {
    const at = place({}, three)
    expect(at.agents.list(at.project).map(({ scope, status }) => [scope, status])).toEqual([
      ['personal', 'effective'],
      ['project', 'shadowed'],
      ['bundled', 'shadowed'],
    ])
  })

  it('is the one of the project where the person flipped the two', () => {
    const at = place({}, three)
    at.rules.projectOverPersonal = true
    expect(used(at)).toBe('project')
  })

  it('is never one of a project that is not trusted', () => {
    const at = place({}, (at) => {
      at.put('resources', 'clerk', agentMd('clerk', 'bundled'))
      at.put('project', 'clerk', agentMd('clerk', 'project'))
    })
    at.rules = { trusted: false, projectOverPersonal: true }
    expect(used(at)).toBe('bundled')
    expect(at.agents.list(at.project).at(-1)).toMatchObject({ scope: 'project', status: 'not-trusted' })
  })

  it('is not one that is broken', () => {
    const at = place({}, (at) => {
      three(at)
      at.put('home', 'clerk', 'no frontmatter')
    })
    expect(used(at)).toBe('project')
  })

  it('is seen only from its own project', () => {
    const at = place({}, (at) => at.put('project', 'clerk', agentMd('clerk', 'project')))
    expect(at.agents.find(null, 'clerk')).toBeNull()
  })

  it('is told by name, or what there is instead', () => {
    const at = place({}, three)
    expect(() => at.agents.get(null, 'clark')).toThrow('There is no agent "clark". There are: clerk.')
    at.put('home', 'typist', 'broken')
    at.agents.refresh()
    expect(() => at.agents.get(null, 'typist')).toThrow(
      'The agent "typist" can\'t be used: The file does not start with frontmatter.',
    )
  })

  it('does not come from a link that leaves the project', () => {
    const at = place({}, (at) => {
      const secret = write(join(at.home, 'secret.md'), agentMd('leak', 'secret'))
      mkdirSync(join(at.project, '.satchel/agents'), { recursive: true })
      symlinkSync(secret, join(at.project, '.satchel/agents/leak.md'))
    })
    const [leak] = at.agents.list(at.project)
    expect(leak).toMatchObject({
      status: 'broken',
      statusReason: 'The file is a link that leaves the project.',
    })
    expect(leak!.bytes.length).toBe(0)
  })

  it('comes from no README, no hidden file and no folder that only looks like a file', () => {
    const at = place({}, (at) => {
      at.put('home', 'README', 'About this folder.')
      at.put('home', '.clerk', agentMd('clerk', 'hidden'))
      mkdirSync(join(at.home, '.satchel/agents/folder.md'))
    })
    expect(at.agents.list(null).map(({ agent, status }) => [agent.name, status])).toEqual([
      ['folder', 'broken'],
    ])
  })

  it('is not an Enterprise one that the person could write', () => {
    const policyDir = tempDir()
    write(join(policyDir, 'agents/clerk.md'), agentMd('clerk', 'enterprise'), 0o666)
    const at = place({
      places: () => ({ homeDir: policyDir, resourcesDir: policyDir, policyDir, projects: [] }),
    })
    const scopes = at.agents.list(null).map(({ scope }) => scope)
    expect(scopes).not.toContain('enterprise')
    expect(at.agents.notes()[0]).toContain('These Enterprise agents are not used')
  })
})

describe('a change on disk', () => {
  const watched = (before?: (at: Place) => void) =>
    place({ watcher: (onEvent) => createWatcher({ onEvent }), pollMs: 3_600_000 }, before)
  const one = (at: Place) => void at.put('home', 'clerk', agentMd('clerk', 'old'))

  it.each<[string, (at: Place) => void]>([
    ['written in place', (at) => at.put('home', 'clerk', agentMd('clerk', 'new'))],
    [
      'saved by a rename over it',
      (at) => {
        const file = join(at.home, '.satchel/agents/clerk.md')
        writeFileSync(`${file}.tmp`, agentMd('clerk', 'new'))
        renameSync(`${file}.tmp`, file)
      },
    ],
    [
      'moved in with its folder',
      (at) => {
        const dir = join(at.home, '.satchel/agents')
        write(join(at.home, 'elsewhere/clerk.md'), agentMd('clerk', 'new'))
        rmSync(dir, { recursive: true })
        renameSync(join(at.home, 'elsewhere'), dir)
      },
    ],
  ])('is known by watching, long before the next regular look: %s', async (_how, act) => {
    const at = watched(one)
    act(at)
    await until('the change is known', () => used(at) === 'new')
    expect(at.changes).toBeGreaterThan(0)
  })

  it('is known when the first agent makes the folder', async () => {
    const at = watched()
    at.put('project', 'clerk', agentMd('clerk', 'first'))
    await until('the change is known', () => used(at) === 'first')
  })

  it('is known when the file goes away', async () => {
    const at = watched(one)
    rmSync(join(at.home, '.satchel/agents/clerk.md'))
    await until('the change is known', () => used(at) === undefined)
  })

  it('is found by the regular look where nothing tells', async () => {
    const silent = () => ({ set: () => undefined, renew: () => undefined, close: () => undefined })
    const at = place({ watcher: silent, pollMs: 10 }, one)
    at.put('home', 'clerk', agentMd('clerk', 'new'))
    await until('the change is known', () => used(at) === 'new')
  })

  it('that changes nothing tells nobody', () => {
    const at = place({}, one)
    one(at)
    at.agents.refresh()
    expect(at.changes).toBe(0)
  })
})

it('tells once when a look finds that the project of an agent is trusted now', () => {
  const at = place({}, (at) => {
    at.put('project', 'clerk', agentMd('clerk', 'project'))
    at.rules = { trusted: false, projectOverPersonal: false }
  })
  at.rules = { trusted: true, projectOverPersonal: false }
  at.agents.refresh()
  at.agents.refresh()
  expect(at.changes).toBe(1)
})

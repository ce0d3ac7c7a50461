import { expect, test } from 'vitest'
import { testWorld } from './cli-world'

const SKILL = '---\nname: team\ndescription: Does it. Use for it.\npriority: 2\nx-mine: 1\n---\n# Team\n'

test('show tells what Satchel does with every key of the header', async () => {
  const world = testWorld({ columns: 200, env: { NO_COLOR: '1' } })
  world.write('home/.satchel/skills/team/SKILL.md', SKILL)
  const { out } = await world.run('skills', 'show', 'team')
  expect(out).toMatch(/^ {2}priority +The higher one wins among copies with the same name in one scope\.$/m)
  expect(out).toMatch(/^ {2}x-mine +Kept, not used\.$/m)
  expect(out).not.toMatch(/^Git/m)
  const { result: json }: { result: { fields: unknown[]; origin?: string } } = await world.json(
    'skills',
    'show',
    'team',
  )
  expect(json.fields).toContainEqual({ key: 'x-mine', use: 'keeps', what: 'Kept, not used.' })
  expect(json.origin).toBeUndefined()
})

test('show tells the remote, branch and commit of a checkout, without its password', async () => {
  const world = testWorld({ columns: 200, env: { NO_COLOR: '1' } })
  world.write('home/src/kit/skills/team/SKILL.md', SKILL)
  world.write('home/src/kit/.git/HEAD', 'ref: refs/heads/main\n')
  world.write('home/src/kit/.git/refs/heads/main', `${'0123456789'.repeat(4)}\n`)
  world.write(
    'home/src/kit/.git/config',
    '[remote "origin"]\n  url = https://ada:secret@git.example.com/team/kit.git\n',
  )
  world.write(
    'home/.satchel/sources.json',
    JSON.stringify({ version: 1, sources: [{ kind: 'git', dir: '~/src/kit' }] }),
  )
  const { out } = await world.run('skills', 'show', 'team')
  expect(out).toMatch(/^Git +https:\/\/git\.example\.com\/team\/kit\.git \(main 0123456\)$/m)
  expect(out).not.toContain('secret')
  const { result: json }: { result: { fields: unknown[]; origin?: string } } = await world.json(
    'skills',
    'show',
    'team',
  )
  expect(json.origin).toBe('https://git.example.com/team/kit.git (main 0123456)')
})

test('show says that the agent of a fork is not there, and nothing where it is', async () => {
  const world = testWorld({ columns: 200, env: { NO_COLOR: '1' } })
  const forked = SKILL.replace('priority: 2', 'context: fork\nagent: cartographer')
  world.write('home/.satchel/skills/team/SKILL.md', forked)
  const codes = async () => {
    const { result }: { result: { diagnostics: { code: string }[] } } = await world.json(
      'skills',
      'show',
      'team',
    )
    return result.diagnostics.map(({ code }) => code)
  }
  expect(await codes()).toContain('agent-unknown')
  world.write(
    'home/.satchel/agents/cartographer.md',
    '---\nname: cartographer\ndescription: D.\n---\nYou draw.\n',
  )
  expect(await codes()).not.toContain('agent-unknown')
})

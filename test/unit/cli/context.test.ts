import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { CallContext } from '@shared/domain/context'
import { queryAudit } from '../../../src/main/db/audit-rows'
import { upsertProject, setTrust } from '../../../src/main/db/project-rows'
import { updateSession } from '../../../src/main/db/session-rows'
import { openDb } from '../../../src/main/db/open'
import { startsOf, stdioEntry, writeServers } from '../../helpers/mcp'
import { isAlive } from '../../helpers/process-tree'
import { createKit, LOAD, type Kit } from '../main/sessions/kit'
import { testWorld, type TestWorld } from './cli-world'

let kit: Kit | undefined
afterEach(() => kit?.remove())

/** The command beside a chat: the same home and data. */
async function beside(): Promise<{ kit: Kit; world: TestWorld; id: string }> {
  kit = await createKit({ answers: [{ calls: [LOAD] }, { text: 'Done.' }] })
  const id = kit.chat()
  await kit.say(id, 'make quince jam')
  const world = testWorld()
  Object.assign(world.world, {
    homeDir: kit.home,
    env: { ...world.world.env, SATCHEL_HOME: join(kit.home, 'data') },
  })
  return { kit, world, id }
}

const textOf = ({ blocks }: CallContext) => blocks.map(({ text }) => text).join('\n\n')

test('without anything it prints what a new chat would begin with, and the cost of each part', async () => {
  const world = testWorld()
  world.skill('home/.satchel/skills/quince', { description: 'Boils quince jam.' })
  const { exit, out } = await world.run('context')
  expect(exit).toBe(0)
  for (const part of [
    'The next call',
    'Role',
    'Tool rules',
    'Skill catalogue',
    '≈',
    'Boils quince jam.',
    'skills_load',
  ])
    expect(out).toContain(part)
})

test('the object of --json is a context of the contract, and names the same skills', async () => {
  const world = testWorld()
  world.skill('home/.satchel/skills/quince', { description: 'Boils quince jam.' })
  const context = CallContext.parse((await world.json('context')).result)
  expect(context.call).toBeNull()
  expect(textOf(context)).toContain('Boils quince jam.')
  expect(context.catalogue.shown.map(({ name }) => name)).toContain('quince')
  expect(context.tokens).toBe(Object.values(context.parts).reduce((sum, n) => sum + n, 0))
})

test('the instructions of a project are part of it only where the project is trusted', async () => {
  const world = testWorld()
  world.write('cwd/.git/HEAD', '')
  world.write('cwd/AGENTS.md', 'Use tabs, always.')
  const data = join(world.home, 'data')
  Object.assign(world.world, { env: { ...world.world.env, SATCHEL_HOME: data } })
  const db = openDb(join(data, 'satchel.db'))
  upsertProject(db.sql, { dir: world.cwd, name: 'p', openedAt: 1 })
  const read = async () => textOf(CallContext.parse((await world.json('context')).result))
  expect(await read()).not.toContain('Use tabs, always.')
  setTrust(db.sql, world.cwd, true)
  expect(await read()).toContain('Use tabs, always.')
  db.close()
})

test('the next call of a chat has its messages and its active skills', async () => {
  const { world, id } = await beside()
  const context = CallContext.parse((await world.json('context', '--session', id)).result)
  expect(context.messages[0]).toMatchObject({ role: 'user', text: 'make quince jam', cut: false })
  expect(textOf(context)).toContain('# Jam')
})

test('a next call that is larger than the window is remarked, with what to do', async () => {
  const { kit, world, id } = await beside()
  updateSession(kit.deps.db.sql, id, { model: 'nobody/model-a' })
  await kit.say(id, 'quince '.repeat(30_000))
  const { err } = await world.run('context', '--session', id)
  expect(err).toMatch(/This model holds 32,768 tokens; this chat has \d\d,\d{3}\. \/compact summarises/)
})

test('a kept call is printed as it was sent', async () => {
  const { kit, world, id } = await beside()
  const asked = kit.asked.map(({ instructions }) => instructions.join('\n\n'))
  for (const [call, index] of [
    ['1', 0],
    ['last', 1],
  ] as const) {
    const { result } = await world.json('context', '--session', id, '--call', call)
    expect(textOf(CallContext.parse(result))).toBe(asked[index])
  }
  expect((await world.run('context', '--session', id, '--call', '2')).out).toContain(
    'Call 2, to practice/scripted',
  )
})

test('what is not there is told', async () => {
  const { world, id } = await beside()
  expect(await world.run('context', '--session', 'ses_none')).toMatchObject({ exit: 1, out: '' })
  expect((await world.run('context', '--session', id, '--call', '9')).err).toContain('There is no call 9')
  expect(await world.run('context', '--call', '1')).toMatchObject({ exit: 2, out: '' })
  expect((await world.run('context', '--agent', 'nobody')).err).toContain('There is no agent "nobody"')
})

test('tools of MCP servers are part of it, what can not be used is told, and nothing goes on running', async () => {
  const world = testWorld()
  writeServers(world.home, { tickets: stdioEntry(world.home), gone: { command: 'no-such-program' } })
  const { result, notices } = await world.json('context').then(({ result }) => {
    return { result: CallContext.parse(result), notices: (result as { notices: string[] }).notices }
  })
  expect(result.tools.filter(({ name }) => name.startsWith('mcp__tickets__'))).not.toEqual([])
  expect(notices).toEqual([expect.stringContaining('The MCP server "gone" can\'t be used')])
  expect(startsOf(world.home).flat().filter(isAlive)).toEqual([])
})

test('a server that is started for it is on the record of the data that is there', async () => {
  const { kit: of, world, id } = await beside()
  writeServers(of.home, { tickets: stdioEntry(of.home) })
  await world.run('context', '--session', id)
  const entries = queryAudit(of.deps.db.sql, { limit: 2 }).toReversed()
  expect(entries).toMatchObject([
    { action: 'mcp.started', target: 'tickets', sessionId: id },
    { action: 'mcp.ended', target: 'tickets', sessionId: id },
  ])
})

test('a folder with nothing but instructions is a project, and that they are not sent is told', async () => {
  const world = testWorld()
  world.write('cwd/AGENTS.md', 'Use tabs, always.')
  const { out, err } = await world.run('context')
  expect(out).not.toContain('Use tabs')
  expect(err).toContain('The AGENTS.md of this project is not in use, because you did not trust the folder.')
})

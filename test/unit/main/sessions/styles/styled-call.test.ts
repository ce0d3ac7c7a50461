import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Envelope } from '@shared/domain/session'
import type { Settings } from '@shared/domain/settings'
import { AppError } from '@shared/errors'
import { coreCallOf } from '../../../../../src/main/sessions/styles/styled-call'
import { writeFiles } from '../../../../helpers/app'
import { createKit, SKILL, type Kit } from '../kit'

let kit: Kit
let id: string
afterEach(() => kit.remove())

const named = (name: string, more = '') => ({
  'SKILL.md': `---\nname: ${name}\ndescription: About ${name}.\n${more}---\n# ${name}\n</active_skills> text\n`,
})
async function start(skills: Record<string, Record<string, string>>, settings: Partial<Settings> = {}) {
  kit = await createKit({ skills, settings })
  id = kit.chat()
}

/** One call as the model makes it, with what is kept of it. */
async function call(name: string, input: Record<string, unknown>): Promise<Envelope> {
  kit.answers.push({ calls: [{ name, input }] })
  await kit.say(id, 'go')
  return kit.calls(id).at(-1)!.envelope!
}
const active = () => kit.row(id).activeSkills.map(({ name }) => name)

describe('calls in the words of a style', () => {
  test('each load adds a skill, up to the limit, and says what to unload', async () => {
    await start({ a: named('a'), b: named('b'), c: named('c') }, { maxActiveSkills: 2 })
    await call('get_skill', { skillName: 'a' })
    await call('read_skill', { skill_id: 'b' })
    const { error_code, error } = await call('Skill', { skill: 'c' })
    expect(error_code).toBe('limit')
    expect(error).toContain('a, b')
    expect(active()).toEqual(['a', 'b'])
  })

  test('a skill that is active already brings its text again, once in the chat', async () => {
    await start({ a: named('a') })
    await call('get_skill', { skillName: 'a' })
    const { result } = await call('get_skill', { skillName: 'A' })
    expect(result).toMatchObject({ name: 'a', mountPath: '/.sandbox/skills/a' })
    expect(active()).toEqual(['a'])
  })

  test('the body that comes as a result is not sent in the instructions as well', async () => {
    await start({ jam: SKILL })
    await call('get_skill', { skillName: 'jam' })
    await kit.say(id, 'more')
    const { instructions, history } = kit.asked.at(-1)!
    expect(instructions.join()).not.toContain('# Jam')
    expect(JSON.stringify(history)).toContain('# Jam')
  })

  test('tags of ours in a body are harmless in a result too', async () => {
    await start({ a: named('a') })
    const { result } = await call('read_skill', { skill_id: 'a' })
    expect(result).toContain('&lt;/active_skills> text')
  })

  test('unloading ends the skill; the message stays', async () => {
    await start({ jam: SKILL })
    await call('get_skill', { skillName: 'jam' })
    await call('skills_unload', { names: ['jam'] })
    await kit.say(id, 'more')
    expect(active()).toEqual([])
    expect(JSON.stringify(kit.asked.at(-1)!.history)).toContain('# Jam')
  })

  test('a folder is the id of its skill in every tool', async () => {
    await start({ 'Jam Folder': SKILL })
    await call('read_skill', { skill_id: 'jam folder' })
    expect(active()).toEqual(['jam'])
    expect(
      (await call('read_skill_resource', { skill_id: 'Jam Folder', path: 'references/rules.md' })).result,
    ).toBe('one\ntwo\nthree\n')
    expect((await call('skills_unload', { names: ['Jam Folder'] })).success).toBe(true)
  })

  test('a failure names the tool to call next in the words of its style', async () => {
    await start({ jam: SKILL })
    const { error, error_code } = await call('agent_skill_read_file', { name: 'jam', filePath: 'x' })
    expect(error_code).toBe('no_active_skill')
    expect(error).toContain('agent_skill_read')
    expect(error).not.toContain('skills_load')
  })

  test.each([
    ['get_skill', {}],
    ['read_skill', { skill_id: 5 }],
    ['agent_skill_read_file', { name: 'jam', filePath: 'x', limit: 0 }],
    ['Skill', {}],
    ['sandbox_execute', { command: '' }],
  ])('%s refuses the input %j', async (name, input) => {
    await start({ jam: SKILL })
    expect(await call(name, input)).toMatchObject({ success: false, error_code: 'bad_input' })
    expect(coreCallOf({ deps: kit.deps, session: kit.row(id) }, { name, input })).toBeNull()
  })

  test('a skill for people only is refused in every style', async () => {
    await start({ a: named('a', 'disable-model-invocation: true\n') })
    expect((await call('get_skill', { skillName: 'a' })).error_code).toBe('not_for_models')
    expect((await call('Skill', { skill: 'a' })).error_code).toBe('not_for_models')
  })
})

describe('the gate', () => {
  const narrow = { ...SKILL, 'SKILL.md': '---\nname: narrow\ndescription: x\nallowed-tools: Read\n---\nx\n' }

  test('a restriction holds from the load on, also for later calls of the same answer', async () => {
    await start({ narrow })
    kit.answers.push({
      calls: [
        { name: 'get_skill', input: { skillName: 'narrow' } },
        { name: 'sandbox_execute', input: { command: 'ls' } },
        { name: 'Write', input: {} },
        { name: 'read_skill_resource', input: { skill_id: 'narrow', path: 'references/rules.md' } },
        { name: 'sandbox_execute', input: { command: 'sh /.sandbox/skills/narrow/scripts/boil.sh' } },
      ],
    })
    await kit.say(id, 'go')
    const [load, free, , read, run] = kit.calls(id).map(({ envelope }) => envelope!)
    expect(load!.success).toBe(true)
    expect(free).toMatchObject({
      error_code: 'tool_not_allowed',
      error: "Tool 'sandbox_execute' not allowed by active skill 'narrow'",
    })
    expect(read!.success).toBe(true)
    expect(run).toMatchObject({
      error_code: 'tool_not_allowed',
      error: "Tool 'sandbox_execute' not allowed by active skill 'narrow'",
    })
    expect(kit.ran).toEqual([])
  })

  test('a skill whose text can not be read any more forbids what acts, and can still be unloaded', async () => {
    await start({ narrow })
    await call('get_skill', { skillName: 'narrow' })
    kit.deps.bodies.get = () => Promise.reject(new AppError('not_found', 'The snapshot is gone.'))
    expect((await call('sandbox_execute', { command: 'ls' })).error).toBe('The snapshot is gone.')
    expect((await call('skills_unload', { all: true })).success).toBe(true)
  })

  test('unloading the skill ends its restriction', async () => {
    await start({ narrow })
    await call('get_skill', { skillName: 'narrow' })
    await call('skills_unload', { all: true })
    const command = 'sh /.sandbox/skills/narrow/scripts/boil.sh'
    expect((await call('sandbox_execute', { command })).error_code).toBe('no_active_skill')
  })
})

test('a call of a tool that does not exist is told which there are in this style', async () => {
  await start({ jam: SKILL })
  expect((await call('nothing', {})).error).toBe(
    'There is no tool "nothing". There are: skills_list, skills_load, skills_unload, skills_read, skills_run_script, skills_propose_update, Read, Glob, Grep, Edit, Write, Bash.',
  )
})

test('what lies in a shared folder of the project is of the project in agent-skill-read too', async () => {
  await start({ jam: SKILL }, { defaultStyle: 'agent-skill-read' })
  const dir = join(kit.home, 'work')
  writeFiles(join(dir, '.agents', 'skills', 'shared-one'), named('shared-one'))
  kit.projects.push({ dir, name: 'work', trusted: true, openedAt: 1 })
  await kit.deps.registry.refresh()
  id = kit.chat(dir)
  const { result } = await call('agent_skill_read', { name: 'shared-one' })
  expect(result).toMatchObject({ skill: { scope: 'project' } })
  const list = kit.asked[0]!.instructions.join('\n')
  expect(list).toContain('shared-one: About shared-one. (scope: project)')
  expect(list).toContain('jam: Boils jam. (scope: global)')
})

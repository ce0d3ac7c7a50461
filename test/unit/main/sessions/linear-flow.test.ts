import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Envelope } from '@shared/domain/session'
import { brokenPrefix, createKit, type Kit } from './kit'

/** A skill whose text, file and script tell whose they are. */
const named = (name: string) => ({
  'SKILL.md': `---\nname: ${name}\ndescription: Is ${name}.\n---\nThe text of ${name}.\n`,
  'references/own.md': `The file of ${name}.\n`,
  'scripts/own.sh': `echo ${name}\n`,
})
const load = (name: string, mode = 'replace') => ({ name: 'skills_load', input: { names: [name], mode } })

let kit: Kit
let id: string

beforeEach(async () => {
  kit = await createKit({ skills: { jam: named('jam'), tea: named('tea') } })
  id = kit.chat()
})
afterEach(async () => {
  expect(brokenPrefix(kit.asked)).toBeNull()
  await kit.remove()
})

const instructions = (call: number) => kit.asked[call]!.instructions.join('\n')
const lastEnvelope = (): Envelope => kit.calls(id).at(-1)!.envelope!

describe('"Linear Turn-by-Turn Runtime Behavior" (S1)', () => {
  test('a skill that was chosen is in the instructions of the next call, and its call and result in the messages', async () => {
    kit.answers.push({ calls: [load('jam')] }, { text: 'Done.' })
    await kit.say(id, 'Use jam.')
    expect(instructions(0)).toContain('<name>jam</name><description>Is jam.</description>')
    expect(instructions(0)).toMatch(/Call skills_load before you use a skill/)
    expect(instructions(0)).not.toContain('The text of jam.')
    expect(instructions(1)).toContain('<name>jam</name>')
    expect(instructions(1)).toContain('The text of jam.')
    expect(kit.asked[0]!.history.map(({ role }) => role)).toEqual(['user'])
    expect(kit.asked[1]!.history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  })

  test('switching puts the text of the new skill in the place of the old one, and rewrites no message', async () => {
    kit.answers.push({ calls: [load('jam')] }, { calls: [load('tea')] }, { text: 'Done.' })
    await kit.say(id, 'First jam, then tea.')
    expect(instructions(1)).toContain('The text of jam.')
    expect(instructions(2)).toContain('The text of tea.')
    expect(instructions(2)).not.toContain('The text of jam.')
    expect(kit.asked[2]!.history).toHaveLength(5)
  })

  test('a skill that was unloaded leaves the instructions of the next call', async () => {
    const unload = { name: 'skills_unload', input: { all: true } }
    kit.answers.push({ calls: [load('jam')] }, { calls: [unload] }, { text: 'Done.' })
    await kit.say(id, 'Use jam, then stop it.')
    expect(instructions(1)).toContain('<active_skills>')
    expect(instructions(2)).not.toContain('<active_skills>')
  })

  test('what a chat loaded is in no other chat', async () => {
    kit.answers.push({ calls: [load('jam')] }, { text: 'Done.' }, { text: 'Hello.' })
    await kit.say(id, 'Use jam.')
    await kit.say(kit.chat(), 'Hello')
    expect(instructions(2)).not.toContain('The text of jam.')
    kit.asked.length = 0
  })
})

describe('with two active skills (S1, "Runtime Tools Specification")', () => {
  beforeEach(async () => {
    kit.answers.push({ calls: [load('jam'), load('tea', 'add')] }, { text: 'Both.' })
    await kit.say(id, 'Load both.')
  })

  test.each([
    ['the one that was loaded last', {}, 'tea'],
    ['the one that is named', { skill: 'jam' }, 'jam'],
  ])('a file is read from %s', async (_what, which, name) => {
    kit.answers.push({ calls: [{ name: 'skills_read', input: { path: 'references/own.md', ...which } }] })
    await kit.say(id, 'Read.')
    expect(lastEnvelope().result).toMatchObject({ content: `The file of ${name}.\n` })
  })

  test.each([
    ['the one that was loaded last', {}, 'tea'],
    ['the one that is named', { skill: 'jam' }, 'jam'],
  ])('a script of %s is asked for, with its arguments and variables', async (_what, which, name) => {
    const input = { path: 'scripts/own.sh', args: ['--in', 'a b'], env: { KEY: 'VALUE' }, ...which }
    kit.answers.push({ calls: [{ name: 'skills_run_script', input }] }, { text: 'Done.' })
    await kit.say(id, 'Run.', 'awaiting_approval')
    await kit.decide(kit.waiting(id), 'once')
    await kit.until(id, 'idle')
    expect(kit.ran[0]!.plan).toMatchObject({
      skill: { name },
      argv: ['/usr/bin/bash', 'scripts/own.sh', '--in', 'a b'],
      env: [{ name: 'KEY', value: 'VALUE' }],
    })
    expect(lastEnvelope().result).toMatchObject({
      path: 'scripts/own.sh',
      exit_code: 0,
      stdout: 'boiled\n',
      stderr: '',
    })
  })
})

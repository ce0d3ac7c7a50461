import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { onlyLooks } from '../../../../../src/main/sessions/turn/looking'
import { createKit, LOAD, type Kit } from '../kit'
import type { ScriptedCall } from '../scripted'

describe('a tool that only looks', () => {
  test.each([
    ['skills_list', true],
    ['skills_read', true],
    ['Glob', true],
    ['list_skills', true],
    ['skills_load', false],
    ['skills_run_script', false],
    ['Write', false],
    ['Bash', false],
    ['mcp__notes__list', false],
    ['unheard_of', false],
  ])('%s: %s', (name, looks) => expect(onlyLooks(name)).toBe(looks))
})

describe('what waits for the disk', () => {
  let kit: Kit
  /** How often a transaction waited, by the state of the calls after it. */
  let waited: number
  beforeEach(async () => {
    kit = await createKit()
    waited = 0
    const { durable } = kit.deps.db
    kit.deps.db.durable = (work) => {
      waited += 1
      return durable(work)
    }
  })
  afterEach(() => kit.remove())

  async function turnWith(call: ScriptedCall): Promise<number> {
    kit.answers.push({ calls: [call] }, { text: 'Done.' })
    const id = kit.chat()
    waited = 0
    await kit.say(id, 'go')
    expect(kit.calls(id)[0]?.envelope).not.toBeNull()
    return waited
  }

  test('nothing, in a turn that only looks', async () => {
    expect(await turnWith({ name: 'skills_list', input: {} })).toBe(0)
  })

  test('the answer that loads a skill, and the load with its entry in the record', async () => {
    expect(await turnWith(LOAD)).toBe(2)
  })

  test('the entry in the record of what was read', async () => {
    kit.answers.push({ calls: [LOAD] }, { text: 'Loaded.' })
    const id = kit.chat()
    await kit.say(id, 'load')
    waited = 0
    kit.answers.push({ calls: [{ name: 'skills_read', input: {} }] }, { text: 'Read.' })
    await kit.say(id, 'read')
    expect(waited).toBe(1)
  })
})

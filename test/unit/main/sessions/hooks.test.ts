import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { runPlanOf } from '@shared/domain/approval'
import { brokenPrefix, createKit, type Kit } from './kit'

const jam = (hooks: string, more = '') => ({
  'SKILL.md': `---\nname: jam\ndescription: Jam.\n${hooks}${more}---\nCook.\n`,
  'scripts/check.sh': 'echo check\n',
  'scripts/after.sh': 'echo after\n',
})
const PRE = 'hooks:\n  pre: scripts/check.sh\n'
const POST = 'hooks:\n  post: scripts/after.sh\n'
const LOAD = { name: 'skills_load', input: { names: ['jam'] } }
const UNLOAD = { name: 'skills_unload', input: { all: true } }

let kit: Kit
const start = async (files: Record<string, string>) => {
  kit = await createKit({
    skills: { jam: files, tea: { 'SKILL.md': '---\nname: tea\ndescription: T.\n---\nT\n' } },
  })
  return kit.chat()
}
const active = (id: string) => kit.row(id).activeSkills.map(({ name }) => name)
const hookOf = (id: string) => {
  const plan = runPlanOf(kit.waiting(id).plan)
  return `${plan?.kind} ${plan?.script?.path} ${plan?.env.find(({ name }) => name === 'SKILL_HOOK')?.value}`
}
const allow = async (id: string, state: 'idle' | 'awaiting_approval' = 'idle') => {
  await kit.decide(kit.waiting(id), 'once')
  await kit.until(id, state)
}

afterEach(async () => {
  expect(brokenPrefix(kit.asked)).toBeNull()
  await kit.remove()
})

describe('a pre-hook', () => {
  test('is asked for before its skill is loaded, and the load goes on when it ends well', async () => {
    const id = await start(jam(PRE))
    kit.answers.push({ calls: [LOAD] }, { text: 'done' })
    await kit.say(id, 'go', 'awaiting_approval')
    expect(hookOf(id)).toBe('hook scripts/check.sh pre')
    expect(kit.waiting(id).plan).toMatchObject({ stdin: null, interactive: false })
    expect(active(id)).toEqual([])
    await allow(id)
    expect(kit.ran).toHaveLength(1)
    expect(active(id)).toEqual(['jam'])
    expect(kit.calls(id)[0]).toMatchObject({ state: 'done' })
  })

  test('of a skill that a person adds is asked for, and nothing is said to the model', async () => {
    const id = await start(jam('hooks:\n  pre: scripts/check.sh\n  post: scripts/after.sh\n'))
    await kit.sessions.loadSkill(id, 'jam')
    await kit.until(id, 'awaiting_approval')
    expect(hookOf(id)).toBe('hook scripts/check.sh pre')
    expect(active(id)).toEqual([])
    await allow(id, 'awaiting_approval')
    expect(active(id)).toEqual(['jam'])
    expect(hookOf(id)).toBe('hook scripts/after.sh post')
    await allow(id)
    expect(kit.asked).toEqual([])
    expect(kit.ran).toHaveLength(2)
  })

  test('of a skill that a message names is asked for before the model is called', async () => {
    const id = await start(jam(PRE))
    await kit.say(id, '/jam', 'awaiting_approval')
    expect(kit.asked).toEqual([])
    await allow(id)
    expect(kit.asked[0]?.instructions.join('')).toContain('Cook.')
  })

  test('that is refused leaves the skill out, and the agent is told with the note', async () => {
    const id = await start(jam(PRE))
    kit.answers.push({ calls: [LOAD] }, { text: 'so be it' })
    await kit.say(id, 'go', 'awaiting_approval')
    await kit.decide(kit.waiting(id), 'deny', 'not now')
    await kit.until(id, 'idle')
    expect(kit.ran).toEqual([])
    expect(active(id)).toEqual([])
    expect(kit.calls(id)[0]?.envelope).toMatchObject({
      error_code: 'hook_failed',
      error: 'Nothing was loaded. The hook scripts/check.sh of "jam" was denied. Written with it: not now',
    })
  })

  test('that ends with another exit code leaves the skill out, with its last lines', async () => {
    const id = await start(jam(PRE))
    kit.run.exitCode = 3
    kit.answers.push({ calls: [LOAD] })
    await kit.say(id, 'go', 'awaiting_approval')
    await allow(id)
    expect(active(id)).toEqual([])
    expect(kit.calls(id)[0]?.envelope?.error).toBe(
      'Nothing was loaded. The hook scripts/check.sh of "jam" ended with exit code 3. Its last lines: boiled',
    )
  })

  test.each([
    ['hooks:\n  pre: scripts/none.sh\n', 'has no script'],
    ['hooks:\n  pre: ../../outside.sh\n', "can't run"],
    ['hooks:\n  pre: /bin/sh\n', "can't run"],
    ['hooks:\n  pre: [a.sh, b.sh, c.sh, d.sh]\n', 'at most 3 are run'],
  ])('%s refuses the load without asking anybody', async (hooks, words) => {
    const id = await start(jam(hooks))
    kit.answers.push({ calls: [LOAD] })
    await kit.say(id, 'go')
    expect(kit.calls(id)[0]?.envelope).toMatchObject({ error_code: 'hook_failed' })
    expect(kit.calls(id)[0]?.envelope?.error).toContain(words)
    expect(active(id)).toEqual([])
    expect(kit.ran).toEqual([])
  })

  test('is asked for one after the other, and all must end well', async () => {
    const id = await start(jam('hooks:\n  pre: [scripts/check.sh, scripts/after.sh]\n'))
    kit.answers.push({ calls: [LOAD] })
    await kit.say(id, 'go', 'awaiting_approval')
    expect(hookOf(id)).toBe('hook scripts/check.sh pre')
    await allow(id, 'awaiting_approval')
    expect(hookOf(id)).toBe('hook scripts/after.sh pre')
    expect(active(id)).toEqual([])
    await allow(id)
    expect(active(id)).toEqual(['jam'])
    expect(kit.ran).toHaveLength(2)
  })

  test('still waits after a restart, and runs once', async () => {
    const id = await start(jam(PRE))
    kit.answers.push({ calls: [LOAD] })
    await kit.say(id, 'go', 'awaiting_approval')
    kit = await kit.restart([{ text: 'done' }])
    expect(kit.row(id).state).toBe('awaiting_approval')
    await allow(id)
    expect(active(id)).toEqual(['jam'])
    expect(kit.ran).toHaveLength(1)
  })

  test('that a crash ended is told as interrupted, loads nothing, and is not run again', async () => {
    const id = await start(jam(PRE))
    kit.run.during = () => new Promise(() => undefined)
    kit.sessions.send(id, '/jam')
    await kit.until(id, 'awaiting_approval')
    await kit.decide(kit.waiting(id), 'once')
    await vi.waitFor(() => expect(kit.ran).toHaveLength(1))
    kit = await kit.crash([{ text: 'I see' }])
    expect(kit.row(id).state).toBe('interrupted')
    expect(kit.calls(id)[0]).toMatchObject({
      state: 'interrupted',
      envelope: {
        error: expect.stringMatching(
          /^Nothing was loaded\. Satchel ended while its hook ran\. It is not run again/,
        ),
      },
    })
    kit.sessions.resume(id)
    await kit.until(id, 'idle')
    expect(kit.ran).toEqual([])
    expect(active(id)).toEqual([])
    expect(kit.said(id).at(-1)).toBe('assistant: I see')
  })

  test('that changed while it waited is asked for again', async () => {
    const id = await start(jam(PRE))
    kit.answers.push({ calls: [LOAD] })
    await kit.say(id, 'go', 'awaiting_approval')
    writeFileSync(join(kit.home, '.satchel/skills/jam/scripts/check.sh'), 'rm -rf ~\n')
    await kit.deps.registry.refresh()
    expect((await kit.decide(kit.waiting(id), 'once')).status).toBe('stale')
    expect(kit.waiting(id).status).toBe('pending')
    expect(kit.ran).toEqual([])
    expect(active(id)).toEqual([])
  })

  test('whose skill is gone at the click runs nothing', async () => {
    const id = await start(jam(PRE))
    kit.answers.push({ calls: [LOAD] })
    await kit.say(id, 'go', 'awaiting_approval')
    rmSync(join(kit.home, '.satchel/skills/jam'), { recursive: true })
    await kit.deps.registry.refresh()
    expect((await kit.decide(kit.waiting(id), 'once')).status).toBe('stale')
    await kit.until(id, 'idle')
    expect(kit.ran).toEqual([])
  })

  test('of one skill is forbidden by the list of another, and not by that of its own', async () => {
    const id = await start(jam(PRE, 'allowed-tools: [Read]\n'))
    writeFileSync(
      join(kit.home, '.satchel/skills/tea/SKILL.md'),
      '---\nname: tea\ndescription: T.\nallowed-tools: [Read]\n---\nT\n',
    )
    await kit.deps.registry.refresh()
    kit.answers.push({ calls: [LOAD] })
    await kit.say(id, 'go', 'awaiting_approval')
    await allow(id)
    await kit.say(id, '/tea')
    kit.answers.push({ calls: [{ name: 'skills_unload', input: { names: ['jam'] } }] }, { calls: [LOAD] })
    await kit.say(id, 'go')
    expect(kit.calls(id).at(-1)?.envelope?.error).toContain("not allowed by active skill 'tea'")
  })
})

describe('a post-hook', () => {
  test('is asked for at the end of the turn that loaded its skill, once', async () => {
    const id = await start(jam(POST))
    kit.answers.push({ calls: [LOAD] }, { text: 'done' })
    await kit.say(id, 'go', 'awaiting_approval')
    expect(kit.said(id).at(-2)).toBe('assistant: done')
    expect(hookOf(id)).toBe('hook scripts/after.sh post')
    await allow(id)
    await kit.say(id, 'more')
    kit.answers.push({ calls: [UNLOAD] })
    await kit.say(id, 'unload it')
    expect(kit.ran).toHaveLength(1)
    expect(active(id)).toEqual([])
  })

  test('is asked for at the unload when that comes first', async () => {
    const id = await start(jam(POST))
    kit.answers.push({ calls: [LOAD] }, { calls: [UNLOAD] })
    await kit.say(id, 'go', 'awaiting_approval')
    expect(kit.calls(id).at(-1)?.name).toBe('skills_unload')
    expect(active(id)).toEqual(['jam'])
    await allow(id)
    expect(active(id)).toEqual([])
    expect(kit.ran).toHaveLength(1)
  })

  test('is asked for when another skill takes the place of its own', async () => {
    const id = await start(jam(POST))
    kit.answers.push({ calls: [LOAD] }, { calls: [{ name: 'skills_load', input: { names: ['tea'] } }] })
    await kit.say(id, 'go', 'awaiting_approval')
    await allow(id)
    expect(active(id)).toEqual(['tea'])
    expect(kit.ran).toHaveLength(1)
  })

  test('that fails is shown, told with the next message, and never run again', async () => {
    const id = await start(jam(POST))
    kit.run.exitCode = 1
    kit.answers.push({ calls: [LOAD] }, { text: 'done' })
    await kit.say(id, 'go', 'awaiting_approval')
    await allow(id)
    expect(kit.calls(id).at(-1)).toMatchObject({ state: 'failed', envelope: { error_code: 'hook_failed' } })
    await kit.say(id, 'and now?')
    expect(kit.asked.at(-1)?.history.at(-1)).toEqual({
      role: 'user',
      text: 'and now?\n\n(Satchel: The hook scripts/after.sh of "jam" ended with exit code 1. Its last lines: boiled)',
    })
    expect(kit.ran).toHaveLength(1)
    expect(kit.calls(id)).toHaveLength(2)
  })

  test('that is refused at an unload lets the skill go, and says so', async () => {
    const id = await start(jam(POST))
    kit.answers.push({ calls: [LOAD] }, { calls: [UNLOAD] })
    await kit.say(id, 'go', 'awaiting_approval')
    await kit.decide(kit.waiting(id), 'deny')
    await kit.until(id, 'idle')
    expect(active(id)).toEqual([])
    expect(kit.calls(id).at(-1)?.envelope?.result).toMatchObject({
      warnings: ['The hook scripts/after.sh of "jam" was denied.'],
    })
  })

  test('can not be called by a model', async () => {
    const id = await start(jam(POST))
    kit.answers.push({ calls: [{ name: 'skills_post_hooks', input: { key: 'x', name: 'jam' } }] })
    await kit.say(id, 'go')
    expect(kit.calls(id)[0]?.envelope?.error_code).toBe('not_found')
    expect(kit.asked.at(-1)?.tools.map(({ name }) => name)).not.toContain('skills_post_hooks')
  })
})

describe('hooks', () => {
  test.each([
    'hooks: scripts/check.sh\n',
    'hooks:\n  PreToolUse:\n    - command: rm -rf /\n',
    'hooks: [a]\n',
  ])('of other shapes run nothing: %s', async (hooks) => {
    const id = await start(jam(hooks))
    kit.answers.push({ calls: [LOAD] }, { calls: [UNLOAD] })
    await kit.say(id, 'go')
    expect(kit.deps.broker.pending()).toEqual([])
    expect(kit.calls(id)).toMatchObject([{ state: 'done' }, { state: 'done' }])
  })

  test('run by nothing but a load: a person sees and searches the skill without one', async () => {
    await start(jam(PRE))
    await kit.deps.registry.refresh()
    expect(kit.deps.registry.list(null).length).toBeGreaterThan(0)
    expect(kit.deps.broker.pending()).toEqual([])
    expect(kit.ran).toEqual([])
  })
})

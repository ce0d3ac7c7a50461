import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { DisclosureStyle } from '@shared/domain/settings'
import { writeFiles } from '../../../helpers/app'
import { brokenPrefix, createKit, type Kit } from './kit'
import type { ScriptedCall } from './scripted'

/** Tools of every style that only load and read: no list forbids them. */
const EXEMPT = new Set(
  (
    'skills_load skills_unload skills_list skills_read get_skill read_skill list_skills read_skill_resource ' +
    'agent_skill_read agent_skill_read_file Skill'
  ).split(' '),
)
/** One call of each tool with an input that it takes. */
const INPUTS: Record<string, Record<string, unknown>> = {
  skills_load: { names: ['narrow'], mode: 'add' },
  skills_unload: { names: ['other'] },
  skills_list: {},
  skills_read: {},
  skills_run_script: { path: 'scripts/x.sh' },
  skills_propose_update: { skill: 'narrow', diff: 'x', justification: 'y' },
  get_skill: { skillName: 'narrow' },
  sandbox_execute: { command: 'rm -rf x' },
  list_skills: {},
  read_skill: { skill_id: 'narrow' },
  read_skill_resource: { skill_id: 'narrow', path: 'SKILL.md' },
  propose_skill_update: { skill_id: 'narrow', diff: 'x', justification: 'y' },
  agent_skill_read: { name: 'narrow' },
  agent_skill_read_file: { name: 'narrow', filePath: 'SKILL.md' },
  Skill: { skill: 'narrow' },
  Read: { path: 'a.txt', file_path: 'a.txt' },
  Write: { path: 'a.txt', file_path: 'a.txt', content: 'x' },
  Edit: { path: 'a.txt', file_path: 'a.txt', old_string: 'a', new_string: 'b' },
  MultiEdit: { path: 'a.txt', file_path: 'a.txt', edits: [{ old_string: 'a', new_string: 'b' }] },
  Glob: { pattern: '*' },
  Grep: { pattern: 'x' },
  Bash: { command: 'rm -rf x' },
}
const files = (list: string) => ({
  'SKILL.md': `---\nname: narrow\ndescription: Narrow.\nallowed-tools: ${list}\n---\nText.\n`,
  'scripts/x.sh': 'echo x\n',
})

let kit: Kit

afterEach(async () => {
  expect(brokenPrefix(kit.asked)).toBeNull()
  await kit.remove()
})

/** Codes of one call of every tool that is offered, all in the answer after the load. */
async function codesOf(style: DisclosureStyle, list: string): Promise<Record<string, string>> {
  kit = await createKit({ skills: { narrow: files(list) }, settings: { defaultStyle: style } })
  const id = kit.chat()
  await kit.say(id, '/narrow')
  const offered = kit.asked[0]!.tools.map(({ name }) => name)
  const calls = offered.map((name): ScriptedCall => ({ name, input: INPUTS[name] ?? {} }))
  expect(offered.filter((name) => !INPUTS[name])).toEqual([])
  kit.answers.push({ calls })
  await kit.say(id, 'all')
  return Object.fromEntries(
    kit
      .calls(id)
      .slice(1)
      .map(({ name, envelope }) => [name, envelope?.error_code ?? 'done']),
  )
}

describe('allowed-tools in every style', () => {
  test.each(DisclosureStyle.options)('%s: an empty list refuses every tool but the exempt', async (style) => {
    for (const [name, code] of Object.entries(await codesOf(style, '[]'))) {
      if (EXEMPT.has(name)) expect([name, code]).not.toContain('tool_not_allowed')
      else expect([name, code]).toEqual([name, 'tool_not_allowed'])
    }
    expect(kit.ran).toEqual([])
  })

  test.each(DisclosureStyle.options)('%s: what the list names is not refused, all else is', async (style) => {
    for (const [name, code] of Object.entries(await codesOf(style, 'Glob, propose_skill_update'))) {
      const isListed = ['Glob', 'skills_propose_update', 'propose_skill_update'].includes(name)
      expect([name, code === 'tool_not_allowed']).toEqual([name, !EXEMPT.has(name) && !isListed])
    }
  })
})

describe('a list', () => {
  const narrow = async (list: string) => {
    kit = await createKit({ skills: { narrow: files(list) } })
    kit.answers.push({
      calls: [
        { name: 'skills_load', input: { names: ['narrow'] } },
        { name: 'skills_run_script', input: { path: 'scripts/x.sh' } },
      ],
    })
    return kit.chat()
  }

  test.each(['[]', '""', '[Read]', 'Read, Grep', '{tools: [Bash]}', 'true', '7'])(
    '%s holds from the load on, for the next call of the same answer',
    async (list) => {
      const id = await narrow(list)
      await kit.say(id, 'go')
      expect(kit.calls(id)[1]).toMatchObject({
        state: 'failed',
        envelope: {
          error_code: 'tool_not_allowed',
          error: "Tool 'skills_run_script' not allowed by active skill 'narrow'",
        },
      })
      expect(kit.deps.broker.pending()).toEqual([])
    },
  )

  test.each(['Bash', '[Bash]', 'Bash(bash:*)', 'Bash(bash scripts/x.sh)', ''])(
    '%s lets the script be asked for, and still asks',
    async (list) => {
      const id = await narrow(list)
      await kit.say(id, 'go', 'awaiting_approval')
      expect(kit.waiting(id).status).toBe('pending')
      expect(kit.ran).toEqual([])
    },
  )

  test('ends with the skill that brought it', async () => {
    const id = await narrow('[]')
    await kit.say(id, 'go')
    kit.answers.push({
      calls: [
        { name: 'skills_unload', input: { all: true } },
        { name: 'skills_run_script', input: { path: 'scripts/x.sh', skill: 'narrow' } },
      ],
    })
    await kit.say(id, 'again')
    expect(kit.calls(id).at(-1)?.envelope?.error_code).toBe('no_active_skill')
  })
})

describe('a pattern with paths', () => {
  const call = async (list: string, name: string, input: Record<string, unknown>) => {
    kit = await createKit({ skills: { narrow: { ...files(list), 'references/a.md': 'x\n' } } })
    const dir = join(kit.home, 'project')
    writeFiles(dir, { 'src/a.ts': 'a\n', 'src/deep/b.ts': 'b\n', 'docs/c.md': 'c\n' })
    symlinkSync('../docs', join(dir, 'src/out'))
    kit.projects.push({ dir, name: 'project', trusted: true, openedAt: 1 })
    const id = kit.chat(dir)
    await kit.say(id, '/narrow')
    kit.answers.push({ calls: [{ name, input }] })
    kit.sessions.send(id, 'go')
    const ended = () => kit.calls(id)[1]?.state
    await vi.waitFor(() => expect(ended()).toMatch(/done|failed|awaiting_approval/), { interval: 2 })
    return kit.calls(id)[1]?.envelope?.error_code ?? ended()
  }

  test.each([
    ['Read(src/**)', 'Read', { file_path: 'src/deep/b.ts' }, 'done'],
    ['Read(src/*)', 'Read', { file_path: 'src/deep/b.ts' }, 'tool_not_allowed'],
    ['Read(src/**)', 'Read', { file_path: 'docs/c.md' }, 'tool_not_allowed'],
    ['Read(src/**)', 'Read', { file_path: 'src/out/c.md' }, 'tool_not_allowed'],
    ['Read(docs/*.md)', 'Read', { file_path: 'src/out/c.md' }, 'done'],
    ['Read(src/**)', 'Read', { file_path: 'src/../docs/c.md' }, 'path_escape'],
    ['Read(src/**)', 'Read', { file_path: '/.sandbox/skills/narrow/references/a.md' }, 'tool_not_allowed'],
    [
      'Read({baseDir}/references/*)',
      'Read',
      { file_path: '/.sandbox/skills/narrow/references/a.md' },
      'done',
    ],
    ['Read(src/**)', 'Write', { file_path: 'src/n.ts', content: 'n' }, 'tool_not_allowed'],
    ['Write(docs/*.md)', 'Write', { file_path: 'docs/n.md', content: 'n' }, 'awaiting_approval'],
    ['Write(docs/*.md)', 'Write', { file_path: 'src/n.md', content: 'n' }, 'tool_not_allowed'],
    ['Grep(src/**)', 'Grep', { pattern: 'a', path: 'src' }, 'done'],
    ['Grep(src/*)', 'Grep', { pattern: 'a', path: 'src/a.ts' }, 'done'],
    ['Grep(src/*)', 'Grep', { pattern: 'a', path: 'src/deep' }, 'tool_not_allowed'],
    ['Grep(src/**)', 'Grep', { pattern: 'a' }, 'tool_not_allowed'],
    ['Grep(src/**)', 'Grep', { pattern: 'a', path: 'docs', file_path: 'src' }, 'tool_not_allowed'],
    ['Glob(src/)', 'Glob', { pattern: '*', path: 'src' }, 'done'],
    ['Glob(src/*.ts)', 'Glob', { pattern: '*.ts', path: 'src' }, 'tool_not_allowed'],
  ])('%s with %s %j: %s', async (list, name, input, expected) => {
    expect(await call(`"${list}"`, name, input)).toBe(expected)
  })
})

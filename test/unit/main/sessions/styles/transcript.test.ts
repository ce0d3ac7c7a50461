import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Envelope } from '@shared/domain/session'
import { Settings } from '@shared/domain/settings'
import { startFakeProvider, type FakeProvider, type FakeToolCall } from '../../../../helpers/fake-provider'
import { createPractice } from '../../../../../src/main/llm/practice'
import type { HistoryEntry, Llm, LlmRequest } from '../../../../../src/main/llm/types'
import { createSessions, type Sessions } from '../../../../../src/main/sessions/service'
import { DisclosureStyle } from '@shared/domain/settings'
import { llmFor } from '../../llm/llm-kit'
import { brokenPrefix, createKit, type Kit } from '../kit'

const JAM = {
  'SKILL.md': `---
name: jam
description: Boils jam of any fruit.
requires: [sugar]
license: MIT
---
# Jam

Follow [the rules](references/rules.md). Run \`scripts/boil.sh\`.
`,
  'references/rules.md': 'Stir.\n',
  'scripts/boil.sh': 'echo boiled\n',
}
const OTHER = { 'SKILL.md': '---\nname: letters\ndescription: Writes letters.\n---\n# Letters\n' }
const TASK = 'Please boil some jam.'

let kit: Kit
let fake: FakeProvider
let sessions: Sessions
const asked: LlmRequest[] = []

beforeEach(async () => {
  kit = await createKit({ skills: { jam: JAM, letters: OTHER } })
  fake = await startFakeProvider()
  asked.length = 0
})
afterEach(async () => {
  await sessions.close()
  await fake.close()
  await kit.remove()
})

/** The model layer as it is, with the fake provider and the practice agent; what it is asked is noted. */
function model(): Llm {
  const llm = llmFor('anthropic', fake.url, { practice: createPractice({ log: kit.deps.log }) })
  return {
    contextWindow: () => 200_000,
    isLocal: () => false,
    models: () => [],
    stream(request) {
      const { signal, onRetry: _notAsked, ...rest } = request
      asked.push({ ...structuredClone(rest), signal })
      return llm.stream(request)
    },
  }
}

/** Does the task in one chat, allowing the run it asks for; gives what was said, as the model saw it. */
async function doTask(style: DisclosureStyle, ref: string): Promise<string> {
  const settings = () => ({ ...Settings.parse({}), defaultStyle: style })
  sessions = createSessions({ ...kit.deps, llm: model(), settings })
  const { id } = sessions.create({ projectDir: null, model: ref })
  sessions.send(id, TASK)
  await kit.until(id, 'awaiting_approval')
  const request = kit.waiting(id)
  await sessions.decide({
    requestId: request.id,
    revision: request.revision,
    planHash: request.planHash,
    choice: 'once',
    acknowledged: request.findings.map((finding) => finding.id),
  })
  await kit.until(id, 'idle')
  const said = kit
    .messages(id)
    .at(-1)!
    .parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return [
    `style: ${style}`,
    `tools: ${asked
      .at(-1)!
      .tools.map(({ name }) => name)
      .join(', ')}`,
    ...asked.at(-1)!.history.flatMap(lines),
    `assistant: ${said.join('')}`,
    '',
  ].join('\n\n')
}

function lines(entry: HistoryEntry): string[] {
  if (entry.role === 'user') return [`user: ${entry.text}`]
  if (entry.role === 'tool')
    return entry.results.map(({ toolName, value }) => `${toolName} gave: ${show(value)}`)
  return entry.providerMessages.flatMap((message) => {
    const { content } = message as {
      content: { type: string; text?: string; toolName?: string; input?: unknown }[]
    }
    return content.flatMap(({ type, text, toolName, input }) => {
      if (type === 'text') return [`assistant: ${text}`]
      return type === 'tool-call' ? [`assistant calls ${toolName}: ${JSON.stringify(input)}`] : []
    })
  })
}

/** Without what differs from run to run. */
function show(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => (UNSTABLE.has(key) ? `<${key}>` : item), 2)
}
const UNSTABLE = new Set(['duration_ms', 'run_id', 'digest', 'tokens_used'])

describe('the same task in every style, done by the practice agent from the prompt alone', () => {
  test.each(DisclosureStyle.options)('%s', async (style) => {
    const transcript = await doTask(style, 'practice/scripted')
    await expect(transcript).toMatchFileSnapshot(`../snapshots/task-${style}.txt`)
    expect(kit.ran).toHaveLength(1)
    expect(kit.ran[0]!.plan).toMatchObject({
      kind: 'script',
      script: { path: 'scripts/boil.sh' },
      skill: { name: 'jam' },
    })
    expect(brokenPrefix(asked)).toBeNull()
  })
})

describe('the same task in every style, against a provider', () => {
  const RUN: FakeToolCall = { name: 'skills_run_script', input: { path: 'scripts/boil.sh' } }
  const CALLS: Record<DisclosureStyle, FakeToolCall[]> = {
    runtime: [
      { name: 'skills_load', input: { names: ['jam'] } },
      { name: 'skills_read', input: { path: 'references/rules.md' } },
      RUN,
    ],
    compact: [
      { name: 'skills_list', input: { query: 'boil jam' } },
      { name: 'skills_load', input: { names: ['jam'] } },
      RUN,
    ],
    'get-skill': [
      { name: 'get_skill', input: { skillName: 'JAM' } },
      { name: 'get_skill', input: { skillName: 'honey' } },
      { name: 'sandbox_execute', input: { command: 'sh /.sandbox/skills/jam/scripts/boil.sh' } },
    ],
    'read-skill': [
      { name: 'list_skills', input: {} },
      { name: 'read_skill', input: { skill_id: 'jam' } },
      { name: 'read_skill_resource', input: { skill_id: 'jam', path: 'references/rules.md' } },
      { name: 'read_skill_resource', input: { skill_id: 'jam', path: '../secret' } },
      RUN,
    ],
    'agent-skill-read': [
      { name: 'agent_skill_read', input: { name: 'jam' } },
      { name: 'agent_skill_read_file', input: { name: 'jam', filePath: 'references/rules.md' } },
      { name: 'agent_skill_read_file', input: { name: 'letters', filePath: 'x' } },
      RUN,
    ],
    'skill-tool': [
      { name: 'Skill', input: { skill: 'jam', args: 'plums' } },
      { name: 'Skill', input: { skill_name: 'honey' } },
      RUN,
    ],
  }

  test.each(DisclosureStyle.options)('%s', async (style) => {
    for (const call of CALLS[style]) fake.queue({ toolCalls: [call] })
    fake.queue({ text: ['The jam is boiled.'] })
    const transcript = await doTask(style, 'p/model-a')
    await expect(transcript).toMatchFileSnapshot(`../snapshots/provider-${style}.txt`)
    expect(kit.ran).toHaveLength(1)
    expect(brokenPrefix(asked)).toBeNull()
    const actions = kit.actions()
    expect(actions).toContain('skill.loaded')
    const id = kit.deps.broker.get(kit.ran[0]!.requestId)!.sessionId
    expect(kit.row(id).activeSkills.map(({ name }) => name)).toEqual(['jam'])
    for (const { envelope } of kit.calls(id))
      expect((envelope as Envelope).duration_ms).toBeGreaterThanOrEqual(0)
  })
})

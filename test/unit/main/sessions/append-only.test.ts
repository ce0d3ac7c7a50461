import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startFakeProvider, type FakeProvider, type Protocol } from '../../../helpers/fake-provider'
import { createSessions, type Sessions } from '../../../../src/main/sessions/service'
import { llmFor } from '../llm/llm-kit'
import { createKit, deferred, type Kit } from './kit'

let kit: Kit
let fake: FakeProvider
let sessions: Sessions

beforeEach(async () => {
  kit = await createKit()
  fake = await startFakeProvider()
})
afterEach(async () => {
  await sessions.close()
  await fake.close()
  await kit.remove()
})

function start(protocol: Protocol): void {
  sessions = createSessions({ ...kit.deps, llm: llmFor(protocol, fake.url) })
}

async function say(id: string, text: string): Promise<void> {
  sessions.send(id, text)
  await kit.until(id, 'idle')
}

type Item = Record<string, unknown>
type Body = Record<string, Item[]>

/** What was said, as the provider got it: each piece with its role. Instructions and marks for the cache are not part of it. */
const SAID: Record<Protocol, (body: Body) => unknown[]> = {
  anthropic: ({ messages = [] }) => pieces(messages, 'content'),
  openai: ({ messages = [] }) => messages.filter(({ role }) => role !== 'system'),
  'openai-responses': ({ input = [] }) =>
    input.filter(({ role }) => role !== 'system' && role !== 'developer'),
  google: ({ contents = [] }) => pieces(contents, 'parts'),
}

/** Providers put what follows on each other from one side into one message: its pieces are what must not change. */
function pieces(messages: readonly Item[], key: string): unknown[] {
  return messages.flatMap((message) =>
    (message[key] as Item[]).map((piece) => {
      const { cache_control: _mark, ...rest } = piece
      return [message['role'], rest]
    }),
  )
}

/** The exact requests, each against the one before it. */
function rewritten(protocol: Protocol): string[] {
  const said = fake.requests.map(({ body }) =>
    SAID[protocol](body as Body).map((item) => JSON.stringify(item)),
  )
  return said.flatMap((items, n) => {
    const before = said[n - 1] ?? []
    const start = items.slice(0, before.length)
    return JSON.stringify(start) === JSON.stringify(before) ? [] : [`request ${n + 1}`]
  })
}

describe('what was said is never rewritten in the requests of', () => {
  test.each<Protocol>(['anthropic', 'openai', 'openai-responses', 'google'])('%s', async (protocol) => {
    const hold = deferred()
    fake.queue(
      { text: ['I load.'], toolCalls: [{ name: 'skills_load', input: { names: ['jam'] } }] },
      {
        toolCalls: [{ name: 'skills_read', input: { path: 'references/rules.md' } }],
        gate: () => hold.promise,
      },
      { text: ['A'] },
      { toolCalls: [{ name: 'skills_unload', input: { all: true } }] },
      { text: ['B'] },
      { text: ['C'] },
      { text: ['D'] },
    )
    start(protocol)
    const { id } = sessions.create({ projectDir: null, model: 'p/model-a' })
    sessions.send(id, 'one')
    await fake.received(2)
    sessions.send(id, 'said meanwhile')
    hold.resolve()
    await vi.waitFor(() => expect(fake.requests).toHaveLength(3))
    await kit.until(id, 'idle')
    await say(id, 'two')
    await sessions.loadSkill(id, 'jam')
    await say(id, 'three')
    await sessions.close()
    kit = await kit.restart()
    start(protocol)
    await say(id, 'four')
    expect(fake.requests).toHaveLength(7)
    expect(SAID[protocol](fake.requests.at(-1)!.body as Body).length).toBeGreaterThan(12)
    expect(rewritten(protocol)).toEqual([])
    // What is active stands in the instructions only, which are composed anew.
    const texts = fake.requests.map(({ body }) => JSON.stringify(body))
    const hasBody = texts.map((text) => text.includes('Run `scripts/boil.sh`'))
    expect(hasBody).toEqual([false, true, true, true, false, true, true])
    expect(texts.at(-1)).toContain('said meanwhile')
  })
})

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SessionEvent } from '@shared/domain/session'
import { startFakeProvider, type FakeProvider } from '../../../helpers/fake-provider'
import { createSessions, type Sessions } from '../../../../src/main/sessions/service'
import { llmFor, PROTOCOLS, WIRE } from '../llm/llm-kit'
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

test.each(PROTOCOLS)(
  'a stop ends an answer of %s without waiting for the provider, and nothing follows it',
  async (protocol) => {
    const more = deferred()
    const shown = deferred()
    const first = WIRE[protocol].toFirstText
    fake.queue({
      text: ['half', 'whole'],
      gate: (event) => (event >= first ? more.promise : undefined),
    })
    sessions = createSessions({ ...kit.deps, llm: llmFor(protocol, fake.url) })
    const { id } = sessions.create({ projectDir: null, model: 'p/model-a' })
    const closing = new AbortController()
    const events: SessionEvent[] = []
    const reading = (async () => {
      for await (const event of sessions.watch(id, closing.signal)) {
        events.push(event)
        if (event.t === 'delta') shown.resolve()
      }
    })()
    sessions.send(id, 'one')
    await shown.promise
    // The provider says nothing more until after the stop is over.
    await sessions.stop(id, false)
    expect(kit.messages(id).at(-1)).toMatchObject({ status: 'stopped', parts: [{ text: 'half' }] })
    expect(kit.row(id).state).toBe('idle')
    await fake.dropped(1)
    const count = events.length
    more.resolve()
    closing.abort()
    await reading
    expect(events.slice(count).filter(({ t }) => t !== 'session')).toEqual([])
    expect(kit.messages(id).at(-1)).toMatchObject({ parts: [{ text: 'half' }] })
  },
)

import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { RequestSummary } from '@shared/domain/approval'
import type { AppEvent } from '@shared/events'
import { tellWaiting } from '../../../../src/main/electron/waiting-notices'
import { makePlan } from '../../renderer/approvals/requests'

const request = (id: string, sessionId: string) =>
  ({ id, sessionId, agentName: 'Clerk', plan: makePlan() }) as RequestSummary

/** What is shown while these wait one after the other. */
async function shownFor(steps: readonly RequestSummary[][], isFocused = false) {
  const badges: number[] = []
  const notes: string[] = []
  let at = 0
  async function* events(): AsyncGenerator<AppEvent> {
    for (at = 1; at < steps.length; at += 1) yield { t: 'approvals.changed', sessionId: 's' }
  }
  await tellWaiting({
    events: events(),
    waiting: () => steps[at] ?? [],
    isFocused: () => isFocused,
    setBadge: (count) => badges.push(count),
    notify: ({ title, body }) => notes.push(`${title}: ${body}`),
  })
  return { badges, notes }
}

test('who looks elsewhere is told once for each chat, without arguments', async () => {
  const { notes } = await shownFor([[], [request('a', '1')], [request('a', '1'), request('b', '1')]])
  expect(notes).toEqual(['Clerk is waiting: Run fill.py from pdf?'])
})

test('a note leads to the request that it tells of, which is not always the oldest', async () => {
  const led: string[] = []
  await tellWaiting({
    events: Readable.from([]) as AsyncIterable<AppEvent>,
    waiting: () => [request('a', '1'), request('b', '2')],
    isFocused: () => false,
    setBadge: () => undefined,
    notify: ({ requestId }) => led.push(requestId),
  })
  expect(led).toEqual(['a', 'b'])
})

test('a chat that waits again is told of again, and nothing is told to who looks', async () => {
  const steps = [[request('a', '1')], [], [request('b', '1')]]
  expect((await shownFor(steps)).notes).toHaveLength(2)
  expect((await shownFor(steps, true)).notes).toEqual([])
})

test('the badge counts what waits', async () => {
  const { badges } = await shownFor([[], [request('a', '1'), request('b', '2')], []])
  expect(badges).toEqual([0, 2, 0])
})

import { expect, test } from 'vitest'
import type { RequestDetail, RequestStatus } from '@shared/domain/approval'
import type { AppEvent } from '@shared/events'
import { answerRequests } from '../../../../src/cli/chat/questions'
import { makeRequest } from '../../renderer/approvals/requests'

/** A core with one request that waits until `ends` says how it ended; what a person was asked and told. */
function around() {
  let status: RequestStatus = 'pending'
  let wake: () => void
  const hasEnded = new Promise<void>((resolve) => (wake = resolve))
  const told: string[] = []
  const detail = (): RequestDetail => makeRequest({ status })
  const handlers = {
    'approvals.list': async () => (status === 'pending' ? [detail()] : []),
    'approvals.get': async () => detail(),
    async *events(_input: object, signal: AbortSignal): AsyncGenerator<AppEvent> {
      const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      await Promise.race([hasEnded, aborted])
      yield { t: 'approvals.changed', sessionId: makeRequest().sessionId }
      await aborted
    },
  }
  let asked: () => void
  const isAsked = new Promise<void>((resolve) => (asked = resolve))
  const ask = (_prompt: string, { signal }: { signal: AbortSignal }) =>
    new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => resolve(null))
      asked()
    })
  const answers = answerRequests(
    {
      app: { handlers } as never,
      world: { stdin: { isTTY: true, ask }, stderr: { write: () => undefined } } as never,
      teller: {
        request: (_request: object, answer: string, why: string) => void told.push(`${answer}: ${why}`),
        notice: (message: string) => void told.push(message),
      } as never,
      style: { width: 80, paint: (_as: string, text: string) => text },
      allow: 'ask',
      signal: new AbortController().signal,
    },
    makeRequest().sessionId,
  )
  return {
    answers,
    told,
    async ends(now: RequestStatus) {
      await isAsked
      status = now
      wake()
    },
  }
}

test.each([
  ['expired', 'expired', /^expired: Nobody answered in time, so the request has expired and nothing ran/],
  ['denied', 'denied', /^denied: It was denied elsewhere/],
] as const)('a question ends at once when its request is %s, and says so', async (status, answer, words) => {
  const { answers, told, ends } = around()
  await ends(status)
  expect(await answers).toEqual([answer])
  expect(told).toEqual([expect.stringMatching(words)])
})

test('a question ends at once when its request was allowed elsewhere', async () => {
  const { answers, told, ends } = around()
  await ends('approved')
  expect([await answers, told]).toEqual([['allowed'], []])
})

test('a question about what does not wait any more ends with a sentence', async () => {
  const { answers, told, ends } = around()
  await ends('stale')
  expect([await answers, told]).toEqual([[], [expect.stringContaining('does not wait any more')]])
})

import { expect, it } from 'vitest'
import { contextWords } from '../../../../src/renderer/approvals/review-head'
import { makeRequest } from './requests'

it('says who asked, after which words, that the agent waits, and why it asks', () => {
  expect(contextWords(makeRequest())).toMatch(
    /^Agent asked at \d\d:\d\d:\d\d in “Ops”, right after you wrote “Fill it”\. The agent is paused until you decide\. Scripts ask before each run\.$/,
  )
})

it.each(['approved', 'denied', 'stale', 'cancelled', 'expired'] as const)(
  'a request that is %s holds nobody up',
  (status) => {
    expect(contextWords(makeRequest({ status }))).toMatch(/right after you wrote “Fill it”\.$/)
  },
)

it('cuts long words and leaves out none at all', () => {
  expect(contextWords(makeRequest({ lastUserMessage: 'x'.repeat(300) }))).toContain(`“${'x'.repeat(200)}…”`)
  expect(contextWords(makeRequest({ lastUserMessage: ' ' }))).toMatch(/in “Ops”\. The agent/)
})

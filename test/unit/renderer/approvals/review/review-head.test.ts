import { expect, it } from 'vitest'
import { contextWords } from '../../../../../src/renderer/approvals/review/review-head'
import { makeRequest } from '../requests'

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

it('shows what turns or hides in the names of the agent and the chat, and cuts long ones', () => {
  const names = { agentName: 'Cl\u202Eerk', sessionTitle: `Fix\n\u2066${'y'.repeat(300)}` }
  const text = contextWords(makeRequest(names))
  expect(text).toMatch(/^Cl⟦U\+202E⟧erk asked at \d\d:\d\d:\d\d in “Fix ⟦U\+2066⟧y{68}…”, right after/)
})

it('cuts long words and leaves out none at all', () => {
  expect(contextWords(makeRequest({ lastUserMessage: 'x'.repeat(300) }))).toContain(`“${'x'.repeat(200)}…”`)
  expect(contextWords(makeRequest({ lastUserMessage: ' ' }))).toMatch(/in “Ops”\. The agent/)
})

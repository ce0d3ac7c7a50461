import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CallRow } from '../../../../../src/main/db/call-rows'
import type { MessageRow } from '../../../../../src/main/db/message-rows'
import { withTold } from '../../../../../src/main/sessions/history/told-calls'

type Role = MessageRow['role']

function message(at: number, role: Role, status: MessageRow['status'] = 'done'): MessageRow {
  const rest = { parts: [], usage: null, model: null, createdAt: at, providerMessages: null }
  return { id: `msg_${at}`, sessionId: 'ses_1', seq: at, role, status, ...rest }
}

function call(step: number, messageId: string, success: boolean): CallRow {
  const rest = { input: {}, requestId: null, runId: null, startedAt: 1, endedAt: 2, providerCallId: 'x' }
  const envelope = { success } as CallRow['envelope']
  return {
    id: `call_${step}`,
    sessionId: 'ses_1',
    messageId,
    step,
    name: 'Read',
    state: 'done',
    envelope,
    ...rest,
  }
}

/** Put together from nothing. */
function plainly(messages: readonly MessageRow[], calls: readonly CallRow[]) {
  let open: CallRow[] = []
  return messages.map((one) => {
    const own = calls.filter(({ messageId }) => messageId === one.id)
    const tells = one.role === 'user' && one.status !== 'queued'
    const told = tells ? [...open, ...own] : own
    if (tells) open = []
    else if (one.role === 'note') open = [...open, ...own.filter(({ envelope }) => !envelope?.success)]
    return { message: one, calls: told }
  })
}

const Row = fc.tuple(fc.constantFrom<Role>('user', 'assistant', 'note'), fc.boolean())
const Call = fc.tuple(fc.nat({ max: 9 }), fc.boolean())
/** Where a list is cut off, and how it goes on there. */
const Change = fc.record({
  messagesTo: fc.nat({ max: 10 }),
  messages: fc.array(Row, { maxLength: 4 }),
  callsTo: fc.nat({ max: 10 }),
  calls: fc.array(Call, { maxLength: 4 }),
})

test('a chat that grows, changes at its end or goes back is told as if it were put together from nothing', () => {
  fc.assert(
    fc.property(fc.array(Change, { minLength: 1, maxLength: 10 }), (changes) => {
      let messages = [message(0, 'user')]
      let calls: CallRow[] = []
      for (const change of changes) {
        messages = messages.slice(0, Math.max(1, change.messagesTo))
        for (const [role, queued] of change.messages) {
          messages.push(message(messages.length, role, queued ? 'queued' : 'done'))
        }
        calls = calls.slice(0, change.callsTo)
        for (const [at, success] of change.calls) calls.push(call(calls.length, `msg_${at}`, success))
        expect(withTold([...messages], [...calls])).toEqual(plainly(messages, calls))
      }
    }),
  )
})

test('what did not change is the same object as before', () => {
  const messages = [message(0, 'user'), message(1, 'assistant'), message(2, 'user')]
  const calls = [call(1, 'msg_1', true)]
  const before = withTold(messages, calls)
  expect(withTold([...messages], [...calls])).toBe(before)
  const after = withTold([...messages, message(3, 'assistant')], [...calls, call(2, 'msg_3', true)])
  expect(after.slice(0, 3).every((one, at) => one === before[at])).toBe(true)
})

import { describe, expect, it } from 'vitest'
import type { Finding } from '@shared/domain/approval'
import {
  allowBlocker,
  decisionBlocker,
  flagLines,
  reviewAction,
  successor,
  waitsForFindings,
} from '../../../../../src/renderer/approvals/review/decision'
import { toDecision } from '../../../../../src/renderer/approvals/use-decide'
import { makePlan, makeRequest } from '../requests'

const serious = (id: string): Finding => ({ id, level: 'serious', title: id, text: '' })
const press = (part: Partial<Parameters<typeof reviewAction>[0]>) => ({
  key: 'Enter',
  mod: false,
  alt: false,
  shift: false,
  inText: false,
  composing: false,
  repeat: false,
  ...part,
})

describe('allowBlocker', () => {
  const free = { request: makeRequest(), ticked: new Set<string>(), commandSeen: true, findingsSeen: true }

  it('lets a pending request through whose command was seen', () => {
    expect(allowBlocker(free)).toBe('')
  })

  it('waits until the command was on the screen to its end', () => {
    expect(allowBlocker({ ...free, commandSeen: false })).toMatch(/end of the command/)
  })

  it.each([
    [3, [], 'Tick all three to allow'],
    [2, [], 'Tick both to allow'],
    [1, [], 'Tick the box to allow'],
    [3, ['f0'], 'Tick 2 more to allow'],
    [3, ['f0', 'f2'], 'Tick one more to allow'],
    [3, ['f0', 'f1', 'f2'], ''],
    [9, [], 'Tick all 9 to allow'],
  ])('with %i serious findings and %j ticked says %j', (count, ticked, words) => {
    const findings = Array.from({ length: count }, (_, i) => serious(`f${i}`))
    expect(allowBlocker({ ...free, request: makeRequest({ findings }), ticked: new Set(ticked) })).toBe(words)
  })

  it.each([
    [['notable'], '1 thing to check below'],
    [['serious', 'information'], '2 things to check below'],
    [['information'], ''],
    [[], ''],
  ] as const)('with findings %j out of view says %j', (levels, words) => {
    const findings = levels.map((level, i) => ({ ...serious(`f${i}`), level }))
    expect(allowBlocker({ ...free, findingsSeen: false, request: makeRequest({ findings }) })).toBe(words)
  })

  it('waits for a folder that is gone before anything else, and lets a changed one be asked again', () => {
    const findings = [serious('f0')]
    expect(allowBlocker({ ...free, request: makeRequest({ onDisk: 'gone', findings }) })).toMatch(/gone/)
    expect(allowBlocker({ ...free, request: makeRequest({ onDisk: 'changed' }) })).toBe('')
  })

  it('asks no tick for a notable finding', () => {
    const findings: Finding[] = [{ id: 'n', level: 'notable', title: 'n', text: '' }]
    expect(allowBlocker({ ...free, request: makeRequest({ findings }) })).toBe('')
  })
})

describe('waitsForFindings', () => {
  const notable: Finding = { id: 'n', level: 'notable', title: 'n', text: '' }
  it.each([
    { when: 'nothing was found', findings: [], seen: false, ticked: [], waits: false },
    { when: 'a notable one was not seen', findings: [notable], seen: false, ticked: [], waits: true },
    { when: 'a notable one was seen', findings: [notable], seen: true, ticked: [], waits: false },
    { when: 'a serious one was not ticked', findings: [serious('f0')], seen: true, ticked: [], waits: true },
    { when: 'a serious one was ticked', findings: [serious('f0')], seen: true, ticked: ['f0'], waits: false },
  ])('when $when: $waits', ({ findings, seen, ticked, waits }) => {
    expect(waitsForFindings({ findings }, { findings: seen, ticked: new Set(ticked) })).toBe(waits)
  })
})

describe('decisionBlocker', () => {
  const free = { request: makeRequest(), busy: false, gone: false }

  it('lets a pending request through', () => {
    expect(decisionBlocker(free)).toBe('')
  })

  it.each(['approved', 'denied', 'stale', 'cancelled', 'expired'] as const)(
    'blocks a request that is %s',
    (status) => {
      expect(decisionBlocker({ ...free, request: makeRequest({ status }) })).not.toBe('')
    },
  )

  it('blocks a request that somebody else decided, and a second decision while one is on its way', () => {
    expect(decisionBlocker({ ...free, gone: true })).toMatch(/no longer/)
    expect(decisionBlocker({ ...free, busy: true })).toMatch(/Sending/)
  })
})

describe('reviewAction', () => {
  it.each([
    [{ mod: true, key: 'Enter' }, 'allow'],
    [{ mod: true, key: 'Backspace' }, 'deny'],
    [{ alt: true, key: 'ArrowRight' }, 'next'],
    [{ alt: true, key: 'ArrowLeft' }, 'previous'],
    [{ key: 'F8' }, 'next-finding'],
    [{ key: 'F8', inText: true }, 'next-finding'],
  ])('takes %j as %s', (part, action) => {
    expect(reviewAction(press(part))).toBe(action)
  })

  it.each([
    { key: 'Enter' },
    { key: ' ' },
    { key: 'a' },
    { key: 'y' },
    { mod: true, key: 'Enter', inText: true },
    { mod: true, key: 'Backspace', inText: true },
    { mod: true, key: 'Enter', repeat: true },
    { mod: true, key: 'Enter', composing: true },
    { mod: true, shift: true, key: 'Enter' },
    { mod: true, alt: true, key: 'Enter' },
    { key: 'Escape' },
  ])('does nothing for %j', (part) => {
    expect(reviewAction(press(part))).toBeNull()
  })
})

describe('successor', () => {
  it('prefers the same request, then the same call, then the same script of the chat', () => {
    const same = makeRequest({ revision: 2 })
    const call = makeRequest({ id: 'r2' })
    const script = makeRequest({ id: 'r3', callId: 'c9' })
    const other = makeRequest({
      id: 'r4',
      callId: 'c8',
      plan: makePlan({ script: { path: 'x.py', sha256: '2'.repeat(64), bytes: 1 } }),
    })
    expect(successor(makeRequest(), [other, script, call, same])?.revision).toBe(2)
    expect(successor(makeRequest(), [other, script, call])?.id).toBe('r2')
    expect(successor(makeRequest(), [other, script])?.id).toBe('r3')
    expect(successor(makeRequest(), [other])).toBeUndefined()
  })
})

describe('toDecision', () => {
  it('sends which plan was seen and the choice, and no part of the plan', () => {
    expect(toDecision(makeRequest(), 'once', { acknowledged: ['f1'] })).toEqual({
      requestId: 'r1',
      revision: 1,
      planHash: 'a'.repeat(64),
      choice: 'once',
      acknowledged: ['f1'],
    })
  })

  it('adds the reason of a denial, and leaves an empty one out', () => {
    expect(toDecision(makeRequest(), 'deny', { note: 'Not needed' }).note).toBe('Not needed')
    expect('note' in toDecision(makeRequest(), 'deny', { note: '' })).toBe(false)
  })
})

describe('flagLines', () => {
  it('keeps the gravest level of a line', () => {
    const findings: Finding[] = [
      { id: 'a', level: 'serious', title: '', text: '', line: 3 },
      { id: 'b', level: 'notable', title: '', text: '', line: 3 },
      { id: 'c', level: 'notable', title: '', text: '' },
    ]
    expect([...flagLines(findings)]).toEqual([[3, 'serious']])
  })
})

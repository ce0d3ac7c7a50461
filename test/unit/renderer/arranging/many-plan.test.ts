import { describe, expect, it } from 'vitest'
import type { ArrangeDone, ArrangePlan } from '@shared/domain/arranging'
import { byReason, doEach, manyRows } from '../../../../src/renderer/arranging/many-plan'

const plan = (path: string, refusal: string | null = null): ArrangePlan => ({
  hash: `hash of ${path}`,
  name: '',
  refusal,
  offersCopy: false,
  makes: { path, files: 1, bytes: 1 },
  takes: null,
  edits: [],
  effects: [],
  notes: [],
})

const skill = (key: string) => ({ key, name: key.slice(2) })

describe('several skills that go to one folder', () => {
  it('are told each with its folder or with the reason why it stays, in their order', () => {
    const plans = new Map([
      ['1:csv', plan('~/a/csv')],
      ['2:pdf', plan('~/a/pdf', 'It is taken.')],
    ])
    expect(manyRows([skill('2:pdf'), skill('1:csv')], plans)).toEqual([
      { key: '2:pdf', name: 'pdf', path: null, refusal: 'It is taken.', hash: 'hash of ~/a/pdf' },
      { key: '1:csv', name: 'csv', path: '~/a/csv', refusal: null, hash: 'hash of ~/a/csv' },
    ])
  })

  it('leave out what is not known yet', () => {
    expect(manyRows([skill('1:csv')], new Map())).toEqual([])
  })

  it('never get the same folder, in another case neither: the second one stays', () => {
    const plans = new Map([
      ['1:pdf', plan('~/a/pdf')],
      ['2:pdf', plan('~/a/PDF')],
    ])
    const [first, second] = manyRows([skill('1:pdf'), skill('2:pdf')], plans)
    expect([first?.refusal, second?.path]).toEqual([null, null])
    expect(second?.refusal).toMatch(/same folder/)
  })

  it('take no folder from another one by a move that is refused', () => {
    const plans = new Map([
      ['1:pdf', plan('~/a/pdf', 'It is locked.')],
      ['2:pdf', plan('~/a/pdf')],
    ])
    expect(manyRows([skill('1:pdf'), skill('2:pdf')], plans)[1]?.path).toBe('~/a/pdf')
  })

  it('are done one after another, and one that is refused meanwhile keeps no other back', async () => {
    const order: string[] = []
    const told = await doEach([{ key: 'a' }, { key: 'b' }, { key: 'c' }], async ({ key }) => {
      order.push(key)
      await Promise.resolve()
      if (key === 'b') throw new Error('It is not as it was shown any more.')
      return { id: key } as ArrangeDone
    })
    expect(order).toEqual(['a', 'b', 'c'])
    expect(told.done.map(({ id }) => id)).toEqual(['a', 'c'])
    expect(told.failed).toEqual([{ key: 'b', reason: 'It is not as it was shown any more.' }])
  })
})

it('skills that stay for the same reason are told together, in the order in which they came up', () => {
  const refused = new Map([
    ['a', 'It comes with Satchel.'],
    ['b', 'It belongs to a plugin.'],
    ['c', 'It comes with Satchel.'],
  ])
  expect(byReason(refused)).toEqual([
    { reason: 'It comes with Satchel.', keys: ['a', 'c'] },
    { reason: 'It belongs to a plugin.', keys: ['b'] },
  ])
})

import { expect, test } from 'vitest'
import { createLatest } from '../../../../src/renderer/skills/latest'

function setUp() {
  const asked: { question: string; answer: (text: string) => void; fail: () => void }[] = []
  const told: [string, string | null][] = []
  const ask = createLatest<string, string>(
    (question) =>
      new Promise((resolve, reject) => {
        asked.push({ question, answer: resolve, fail: () => reject(new Error('no')) })
      }),
    (question, answer) => told.push([question, answer]),
  )
  return { ask, asked, told }
}

const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}

test('one question is under way at a time; of those that wait only the newest is asked', async () => {
  const { ask, asked, told } = setUp()
  for (const question of ['a', 'ab', 'abc']) ask(question)
  expect(asked.map(({ question }) => question)).toEqual(['a'])
  asked[0]!.answer('old')
  await settled()
  expect(asked.map(({ question }) => question)).toEqual(['a', 'abc'])
  expect(told).toEqual([])
  asked[1]!.answer('new')
  await settled()
  expect(told).toEqual([['abc', 'new']])
})

test('a question that fails is told as such, and the next one is asked', async () => {
  const { ask, asked, told } = setUp()
  ask('a')
  asked[0]!.fail()
  await settled()
  ask('b')
  asked[1]!.answer('fine')
  await settled()
  expect(told).toEqual([
    ['a', null],
    ['b', 'fine'],
  ])
})

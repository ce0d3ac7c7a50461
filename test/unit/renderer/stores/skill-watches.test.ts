import { expect, test } from 'vitest'
import type { SkillChanges, SkillList } from '@shared/domain/skill'
import { createSkillWatches } from '../../../../src/renderer/stores/skill-watches'
import { makeSkill } from '../skills/skills'

interface Opened {
  dir: string | null
  closed: boolean
  event(part: SkillChanges): void
  end(error?: Error): void
}

function setUp() {
  const opened: Opened[] = []
  const published: [string | null, SkillList | undefined][] = []
  const failures: (string | null)[] = []
  const timers: { run: () => void; ms: number; cancelled: boolean }[] = []
  const watches = createSkillWatches({
    open(dir, on) {
      const stream = { dir, closed: false, ...on }
      opened.push(stream)
      return () => {
        stream.closed = true
      }
    },
    publish: (dir, list) => published.push([dir, list]),
    fail: (error) => failures.push(error?.message ?? null),
    later(run, ms) {
      const timer = { run, ms, cancelled: false }
      timers.push(timer)
      return () => {
        timer.cancelled = true
      }
    },
  })
  const tick = () => {
    for (const timer of timers.splice(0)) if (!timer.cancelled) timer.run()
  }
  return { opened, published, failures, timers, watches, tick }
}

const whole = (...names: string[]): SkillChanges => ({
  rows: names.map((name) => makeSkill(name)),
  removed: [],
  totals: { roots: [], scanMs: 1, catalogueTokens: 0, catalogue: { wanted: 0, held: 0 } },
})
const namesOf = (list: SkillList | undefined) => list?.skills.map(({ name }) => name)

test('several who look at one project share one stream', () => {
  const { opened, watches } = setUp()
  watches.use('/p')
  watches.use('/p')
  watches.use(null)
  expect(opened.map(({ dir }) => dir)).toEqual(['/p', null])
})

test('a view is closed a while after the last one left, and kept when somebody comes back before', () => {
  const { opened, published, watches, tick } = setUp()
  const leave = watches.use('/p')
  opened[0]!.event(whole('a'))
  leave()
  const again = watches.use('/p')
  tick()
  expect(opened[0]!.closed).toBe(false)
  again()
  tick()
  expect(opened[0]!.closed).toBe(true)
  expect(published.at(-1)).toEqual(['/p', undefined])
})

test('a stream that ends is opened again; the old list stays until the new one is complete', () => {
  const { opened, published, failures, watches, tick } = setUp()
  watches.use(null)
  opened[0]!.event(whole('a', 'b'))
  opened[0]!.end(new Error('closed'))
  expect(published).toHaveLength(1)
  tick()
  expect(opened).toHaveLength(2)
  opened[1]!.event({ rows: [makeSkill('c')], removed: [] })
  expect(published).toHaveLength(1)
  opened[1]!.event(whole('d'))
  expect(namesOf(published[1]?.[1])).toEqual(['c', 'd'])
  expect(failures).toEqual([])
})

test('a stream that keeps failing is tried less and less often and said so, until it works again', () => {
  const { opened, failures, timers, watches, tick } = setUp()
  watches.use(null)
  const waits: number[] = []
  for (let n = 0; n < 8; n += 1) {
    opened.at(-1)!.end(new Error('gone'))
    waits.push(timers[0]!.ms)
    tick()
  }
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000])
  expect(failures).toEqual(Array.from({ length: 7 }, () => 'gone'))
  opened.at(-1)!.event(whole('a'))
  expect(failures.at(-1)).toBeNull()
})

test('what a closed stream still says is not heard', () => {
  const { opened, published, watches, tick } = setUp()
  watches.use('/p')()
  tick()
  opened[0]!.event(whole('a'))
  opened[0]!.end()
  tick()
  expect(published).toEqual([['/p', undefined]])
  expect(opened).toHaveLength(1)
})

import { describe, expect, test } from 'vitest'
import type { AppEvent } from '@shared/events'
import { createSkillState } from '../../../../../src/main/app/skills/state'
import type { Registry } from '../../../../../src/main/skills/registry/registry'
import type { Store } from '../../../../../src/main/skills/store/store'

const log = { info: () => undefined, warn: () => undefined, error: () => undefined }

function start() {
  const asked: { answer: (digest: string) => void; fail: () => void }[] = []
  const events: AppEvent[] = []
  const digestOf = () =>
    new Promise<string>((answer, reject) => asked.push({ answer, fail: () => reject(new Error('gone')) }))
  const disk = { stamp: '1', deep: [] as string[] }
  const registry = {
    all: () => [],
    record: (key: string) => (key === 'k' ? { key, stamp: disk.stamp } : null),
    deepen: (keys: readonly string[]) => void (disk.deep = [...keys]),
  }
  const state = createSkillState({
    store: { digestOf } as unknown as Store,
    registry: registry as unknown as Registry,
    emit: (event) => void events.push(event),
    log,
  })
  return { state, asked, events, disk }
}

const settled = () => new Promise<void>((done) => setImmediate(done))

describe('the digest of a skill on disk', () => {
  test('is unknown at first, and the page hears of it when it is known', async () => {
    const { state, asked, events } = start()
    expect(state.currentDigest('k')).toBeNull()
    expect(events).toEqual([])
    asked[0]!.answer('one')
    await settled()
    expect(state.currentDigest('k')).toBe('one')
    expect(events).toEqual([{ t: 'skills.changed' }])
  })

  test('is the newest one, also when an older look takes longer', async () => {
    const { state, asked, disk } = start()
    state.currentDigest('k')
    disk.stamp = '2'
    state.changed()
    expect(asked).toHaveLength(2)
    asked[1]!.answer('new')
    await settled()
    asked[0]!.answer('old')
    await settled()
    expect(state.currentDigest('k')).toBe('new')
  })

  test('is asked for again only when the skill changed, and its files are looked at often', async () => {
    const { state, asked, disk } = start()
    state.currentDigest('k')
    expect(disk.deep).toEqual(['k'])
    asked[0]!.answer('one')
    await settled()
    state.changed()
    expect(asked).toHaveLength(1)
    disk.stamp = '2'
    state.changed()
    expect(asked).toHaveLength(2)
  })

  test('of a skill that is gone is none', async () => {
    const { state, asked } = start()
    state.currentDigest('k')
    asked[0]!.fail()
    await settled()
    expect(state.currentDigest('k')).toBeNull()
    expect(await state.reader.current('other')).toBeNull()
  })
})

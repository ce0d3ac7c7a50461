import { describe, expect, it } from 'vitest'
import { createInputClock } from '../../../../../src/renderer/approvals/review/input-clock'

function setUp() {
  const target = new EventTarget()
  let now = 100
  const clock = createInputClock(target, () => now)
  const press = (key: string, at: number): void => {
    now = at
    target.dispatchEvent(Object.assign(new Event('keydown'), { key }))
  }
  const fire = (name: string, at: number): void => {
    now = at
    target.dispatchEvent(new Event(name))
  }
  return { clock, press, fire }
}

describe('createInputClock', () => {
  it('keeps the last key and the one before', () => {
    const { clock, press } = setUp()
    press('a', 100)
    press('Enter', 250)
    expect(clock.read()).toMatchObject({ lastKeyAt: 250, keyBeforeAt: 100 })
  })

  it.each(['Control', 'Meta', 'Shift', 'Alt'])('does not count %s alone as a key', (key) => {
    const { clock, press } = setUp()
    press('a', 100)
    press(key, 200)
    expect(clock.read().lastKeyAt).toBe(100)
  })

  it('notes the focus of the window and composing', () => {
    const { clock, fire } = setUp()
    fire('focus', 300)
    fire('compositionstart', 310)
    expect(clock.read()).toMatchObject({ focusAt: 300, composing: true })
    fire('compositionend', 320)
    expect(clock.read().composing).toBe(false)
  })

  it('tells its listeners until they leave', () => {
    const { clock, press } = setUp()
    let told = 0
    const leave = clock.subscribe(() => {
      told += 1
    })
    press('a', 1)
    clock.noteClosed()
    leave()
    press('b', 2)
    expect(told).toBe(2)
  })

  it('hears nothing after it was stopped', () => {
    const { clock, press } = setUp()
    clock.stop()
    press('a', 1)
    expect(clock.read().lastKeyAt).toBeUndefined()
  })
})

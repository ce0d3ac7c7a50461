import { describe, expect, test } from 'vitest'
import { createEmitter } from '../../../../src/main/lib/emitter'

describe('createEmitter', () => {
  test('delivers to every listener in order, until it leaves', () => {
    const seen: string[] = []
    const emitter = createEmitter<number>(() => undefined)
    const off = emitter.on((value) => seen.push(`a${value}`))
    emitter.on((value) => seen.push(`b${value}`))
    emitter.emit(1)
    off()
    emitter.emit(2)
    expect(seen).toEqual(['a1', 'b1', 'b2'])
  })

  test('a listener that throws does not stop the others, and is told', () => {
    const errors: unknown[] = []
    const seen: number[] = []
    const emitter = createEmitter<number>((error) => errors.push(error))
    emitter.on(() => {
      throw new Error('mine')
    })
    emitter.on((value) => seen.push(value))
    emitter.emit(1)
    expect(seen).toEqual([1])
    expect(errors).toEqual([new Error('mine')])
  })

  test('a stream misses nothing between its opening and its first read, and ends with the signal', async () => {
    const emitter = createEmitter<number>(() => undefined)
    const closing = new AbortController()
    const stream = emitter.stream(closing.signal)
    emitter.emit(1)
    emitter.emit(2)
    const seen: number[] = []
    for await (const value of stream) {
      seen.push(value)
      if (value === 2) closing.abort()
    }
    expect(seen).toEqual([1, 2])
  })

  test('a reader that falls too far behind is ended', async () => {
    const emitter = createEmitter<number>(() => undefined)
    const stream = emitter.stream(new AbortController().signal, 2)
    for (const value of [1, 2, 3]) emitter.emit(value)
    const seen: number[] = []
    for await (const value of stream) seen.push(value)
    expect(seen).toEqual([])
  })
})

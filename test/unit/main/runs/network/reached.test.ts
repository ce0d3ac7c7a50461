import { expect, test } from 'vitest'
import { cleaner } from '../../../../../src/main/runs/channel'
import { createReached, reachedWords } from '../../../../../src/main/runs/network/reached'

test('a secret that a script puts into the name of a host is not on record', () => {
  const reached = createReached(cleaner([{ name: 'TOKEN', value: 'quince-4711' }]))
  reached.refuse('quince-4711.evil.example:443', 'TLS asked for another name, quince-4711.evil.example')
  expect(JSON.stringify(reached.record())).not.toContain('4711')
  expect(reached.record().refused[0]?.host).toBe('[redacted:TOKEN].evil.example:443')
})

test('each host is counted once, what can not be seen is shown, and any number of names stays short', () => {
  const reached = createReached((text) => text)
  reached.add('api.example.com:443', '203.0.113.5')
  reached.add('api.example.com:443', '203.0.113.5')
  reached.refuse('evil\u202E.example', 'it is not the name of a host')
  for (let n = 0; n < 200; n += 1) reached.refuse(`h${n}.example:443`, 'it is not allowed')
  const record = reached.record()
  expect(record.reached).toEqual([{ host: 'api.example.com:443', address: '203.0.113.5', times: 2 }])
  expect(record.refused).toHaveLength(50)
  expect(record.refused[0]?.host).toBe('evil⟦U+202E⟧.example')
  expect(record.more).toBe(151)
  expect(reachedWords(record)).toMatch(
    /^it reached api\.example\.com:443 \(2 times\); .*; 151 more connections are not listed$/s,
  )
})

test('a run that asked for nothing has nothing to say', () => {
  expect(reachedWords(createReached((text) => text).record())).toBeNull()
})

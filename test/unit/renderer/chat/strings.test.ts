import { expect, test } from 'vitest'
import { chat } from '../../../../src/renderer/chat/strings'

test.each([
  [1, 0, 'Not trusted. 1 skill inactive.'],
  [0, 2, 'Not trusted. 2 agents inactive.'],
  [6, 1, 'Not trusted. 6 skills and 1 agent inactive.'],
])('a folder with %i skills and %i agents says what waits for trust', (skills, agents, words) => {
  expect(chat.notTrusted(skills, agents)).toBe(words)
})

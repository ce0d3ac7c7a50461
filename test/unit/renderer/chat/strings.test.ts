import { expect, test } from 'vitest'
import { chat } from '../../../../src/renderer/chat/strings'

test.each([
  [1, 0, null, 'Not trusted. 1 skill inactive.'],
  [0, 2, null, 'Not trusted. 2 agents inactive.'],
  [6, 1, null, 'Not trusted. 6 skills and 1 agent inactive.'],
  [0, 0, 'AGENTS.md', 'Not trusted. AGENTS.md inactive.'],
  [6, 1, 'CLAUDE.md', 'Not trusted. 6 skills, 1 agent and CLAUDE.md inactive.'],
])(
  'a folder with %i skills, %i agents and the file %s says what waits for trust',
  (skills, agents, file, words) => {
    expect(chat.notTrusted(skills, agents, file)).toBe(words)
  },
)

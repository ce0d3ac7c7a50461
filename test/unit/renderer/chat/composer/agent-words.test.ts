import { expect, test } from 'vitest'
import type { ChatAgent } from '@shared/domain/session'
import { fileText } from '../../../../../src/renderer/chat/composer/agent-words'

const agent = (part: Partial<ChatAgent>): ChatAgent => ({
  name: 'general',
  label: 'General',
  scope: 'bundled',
  digest: '',
  file: 'changed',
  problems: [],
  notes: [],
  unconfirmed: [],
  ...part,
})

test.each([
  [agent({ file: 'same' }), ''],
  [agent({}), 'The file of General changed. This chat keeps the one that it began with.'],
  [
    agent({ otherFile: { scope: 'project', location: 'work/.satchel/agents/general.md' } }),
    'Another file now has the name of General: work/.satchel/agents/general.md (of the project). This chat keeps the one that it began with.',
  ],
])('a file that changed is told apart from another one that took its name (%#)', (of, words) => {
  expect(fileText(of)).toBe(words)
})

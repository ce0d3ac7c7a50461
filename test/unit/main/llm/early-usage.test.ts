import { expect, test } from 'vitest'
import { createEarlyUsage } from '../../../../src/main/llm/early-usage'

const ANTHROPIC = `event: message_start\ndata: ${JSON.stringify({
  type: 'message_start',
  message: { usage: { input_tokens: 5, cache_read_input_tokens: 20, cache_creation_input_tokens: 3 } },
})}\n\n`
const GOOGLE = `data: ${JSON.stringify({
  candidates: [{ content: { parts: [{ text: 'one' }] } }],
  usageMetadata: { promptTokenCount: 70, cachedContentTokenCount: 10 },
})}\r\n\r\n`

test.each([
  ['Anthropic', ANTHROPIC, { inputTokens: 28, cacheReadTokens: 20, cacheWriteTokens: 3 }],
  ['Google', GOOGLE, { inputTokens: 70, cacheReadTokens: 10 }],
  ['one behind signs of life', `: ping\n\n${GOOGLE}`, { inputTokens: 70, cacheReadTokens: 10 }],
  ['one that counts nothing', 'data: {"choices":[]}\n\n', null],
  ['one that says no JSON', 'data: {"mess\n\n', null],
  ['one that counts only later', `data: {}\n\n${GOOGLE}`, null],
])('the first event of %s says what the input was', (_who, stream, input) => {
  const early = createEarlyUsage()
  for (const byte of new TextEncoder().encode(stream)) early.see(Uint8Array.of(byte))
  expect(early.input()).toEqual(input)
})

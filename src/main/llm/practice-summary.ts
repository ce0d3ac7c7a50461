import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { CHAT_END, CHAT_START, SUMMARISE } from './summarise'

const MAX_LINES = 12
const MAX_LINE = 120

/** What the practice agent answers when it is asked to summarise a chat; null for every other request. */
export function summaryAsked({ prompt }: Pick<LanguageModelV4CallOptions, 'prompt'>): string | null {
  const isAsked = prompt.some(({ role, content }) => role === 'system' && content === SUMMARISE)
  if (!isAsked) return null
  const said = prompt.flatMap((message) =>
    message.role === 'user'
      ? message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      : [],
  )
  const chat = said.join('\n').replace(CHAT_START, '').replace(CHAT_END, '')
  const lines = chat
    .split('\n')
    .filter((line) => /^(?:Person|Agent|Call|Summary): \S/.test(line))
    .slice(-MAX_LINES)
    .map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line))
  return ['The practice agent can only list what was said last:', ...lines.map((line) => `- ${line}`)].join(
    '\n',
  )
}

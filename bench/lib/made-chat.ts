import type { HistoryEntry } from '../../src/main/llm/types'
import { succeeded } from '../../src/main/sessions/turn/envelope'
import { seeded } from './seeded'
import type { Seeded } from './seeded'
import { prose, topic } from './words'
import type { Topic } from './words'

/** What the person says in every turn that is measured, and last before it. */
export const QUESTION = 'Look for skills about invoices, please.'

/** What was said in one round: a question, two steps with a tool, and an answer. These are four messages. */
const ROUND = 4

/**
 * A chat of so many messages (results of tools not counted), in rounds of four; the same for the same seed. Texts have the
 * lengths of a chat with an agent that reads files.
 */
export function madeChat(messages: number, seed: number): HistoryEntry[] {
  const random = seeded(seed)
  const rounds = Math.floor(messages / ROUND)
  return Array.from({ length: rounds }, (_, round) => {
    const about = topic(random)
    // The catalogue follows the last two questions, so the first turn that is measured has the catalogue of all others.
    const question = round === rounds - 1 ? QUESTION : prose(random, about, 150)
    return [{ role: 'user' as const, text: question }, ...answersOf(random, about, round)]
  }).flat()
}

function answersOf(random: Seeded, about: Topic, round: number): HistoryEntry[] {
  const steps = [1, 2].flatMap((step): HistoryEntry[] => {
    const id = `toolu_${round}_${step}`
    const input = { path: `notes/${round}-${step}.md` }
    const content = [
      { type: 'text', text: prose(random, about, 80) },
      { type: 'tool-call', toolCallId: id, toolName: 'Read', input },
    ]
    const value = succeeded({ text: prose(random, about, 600), truncated: false })
    return [
      { role: 'assistant', providerMessages: [{ role: 'assistant', content }] },
      { role: 'tool', results: [{ providerCallId: id, toolName: 'Read', value }] },
    ]
  })
  const answer = [{ type: 'text', text: prose(random, about, 500) }]
  return [...steps, { role: 'assistant', providerMessages: [{ role: 'assistant', content: answer }] }]
}

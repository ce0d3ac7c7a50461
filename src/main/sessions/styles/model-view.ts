import type { ActiveSkill, Envelope } from '@shared/domain/session'
import { listMemo } from '../../lib/list-memo'
import { weakMemo } from '../../lib/weak-memo'
import type { HistoryEntry } from '../../llm/types'
import { findStyleTool } from './all'

/** A call with what was kept of it. */
interface KeptCall {
  name: string
  step: number
  envelope: Envelope | null
}

/** What the model sees of a call's result: the envelope, or the shape of the document its tool comes from. */
export function seenResult({ name, envelope }: Pick<KeptCall, 'name' | 'envelope'>): unknown {
  const tool = findStyleTool(name)?.tool
  return envelope && tool?.seen ? tool.seen(envelope) : envelope
}

/** A chat's history with every result as the model sees it. */
export const asSeen = listMemo((entry: HistoryEntry) => [entry.role === 'tool' ? seenEntry(entry) : entry])

const seenEntry = weakMemo((entry: Extract<HistoryEntry, { role: 'tool' }>): HistoryEntry => {
  const results = entry.results.map((result) => {
    const value = seenResult({ name: result.toolName, envelope: result.value as Envelope | null })
    return { ...result, value }
  })
  return { ...entry, results }
})

/** True when the text of this active skill stands in the result of the call that loaded it, which the model still sees. */
export function standsInResult(active: ActiveSkill, calls: readonly KeptCall[]): boolean {
  const call = active.step === 0 ? undefined : calls.find(({ step }) => step === active.step)
  return call !== undefined && holdsBody(call)
}

/** True for a result that is kept word for word while its skill is active (`runtime.md` 1, Compaction). */
export function holdsBody({ name, envelope }: Pick<KeptCall, 'name' | 'envelope'>): boolean {
  return envelope?.success === true && findStyleTool(name)?.tool.holdsBody === true
}

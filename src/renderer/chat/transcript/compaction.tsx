import { CHOOSE_AT, OFFER_AT } from '@shared/context-fullness'
import type { Part, SessionDetail } from '@shared/domain/session'
import { useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { api } from '../../api'
import { guarded, isBusy } from '../../shell/actions'
import { Button } from '../../ui/button'
import { formatNumber } from '../../ui/format'
import { CaretRightIcon } from '../../ui/icons'
import { Markdown } from '../../ui/markdown/markdown'
import { Note } from '../../ui/note'
import { unloadSkill } from '../skills-bar'
import { chat } from '../strings'

type CompactionPart = Extract<Part, { type: 'compaction' }>

/** Summaries whose originals are shown, by the id of their message; and chats that are being summarised. */
const foldStore = createStore<{ unfolded: ReadonlySet<string>; busy: ReadonlySet<string> }>(() => ({
  unfolded: new Set(),
  busy: new Set(),
}))

export function useUnfolded(): ReadonlySet<string> {
  return useStore(foldStore, (state) => state.unfolded)
}

function toggle(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return set.has(id) ? new Set([...set].filter((other) => other !== id)) : new Set([...set, id])
}

/** Has older messages summarised; afterwards the agent tries again where that was wanted. */
export async function compactChat(sessionId: string, andResume = false): Promise<void> {
  if (foldStore.getState().busy.has(sessionId)) return
  foldStore.setState((state) => ({ busy: toggle(state.busy, sessionId) }))
  await guarded(async () => {
    try {
      await api.call('sessions.compact', { sessionId })
      if (andResume) await api.call('sessions.resume', { sessionId })
    } finally {
      foldStore.setState((state) => ({ busy: toggle(state.busy, sessionId) }))
    }
  })
}

/** A rule across the transcript, where the summary begins to stand for what was said above it. */
export function CompactionRow({ part, messageId }: { part: CompactionPart; messageId: string }) {
  const [open, setOpen] = useState(false)
  const shown = useUnfolded().has(messageId)
  const words = chat.compacted(part.before, part.after)
  return (
    <article className="compaction" data-kind="compaction" data-state="done" aria-label={words}>
      <button type="button" className="step quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        <CaretRightIcon className={open ? 'turned' : undefined} />
        <span className="small t2 num">{words}</span>
      </button>
      {open && (
        <div className="details">
          <Markdown text={part.text} open={false} />
          <div>
            <Button
              small
              onClick={() =>
                foldStore.setState(({ unfolded }) => ({ unfolded: toggle(unfolded, messageId) }))
              }
            >
              {shown ? chat.hideOriginal : chat.showOriginal}
            </Button>
          </div>
        </div>
      )}
    </article>
  )
}

export function CompactButton(props: {
  sessionId: string
  label: string
  state: SessionDetail['state']
  resume?: boolean
}) {
  const { sessionId, label, state, resume } = props
  const busy = useStore(foldStore, (all) => all.busy.has(sessionId))
  const unavailable = !busy && isBusy(state) && state !== 'awaiting_approval' && chat.compactWhileBusy
  return (
    <Button
      small
      unavailable={busy ? chat.compacting : unavailable}
      onClick={() => void compactChat(sessionId, resume)}
    >
      {busy ? chat.compacting : label}
    </Button>
  )
}

/** Above the message box, never in the way of writing. */
export function ContextWarning({ detail }: { detail: SessionDetail }) {
  const { used, window } = detail.context
  const share = used / window
  if (share < OFFER_AT) return null
  const compact = <CompactButton sessionId={detail.id} state={detail.state} label={chat.compact} />
  if (share < CHOOSE_AT) {
    return (
      <Note tone="warn" action={compact}>
        {chat.nearlyFull(Math.round(share * 100))}
      </Note>
    )
  }
  const largest = detail.activeSkills.toSorted((a, b) => b.tokens - a.tokens)[0]
  return (
    <Note tone="warn" action={compact}>
      {chat.full(used, window, largest?.name)}
      {largest && (
        <Button small onClick={() => unloadSkill(detail.id, largest.name)}>
          {`${chat.unload} ${largest.name} (${formatNumber(largest.tokens)})`}
        </Button>
      )}
    </Note>
  )
}

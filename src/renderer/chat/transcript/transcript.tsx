import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useState } from 'react'
import type { KeyboardEvent, RefObject } from 'react'
import { isBusy } from '../../shell/actions'
import { useSessions } from '../../stores/sessions'
import type { ChatState } from '../../stores/chat-state'
import { Button } from '../../ui/button'
import { ArrowDownIcon } from '../../ui/icons'
import { matches } from '../../ui/keys'
import { useUnfolded } from './compaction'
import { useEditedId } from './editing'
import { retry } from './message-tools'
import { chat as strings } from '../strings'
import { TurnView } from './turn-view'
import { estimateHeight, groupTurns, keepSame, startsNewDay, turnsBefore } from './turns'
import type { Turn } from './turns'
import { createPlace, sameTurns, useKeepPlace, useOlder } from './use-older'
import { useStickToEnd } from './use-stick-to-end'

const MIN_TURN = 60
/** Turns beyond the visible ones; more while Alt with the arrows walks over the steps: not every turn has one. */
const OVERSCAN = { usual: 1, walking: 3 }
const PADDING = { start: 24, end: 14 }

/** The ledger: only the turns near the visible part are in the page; the end stays in view until one scrolls up. */
export function Transcript({ chat }: { chat: ChatState }) {
  const { scroller, setScroller, content, away, toEnd } = useStickToEnd()
  const [walking, setWalking] = useState(false)
  useJumpKey(away, toEnd)
  return (
    <div className="tr-wrap">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows move between its steps */}
      <div
        ref={setScroller}
        className="tr"
        role="log"
        aria-label={strings.transcript}
        aria-live="off"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
        tabIndex={0}
        data-pane="transcript"
        data-pane-focus=""
        onBlur={({ currentTarget, relatedTarget }) => {
          if (!currentTarget.contains(relatedTarget)) setWalking(false)
        }}
        onKeyDown={(event) => {
          // Pressed before the arrow, so the steps are there when that comes.
          if (event.altKey) setWalking(true)
          moveByStep(event)
          retryAtStep(event, chat)
          jump(event, toEnd)
        }}
      >
        <Turns
          chat={chat}
          scroller={scroller}
          content={content}
          overscan={walking ? OVERSCAN.walking : OVERSCAN.usual}
        />
        <Outgoing sessionId={chat.detail.id} />
      </div>
      {away && (
        <Button
          small
          className="latest"
          icon={<ArrowDownIcon size={14} />}
          shortcut="Mod+ArrowDown"
          onClick={toEnd}
        >
          {strings.latest}
        </Button>
      )}
    </div>
  )
}

function Turns(props: {
  chat: ChatState
  scroller: HTMLDivElement | null
  content: RefObject<HTMLDivElement | null>
  overscan: number
}) {
  const { chat, scroller, content, overscan } = props
  const { turns, before } = useTurns(chat)
  const [place] = useState(createPlace)
  const heights = useHeights(chat, turns)
  // oxlint-disable-next-line react/incompatible-library -- the virtualizer keeps its own state on purpose
  const virtualizer = useVirtualizer({
    count: before + turns.length,
    getScrollElement: () => scroller,
    estimateSize: (i) => heights.of(turns[i - before]),
    getItemKey: (i) => turns[i - before]?.id ?? `before ${i}`,
    overscan,
    rangeExtractor: sameTurns(place, { turns, before }),
    paddingStart: PADDING.start,
    paddingEnd: PADDING.end,
    ...startAtEnd(() => before * heights.usual + turns.reduce((sum, turn) => sum + heights.of(turn), 0)),
  })
  // What is edited must be in the page, wherever one has scrolled to.
  const edited = useEditedId()
  const editedAt = edited === null ? -1 : turns.findIndex(({ userId }) => userId === edited)
  useEffect(() => {
    if (editedAt >= 0) virtualizer.scrollToIndex(before + editedAt)
    // oxlint-disable-next-line react/exhaustive-deps -- older turns that arrive must not take one back to the edited one
  }, [edited, editedAt >= 0, virtualizer])
  useOlder({ virtualizer, scroller, turns, before })
  useKeepPlace(place, { virtualizer, scroller, turns, before })
  return (
    <div ref={content} className="tr-sizer" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map((item) => {
        const at = item.index - before
        const turn = turns[at]
        return (
          <div
            key={item.key}
            ref={virtualizer.measureElement}
            data-index={item.index}
            className="turn"
            style={{ transform: `translateY(${item.start}px)` }}
          >
            {turn ? (
              <TurnView
                turn={turn}
                newDay={startsNewDay(turns[at - 1], turn)}
                last={at === turns.length - 1}
              />
            ) : (
              <div style={{ height: heights.usual }} />
            )}
          </div>
        )
      })}
    </div>
  )
}

/** Before the box is there and measured: its end, in about as much of the window as it will have. */
function startAtEnd(turns: () => number) {
  const height = Math.round(window.innerHeight * 0.6)
  const offset = () => Math.max(0, PADDING.start + turns() + PADDING.end - height)
  return { initialOffset: offset, initialRect: { width: 0, height } }
}

/** About how high turns are: each once, and those that are not fetched yet as those that the chat was opened with. */
function useHeights(chat: ChatState, turns: readonly Turn[]) {
  const [known] = useState(() => new WeakMap<Turn, number>())
  const [usual] = useState(() => {
    const sum = turns.reduce((all, turn) => all + estimateHeight(chat, turn), 0)
    return Math.max(MIN_TURN, Math.round(sum / Math.max(1, turns.length)))
  })
  const of = (turn: Turn | undefined): number => {
    if (!turn) return usual
    const height = known.get(turn) ?? estimateHeight(chat, turn)
    known.set(turn, height)
    return height
  }
  return { usual, of }
}

/** Mod+↓ while the end is out of view. */
function useJumpKey(away: boolean, toEnd: () => void): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (!away || !matches(event, 'Mod+ArrowDown')) return
      event.preventDefault()
      toEnd()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  })
}

/** Turns of the chat, each the same object as long as it did not change, and how many stand before them. */
function useTurns(chat: ChatState): { turns: Turn[]; before: number } {
  const [keeper] = useState(createTurnKeeper)
  const { order, messages, older } = chat
  const unfolded = useUnfolded()
  return useMemo(() => {
    const known = { order, messages, older }
    return { turns: keeper(known, unfolded), before: turnsBefore(known, unfolded) }
  }, [keeper, order, messages, older, unfolded])
}

function createTurnKeeper(): typeof groupTurns {
  let last: Turn[] = []
  return (chat, unfolded) => {
    last = keepSame(last, groupTurns(chat, unfolded))
    return last
  }
}

/** What the person just wrote, until main has its row. */
function Outgoing({ sessionId }: { sessionId: string }) {
  const outgoing = useSessions((state) => state.outgoing[sessionId])
  return outgoing?.map((message) => (
    <div key={message.n} className="turn-row said outgoing">
      <div className="who">{strings.you}</div>
      <div className="msg user-text">{message.text}</div>
    </div>
  ))
}

/** Mod+R on anything of an answer asks for another one in its place. */
function retryAtStep(event: KeyboardEvent<HTMLElement>, { detail }: ChatState): void {
  if (!matches(event, 'Mod+R') || isBusy(detail.state)) return
  const answer = (event.target as HTMLElement).closest<HTMLElement>('[data-role="assistant"]')
  const messageId = answer?.dataset['message']
  if (messageId === undefined) return
  event.preventDefault()
  retry(detail.id, messageId)
}

/** Home and End at once: an animated scroll would end where the first measured turn corrects it. */
function jump(event: KeyboardEvent<HTMLElement>, toEnd: () => void): void {
  const { currentTarget: box, key, target } = event
  if (target !== box || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  if (key !== 'Home' && key !== 'End') return
  event.preventDefault()
  if (key === 'End') toEnd()
  else box.scrollTop = 0
}

/** Alt with the arrows walks over the steps. */
function moveByStep(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (!event.altKey || step === 0) return
  const steps = [...event.currentTarget.querySelectorAll<HTMLElement>('article .step')]
  const current = steps.findIndex((other) => other === document.activeElement)
  const next = current < 0 ? steps.at(step > 0 ? 0 : -1) : steps[current + step]
  event.preventDefault()
  next?.focus()
}

import { useEffect, useRef } from 'react'
import { isBusy } from '../../shell/actions'
import type { ChatState } from '../../stores/chat-state'
import { announce } from '../../ui/announce'
import { chat as strings } from '../strings'
import { textOf } from './message-text'

/** Tells screen readers when the agent begins and ends; the transcript itself stays silent (`ux.md` 6). */
export function useAnswerNews(chat: ChatState): void {
  const busy = isBusy(chat.detail.state)
  const was = useRef(busy)
  const latest = useRef(chat)
  useEffect(() => {
    latest.current = chat
  })
  useEffect(() => {
    if (busy === was.current) return
    was.current = busy
    announce(
      busy
        ? strings.answering(latest.current.detail.agent.label)
        : strings.answered(wordsOfLast(latest.current)),
    )
  }, [busy])
}

function wordsOfLast(chat: ChatState): number {
  const id = chat.order.findLast((other) => chat.messages[other]?.role === 'assistant')
  const message = id === undefined ? undefined : chat.messages[id]
  return message ? textOf(message).split(/\s+/).filter(Boolean).length : 0
}

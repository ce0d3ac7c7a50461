import { useEffect, useState } from 'react'
import { api } from '../api'
import { applyEvents, type ChatState } from './chat-state'
import { createFrameQueue, onNextFrame } from './frame-queue'

/** A chat that a step began, while somebody looks at it; undefined until main told it, and when it is gone. */
export function useChildChat(sessionId: string): ChatState | undefined {
  const [chat, setChat] = useState<ChatState>()
  useEffect(() => watch(sessionId, setChat), [sessionId])
  return chat
}

/** Opens the stream, and opens it again at a gap. Returns a function that ends it. */
function watch(sessionId: string, publish: (chat: ChatState | undefined) => void): () => void {
  let close: (() => void) | undefined
  let ended = false
  const open = () => {
    let chat: ChatState | undefined
    let current = true
    const queue = createFrameQueue<Parameters<typeof applyEvents>[1][number]>((events) => {
      if (!current || ended) return
      const applied = applyEvents(chat, events)
      chat = applied.chat
      if (!applied.gap) return publish(chat)
      current = false
      close?.()
      open()
    }, onNextFrame)
    close = api.stream(
      'sessions.watch',
      { sessionId },
      { event: (event) => queue.add(event), end: () => undefined },
    )
  }
  open()
  return () => {
    ended = true
    close?.()
  }
}

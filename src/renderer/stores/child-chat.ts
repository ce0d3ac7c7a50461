import { useEffect, useState } from 'react'
import { openFeed } from './chat-feed'
import type { ChatState } from './chat-state'
import { onNextFrame } from './frame-queue'

/** A chat that a step began, while somebody looks at it; undefined until main told it. All of it is drawn, page by page. */
export function useChildChat(sessionId: string): ChatState | undefined {
  const [chat, setChat] = useState<ChatState>()
  useEffect(() => {
    const show = (next: ChatState) => {
      setChat(next)
      feed.older()
    }
    const feed = openFeed(sessionId, { chat: show, fail: () => undefined }, onNextFrame)
    return () => feed.close()
  }, [sessionId])
  return chat
}

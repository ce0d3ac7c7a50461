import type { ChatPage, OlderRows, SessionEvent } from '@shared/domain/session'
import { api, messageOf } from '../api'
import { addOlder, applyEvents, reachesBack } from './chat-state'
import type { ChatState } from './chat-state'
import { createFrameQueue } from './frame-queue'
import type { Schedule } from './frame-queue'
import { words } from './strings'

/** One chat, kept true while somebody looks at it. */
export interface ChatFeed {
  /** Fetches the page before what is known; does nothing at the beginning of the chat, and while one is under way. */
  older(): void
  close(): void
}

export interface FeedEvents {
  chat(chat: ChatState): void
  /** Why the chat can't be shown, or not be kept up to date. */
  fail(message: string): void
}

/** Reopening that often in a row without a good event means that something is wrong: say so. */
const MAX_REOPENS = 5

interface Feed {
  sessionId: string
  schedule: Schedule
  on: FeedEvents
  chat: ChatState | undefined
  /** What was shown before a snapshot, as far back as it reached: it must not be lost from view. */
  shown: ChatState | undefined
  /** Rises with every snapshot: pages that were asked for before it are of no use. */
  snapshots: number
  isLoading: boolean
  /** A page could not be had: not asked again until the chat is opened anew. */
  isBroken: boolean
  reopens: number
  ended: boolean
  closeStream: (() => void) | undefined
}

/** Opens the stream of a chat and reopens it at every gap. */
export function openFeed(sessionId: string, on: FeedEvents, schedule: Schedule): ChatFeed {
  const feed: Feed = {
    sessionId,
    schedule,
    on,
    chat: undefined,
    shown: undefined,
    snapshots: 0,
    isLoading: false,
    isBroken: false,
    reopens: 0,
    ended: false,
    closeStream: undefined,
  }
  open(feed)
  return {
    older: () => void loadOlder(feed),
    close() {
      feed.ended = true
      feed.closeStream?.()
    },
  }
}

function open(feed: Feed): void {
  let current = true
  const queue = createFrameQueue<SessionEvent>((events) => {
    if (!current || feed.ended || apply(feed, events)) return
    current = false
    feed.closeStream?.()
    feed.reopens += 1
    if (feed.reopens < MAX_REOPENS) open(feed)
    else feed.on.fail(words.chatFeed.thisChatCouldNot)
  }, feed.schedule)
  feed.closeStream = api.stream(
    'sessions.watch',
    { sessionId: feed.sessionId, endFirst: true },
    {
      event: (event) => queue.add(event),
      end: (error) => {
        if (current && !feed.ended && error) feed.on.fail(messageOf(error))
      },
    },
  )
}

/** False at a gap. */
function apply(feed: Feed, events: readonly SessionEvent[]): boolean {
  const { chat, gap } = applyEvents(feed.chat, events)
  if (gap) return false
  feed.reopens = 0
  if (events.some(({ t }) => t === 'snapshot')) {
    feed.snapshots += 1
    feed.isBroken = false
    feed.shown ??= feed.chat
  }
  feed.chat = chat
  show(feed)
  return true
}

/** After a snapshot the page is told once the chat reaches back as far as before: what one reads stays in its place. */
function show(feed: Feed): void {
  const { chat, shown } = feed
  if (!chat) return
  if (shown && !feed.isBroken && !reachesBack(chat, shown)) return void loadOlder(feed)
  feed.shown = undefined
  feed.on.chat(chat)
}

async function loadOlder(feed: Feed): Promise<void> {
  const { sessionId, chat, snapshots } = feed
  if (!chat?.older || feed.isLoading || feed.isBroken) return
  feed.isLoading = true
  const page = await pageBefore(sessionId, chat.older)
  feed.isLoading = false
  if (feed.ended) return
  if (page instanceof Error) feed.isBroken = true
  else if (feed.chat && feed.snapshots === snapshots) feed.chat = addOlder(feed.chat, page)
  show(feed)
  if (page instanceof Error) feed.on.fail(messageOf(page))
}

async function pageBefore(sessionId: string, { before }: OlderRows): Promise<ChatPage | Error> {
  try {
    return await api.call('sessions.page', { sessionId, before })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

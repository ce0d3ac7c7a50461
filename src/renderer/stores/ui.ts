import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'

export type Area = 'chats' | 'skills' | 'approvals' | 'agents' | 'audit' | 'settings'

/** Where the person is; Back and Forward walk over these. */
export interface Place {
  area: Area
  /** Kept while another area is shown. */
  chatId: string | null
  /** Address of the page of a skill that is open (`ux.md` 2.4); null: the list. Kept likewise. */
  skill: string | null
}

/** The review that is open: which request, and with which part in front. */
export interface Reviewing {
  requestId: string
  /** `deny` opens it with the reason field in focus, `chat` and `always` with that choice selected. */
  intent: 'review' | 'deny' | 'chat' | 'always'
}

export interface Notice {
  n: number
  level: 'info' | 'warning' | 'error'
  message: string
  /** A later notice about the same takes its place. */
  about?: string | undefined
  /** The only chat that shows it. */
  chatId?: string | undefined
}

/** How much room the window has; below `wide` the details, below `medium` the sidebar too, open over the rest. */
export type Room = 'wide' | 'medium' | 'small'

interface UiState extends Place {
  back: Place[]
  forward: Place[]
  sidebar: boolean
  inspector: boolean
  sidebarWidth: number
  inspectorWidth: number
  room: Room
  /** Which pane is open over the rest, while there is no room beside it. */
  drawer: 'sidebar' | 'inspector' | null
  reviewing: Reviewing | null
  /** The request that the dock was led to; each chat shows its oldest otherwise. */
  docked: string | null
  notices: Notice[]
}

/** How the panes stand, in localStorage as what is in `library-look.ts`. Chromium writes it late, so a crash may undo a change. */
type Kept = Pick<UiState, 'sidebar' | 'inspector' | 'sidebarWidth' | 'inspectorWidth'>

export const SIDEBAR = { min: 180, max: 360, start: 228 }
export const INSPECTOR = { min: 260, max: 420, start: 300 }
const KEY = 'satchel.ui'
const MAX_HISTORY = 50

const START: UiState = {
  area: 'chats',
  chatId: null,
  skill: null,
  back: [],
  forward: [],
  sidebar: true,
  inspector: true,
  sidebarWidth: SIDEBAR.start,
  inspectorWidth: INSPECTOR.start,
  room: 'wide',
  drawer: null,
  reviewing: null,
  docked: null,
  notices: [],
}

export const uiStore = createStore<UiState>(() => ({ ...START, ...readKept(globalThis.localStorage) }))

export function useUi<T>(select: (state: UiState) => T): T {
  return useStore(uiStore, select)
}

/** Goes somewhere; what is left out stays. Going where one is changes nothing. */
export function goTo(place: Partial<Place>): void {
  uiStore.setState((state) => {
    const next = {
      area: place.area ?? state.area,
      chatId: place.chatId === undefined ? state.chatId : place.chatId,
      skill: place.skill === undefined ? state.skill : place.skill,
    }
    if (isSame(next, state)) return state
    return {
      ...next,
      notices: noticesAt(next, state),
      drawer: null,
      back: [...state.back, here(state)].slice(-MAX_HISTORY),
      forward: [],
    }
  })
}

/** Another part of the page that is open, without a step to go back to. */
export function replaceSkill(skill: string): void {
  uiStore.setState({ skill })
}

function isSame(a: Place, b: Place): boolean {
  return a.area === b.area && a.chatId === b.chatId && a.skill === b.skill
}

type Shown = Pick<UiState, 'room' | 'drawer' | 'sidebar' | 'inspector'>

export function showsSidebar(state: Shown): boolean {
  return state.room === 'small' ? state.drawer === 'sidebar' : state.sidebar
}

export function showsInspector(state: Shown): boolean {
  return state.room === 'wide' ? state.inspector : state.drawer === 'inspector'
}

/** Shows or hides a pane: beside the rest, or over it where there is no room. */
export function togglePane(pane: 'sidebar' | 'inspector'): void {
  uiStore.setState((state) => {
    const over = pane === 'sidebar' ? state.room === 'small' : state.room !== 'wide'
    if (over) return { drawer: state.drawer === pane ? null : pane }
    return pane === 'sidebar' ? { sidebar: !state.sidebar } : { inspector: !state.inspector }
  })
}

/** Widths in CSS pixels of `ux.md` 2.3. */
export function roomFor(width: number): Room {
  if (width < 720) return 'small'
  return width < 960 ? 'medium' : 'wide'
}

/** Puts another chat in place of one that is gone, without a step to go back to. */
export function replaceChat(chatId: string | null): void {
  uiStore.setState({ chatId })
}

export function goBack(): void {
  uiStore.setState((state) => {
    const last = state.back.at(-1)
    return last
      ? {
          ...last,
          notices: noticesAt(last, state),
          back: state.back.slice(0, -1),
          forward: [here(state), ...state.forward],
        }
      : state
  })
}

export function goForward(): void {
  uiStore.setState((state) => {
    const [next, ...rest] = state.forward
    return next
      ? { ...next, notices: noticesAt(next, state), back: [...state.back, here(state)], forward: rest }
      : state
  })
}

/** Opens the review of one request, over whatever is shown. */
export function openReview(requestId: string, intent: Reviewing['intent'] = 'review'): void {
  uiStore.setState({ reviewing: { requestId, intent } })
}

/** Leads the dock to one request, in its chat. */
export function showInDock(request: { id: string; sessionId: string }): void {
  goTo({ area: 'chats', chatId: request.sessionId })
  uiStore.setState({ docked: request.id })
}

export function closeReview(): void {
  uiStore.setState({ reviewing: null })
}

let noticeNumber = 0

export function addNotice(level: Notice['level'], message: string, about?: string, chatId?: string): void {
  const replaced = (other: Notice) =>
    (other.message === message && other.chatId === chatId) || (about !== undefined && other.about === about)
  uiStore.setState((state) => ({
    notices: [
      ...state.notices.filter((other) => !replaced(other)),
      { n: ++noticeNumber, level, message, about, chatId },
    ],
  }))
}

/** What is to be said about one skill: with its name, and until another one is shown. */
export function addSkillNotice(level: Notice['level'], message: string, key: string): void {
  const folder = key.slice(key.lastIndexOf('/') + 1)
  const names = message.includes(folder) ? message : `${folder}: ${message}`
  addNotice(level, names, `${OF_SKILL}${key}`)
}

const OF_SKILL = 'skill '

/** What is about one skill ends where another place of the skills is gone to. */
function noticesAt({ skill }: Place, now: UiState): Notice[] {
  if (skill === now.skill) return now.notices
  return now.notices.filter(({ about }) => about?.startsWith(OF_SKILL) !== true)
}

/** Those of the window, and those of the chat that is shown. */
export function noticesIn(notices: readonly Notice[], chatId: string | null): Notice[] {
  return notices.filter((notice) => notice.chatId === undefined || notice.chatId === chatId)
}

export function dismissNotice(n: number): void {
  uiStore.setState((state) => ({ notices: state.notices.filter((notice) => notice.n !== n) }))
}

export function clampWidth(width: number, limits: { min: number; max: number }): number {
  return Math.round(Math.min(limits.max, Math.max(limits.min, width)))
}

/** Writes what outlives the window at every change of it. Returns a function that stops. */
export function keepUi(storage: Pick<Storage, 'setItem'>): () => void {
  let last = ''
  return uiStore.subscribe((state) => {
    const { sidebar, inspector, sidebarWidth, inspectorWidth } = state
    const text = JSON.stringify({ sidebar, inspector, sidebarWidth, inspectorWidth } satisfies Kept)
    if (text === last) return
    last = text
    storage.setItem(KEY, text)
  })
}

/** Tells main at every move where the person is, so that no end of the window loses it. Returns a function that stops. */
export function keepPlace(save: (place: Pick<Place, 'area' | 'chatId'>) => void): () => void {
  return uiStore.subscribe((state, before) => {
    if (state.area !== before.area || state.chatId !== before.chatId)
      save({ area: state.area, chatId: state.chatId })
  })
}

/** What was kept, each value only if it still has the right shape. */
export function readKept(storage: Pick<Storage, 'getItem'> | undefined): Partial<Kept> {
  try {
    const raw: unknown = JSON.parse(storage?.getItem(KEY) ?? '{}')
    return typeof raw === 'object' && raw !== null ? checkKept(raw as Record<string, unknown>) : {}
  } catch {
    // Unreadable: the window starts as on the first day.
    return {}
  }
}

function checkKept(raw: Record<string, unknown>): Partial<Kept> {
  const kept: Partial<Kept> = {}
  if (typeof raw['sidebar'] === 'boolean') kept.sidebar = raw['sidebar']
  if (typeof raw['inspector'] === 'boolean') kept.inspector = raw['inspector']
  if (typeof raw['sidebarWidth'] === 'number') kept.sidebarWidth = clampWidth(raw['sidebarWidth'], SIDEBAR)
  if (typeof raw['inspectorWidth'] === 'number')
    kept.inspectorWidth = clampWidth(raw['inspectorWidth'], INSPECTOR)
  return kept
}

function here(state: UiState): Place {
  return { area: state.area, chatId: state.chatId, skill: state.skill }
}

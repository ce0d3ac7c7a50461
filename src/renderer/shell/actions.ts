import { api, messageOf } from '../api'
import { shownInDock } from '../approvals/dock/queue'
import { approvalsStore } from '../stores/approvals'
import { openOverlay } from '../stores/overlay'
import { refreshProjects } from '../stores/projects'
import { refreshSessions, sessionsStore, watchChat } from '../stores/sessions'
import {
  addNotice,
  closeReview,
  goBack,
  goForward,
  goTo,
  openReview,
  replaceChat,
  showInDock,
  togglePane,
  uiStore,
} from '../stores/ui'
import { announce } from '../ui/announce'
import { shell } from './strings'

/** Id of the message box, the target of the skip link and of Mod+L. */
export const MESSAGE_BOX = 'message-box'

/** Everything a key, a menu item or a button of the shell may ask for. Failures become a notice. */
export const actions = {
  areaChats: () => goTo({ area: 'chats' }),
  areaSkills: goToSkills,
  areaApprovals: () => goTo({ area: 'approvals' }),
  areaAgents: () => goTo({ area: 'agents' }),
  areaAudit: () => goTo({ area: 'audit' }),
  settings: () => goTo({ area: 'settings' }),
  palette: () => openOverlay('palette'),
  shortcuts: () => openOverlay('keys'),
  back: goBack,
  forward: goForward,
  toggleSidebar: () => togglePane('sidebar'),
  toggleInspector: () => togglePane('inspector'),
  newChat: () => void guarded(() => newChat(currentProject())),
  openProject: () => void guarded(openProject),
  focusComposer,
  stop: () => void guarded(stopCurrent),
  nextRequest,
  pauseAgents: () => void guarded(pauseAgents),
}

/**
 * Shows a failure of something that has no place of its own for it: in the chat that was in view all the while, or in
 * the window where that was none or another was gone to meanwhile.
 */
export async function guarded(run: () => Promise<void>): Promise<void> {
  const chatId = chatInView()
  try {
    await run()
  } catch (error) {
    const isStill = chatInView() === chatId
    addNotice('error', messageOf(error), undefined, isStill ? chatId : undefined)
  }
}

function chatInView(): string | undefined {
  const { area, chatId } = uiStore.getState()
  return area === 'chats' ? (chatId ?? undefined) : undefined
}

/** Makes a chat and goes to it; an empty chat of the same project is used again where no agent is named. */
export async function newChat(projectDir: string | null, agent?: string): Promise<void> {
  const { chat } = sessionsStore.getState()
  if (!agent && chat && chat.order.length === 0 && chat.detail.projectDir === projectDir) {
    goTo({ area: 'chats', chatId: chat.detail.id })
  } else {
    const { id } = await api.call('sessions.create', { projectDir, agent })
    await refreshSessions()
    goTo({ area: 'chats', chatId: id })
  }
  focusComposer()
}

export async function openProject(): Promise<void> {
  const { dir } = await api.call('desktop.pickFolder', {})
  if (dir === null) return
  const project = await api.call('projects.open', { dir })
  await refreshProjects()
  await newChat(project.dir)
}

export async function renameChat(sessionId: string, title: string): Promise<void> {
  const trimmed = title.trim().slice(0, 200)
  if (trimmed) await api.call('sessions.rename', { sessionId, title: trimmed })
}

export async function deleteChat(sessionId: string): Promise<void> {
  await api.call('sessions.delete', { sessionId })
  await refreshSessions()
  if (uiStore.getState().chatId === sessionId) {
    watchChat(null)
    replaceChat(sessionsStore.getState().list?.[0]?.id ?? null)
  }
}

/** From elsewhere to the skills as they were left; from a skill's page to the list. */
function goToSkills(): void {
  const isThere = uiStore.getState().area === 'skills'
  goTo(isThere ? { skill: null } : { area: 'skills' })
}

/** Moves the caret to the message box, now or once it is drawn. */
export function focusComposer(): void {
  goTo({ area: 'chats' })
  requestAnimationFrame(() => document.getElementById(MESSAGE_BOX)?.focus())
}

async function stopCurrent(): Promise<void> {
  const { chat } = sessionsStore.getState()
  if (chat && isBusy(chat.detail.state)) await api.call('sessions.stop', { sessionId: chat.detail.id })
}

export function isBusy(state: string): boolean {
  return state === 'running' || state === 'awaiting_approval'
}

/**
 * Opens the review of one request, as a notification does; of another than those that wait, or of none: of the one in
 * the dock that is in view, which names the key; else of the oldest, in its chat.
 */
export function nextRequest(requestId?: string): void {
  const { pending } = approvalsStore.getState()
  const { area, chatId, docked } = uiStore.getState()
  const { chatId: watched } = sessionsStore.getState()
  const named = pending.find(({ id }) => id === requestId)
  const inView = area === 'chats' && chatId !== null ? shownInDock(pending, chatId, docked) : undefined
  const request = named ?? inView ?? pending[0]
  if (!request) {
    closeReview()
    announce(shell.nothingWaiting)
    return
  }
  const isBesideEditor = area === 'skills' && request.sessionId !== chatId && request.sessionId === watched
  if (!isBesideEditor) showInDock(request)
  openReview(request.id)
}

/** Ends what runs in every chat; each can go on later. */
export async function pauseAgents(): Promise<void> {
  const { paused } = await api.call('sessions.pauseAll', {})
  addNotice('info', paused === 0 ? shell.nothingRuns : shell.paused(paused))
}

/** The project of the chat that is in view, or was last. */
export function currentProject(): string | null {
  const { chat, list } = sessionsStore.getState()
  const { chatId } = uiStore.getState()
  // A trial of unsaved text is watched beside the editor, and is none of the chats.
  const own = chat?.detail.id === chatId ? chat?.detail.projectDir : undefined
  return own ?? list?.find((session) => session.id === chatId)?.projectDir ?? null
}

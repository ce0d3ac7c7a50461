import { useEffect, useRef } from 'react'
import type { TrialChat as Trial } from '@shared/domain/editing'
import { visibleLine } from '@shared/visible-text'
import { ApprovalDock } from '../../approvals/dock/dock'
import { Composer } from '../../chat/composer/composer'
import { Queue } from '../../chat/composer/queue'
import { Transcript } from '../../chat/transcript/transcript'
import { rewatchChat, sessionsStore, useSessions, watchChat } from '../../stores/sessions'
import { uiStore } from '../../stores/ui'
import { Button, IconButton } from '../../ui/button'
import { CloseIcon, TryIcon } from '../../ui/icons'
import { Note } from '../../ui/note'
import { words } from '../strings'
import { closeTrial, takeWanted, tryIt } from './trials'

/** The chat in which a text is tried, beside the editor: the same transcript, requests and message box as in every chat. */
export function TrialChat({ trial }: { trial: Trial }) {
  const { sessionId } = trial
  useWatched(sessionId)
  const chat = useSessions((state) => (state.chat?.detail.id === sessionId ? state.chat : undefined))
  const part = useRef<HTMLElement>(null)
  useEffect(() => {
    const box = chat ? part.current?.querySelector<HTMLElement>('[data-area-focus]') : null
    if (!box || !takeWanted(trial.key)) return
    part.current?.scrollIntoView({ block: 'nearest' })
    box.focus()
  }, [chat, trial.key])
  const error = useSessions((state) => (state.chatId === sessionId ? state.chatError : ''))
  return (
    <aside ref={part} className="ed-side ed-trial" aria-label={words.trial} data-trial={trial.name}>
      <Head trial={trial} />
      {error && (
        <Note tone="bad" action={<Button onClick={rewatchChat}>{words.retry}</Button>}>
          {error}
        </Note>
      )}
      {chat && (
        <>
          <Transcript chat={chat} />
          <ApprovalDock sessionId={sessionId} chatOnly />
          <Queue chat={chat} />
          <Composer detail={chat.detail} />
        </>
      )}
    </aside>
  )
}

function Head({ trial }: { trial: Trial }) {
  return (
    <header className="ed-trial-head">
      <div className="row">
        <TryIcon size={16} aria-hidden="true" />
        <h2>{words.trialOf(visibleLine(trial.name))}</h2>
        <span className="sp" />
        <Button small onClick={() => void tryIt(trial.key)}>
          {words.tryAgain}
        </Button>
        <IconButton label={words.closeTrial} onClick={() => void closeTrial(trial.sessionId)}>
          <CloseIcon size={14} />
        </IconButton>
      </div>
      <p className="small t3">{words.trialHint}</p>
    </header>
  )
}

/** The one chat that is watched, as long as it is shown; then that of the Chats area again. */
function useWatched(sessionId: string): void {
  useEffect(() => {
    watchChat(sessionId)
    return () => {
      if (sessionsStore.getState().chatId === sessionId) watchChat(uiStore.getState().chatId)
    }
  }, [sessionId])
}

import { ApprovalDock } from '../approvals/dock/dock'
import { actions } from '../shell/actions'
import { Notices } from '../shell/notices'
import { shell } from '../shell/strings'
import type { ChatState } from '../stores/chat-state'
import { rewatchChat, useSessions } from '../stores/sessions'
import { INSPECTOR, showsInspector, uiStore, useUi } from '../stores/ui'
import { Button } from '../ui/button'
import { EmptyState, Note } from '../ui/note'
import { Splitter } from '../ui/splitter'
import { VisibleText } from '../ui/visible-text'
import { AgentNotes } from './agent-notes'
import { Composer } from './composer/composer'
import { ChatHeader } from './header'
import { Inspector } from './context/inspector'
import { ModelWishes } from './model-wish'
import { NewChat } from './composer/new-chat'
import { Queue } from './composer/queue'
import { SkillsBar } from './skills-bar'
import { chat as strings } from './strings'
import { Transcript } from './transcript/transcript'
import { TrustBanner } from './trust-banner'
import { useAnswerNews } from './transcript/use-answer-news'

/** The Chats area: the chat that is watched, with its details at the right. */
export function ChatArea() {
  const chat = useSessions((state) => state.chat)
  const chatId = useSessions((state) => state.chatId)
  const error = useSessions((state) => state.chatError)
  if (chat) return <OpenChat key={chat.detail.id} chat={chat} error={error} />
  return (
    <main className="main" data-pane="main">
      <Notices />
      {error && <ChatError message={error} />}
      {chatId === null && (
        <EmptyState text={shell.noChats}>
          <Button variant="solid" shortcut="Mod+N" onClick={actions.newChat}>
            {shell.newChat}
          </Button>
          <Button shortcut="Mod+O" onClick={actions.openProject}>
            {shell.openProject}
          </Button>
        </EmptyState>
      )}
    </main>
  )
}

function OpenChat({ chat, error }: { chat: ChatState; error: string }) {
  const { detail } = chat
  const outgoing = useSessions((state) => state.outgoing[detail.id]?.length ?? 0)
  useAnswerNews(chat)
  // Skills may have been added before anything was said.
  const said = chat.older !== null || chat.order.some((id) => chat.messages[id]?.role !== 'note')
  const empty = outgoing === 0 && !said
  return (
    <>
      <main className="main" data-pane="main">
        <ChatHeader detail={detail} />
        <Notices chatId={detail.id} />
        {detail.projectDir && <TrustBanner projectDir={detail.projectDir} />}
        <AgentNotes detail={detail} />
        <SkillsBar detail={detail} />
        <ModelWishes detail={detail} />
        {error && <ChatError message={error} />}
        {empty ? <NewChat detail={detail} /> : <Transcript chat={chat} />}
        <ApprovalDock sessionId={detail.id} />
        <Queue chat={chat} />
        <Composer detail={detail} />
      </main>
      <Details chat={chat} />
    </>
  )
}

function Details({ chat }: { chat: ChatState }) {
  const shown = useUi(showsInspector)
  const width = useUi((state) => state.inspectorWidth)
  if (!shown) return null
  return (
    <>
      <Splitter
        label={shell.resizeInspector}
        side="end"
        width={width}
        limits={INSPECTOR}
        onResize={(inspectorWidth) => uiStore.setState({ inspectorWidth })}
        onCollapse={actions.toggleInspector}
      />
      <Inspector detail={chat.detail} width={width} />
    </>
  )
}

function ChatError({ message }: { message: string }) {
  return (
    <div className="banner">
      <Note
        tone="bad"
        action={
          <Button small onClick={rewatchChat}>
            {strings.tryAgain}
          </Button>
        }
      >
        <VisibleText text={message} />
      </Note>
    </div>
  )
}

import { useEffect, useRef } from 'react'
import { AgentsView } from '../agents/agents-view'
import { ApprovalsView } from '../approvals/approvals-view'
import { AuditView } from '../audit/audit-view'
import { ChatArea } from '../chat/chat-area'
import { SettingsView } from '../settings/settings-view'
import { SkillsView } from '../skills/skills-view'
import { roomFor, showsSidebar, SIDEBAR, uiStore, useUi } from '../stores/ui'
import type { Area as AreaName } from '../stores/ui'
import { focusArea } from '../ui/focus'
import { isMac } from '../ui/keys'
import { LiveRegions } from '../ui/live-regions'
import { Splitter } from '../ui/splitter'
import { actions, MESSAGE_BOX } from './actions'
import { AuthorBars } from './author-bars'
import { listenForKeys } from './key-map'
import { Notices } from './notices'
import { Sidebar } from './sidebar'
import { shell } from './strings'
import { TitleBar } from './title-bar'

/** The window: title row, sidebar, and the area the person is in. */
export function WindowShell() {
  const sidebar = useUi(showsSidebar)
  const width = useUi((state) => state.sidebarWidth)
  useEffect(() => listenForKeys(isMac()), [])
  useEffect(followRoom, [])
  useAreaFocus()
  return (
    <div className="win">
      <a
        className="btn p skip"
        href={`#${MESSAGE_BOX}`}
        onClick={(event) => {
          event.preventDefault()
          actions.focusComposer()
        }}
      >
        {shell.skip}
      </a>
      <TitleBar />
      <AuthorBars />
      <div className="body">
        {sidebar && (
          <>
            <Sidebar width={width} />
            <Splitter
              label={shell.resizeSidebar}
              side="start"
              width={width}
              limits={SIDEBAR}
              onResize={(sidebarWidth) => uiStore.setState({ sidebarWidth })}
              onCollapse={actions.toggleSidebar}
            />
          </>
        )}
        <Area />
      </div>
      <LiveRegions />
    </div>
  )
}

/** The focus goes along to another area, and the window starts with it there (`ux.md` 6). */
function useAreaFocus(): void {
  const area = useUi((state) => state.area)
  const shown = useRef<AreaName | null>(null)
  useEffect(() => {
    const isStart = shown.current === null
    if (shown.current === area || (isStart && document.activeElement !== document.body)) return
    shown.current = area
    focusArea()
  }, [area])
}

/** Tells the store how much room the window has, also at 400 % zoom. */
function followRoom(): () => void {
  const tell = () => {
    const room = roomFor(window.innerWidth)
    if (room !== uiStore.getState().room) uiStore.setState({ room, drawer: null })
  }
  tell()
  window.addEventListener('resize', tell)
  return () => window.removeEventListener('resize', tell)
}

function Area() {
  const area = useUi((state) => state.area)
  if (area === 'chats') return <ChatArea />
  return (
    <main className="main" data-pane="main">
      <Notices />
      {area === 'skills' && <SkillsView />}
      {area === 'approvals' && <ApprovalsView />}
      {area === 'agents' && <AgentsView />}
      {area === 'audit' && <AuditView />}
      {area === 'settings' && <SettingsView />}
    </main>
  )
}

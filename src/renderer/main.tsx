import './no-eval'
import { createRoot } from 'react-dom/client'
import { arrangeCommands } from './arranging/commands'
import { connectApi, messageOf } from './api'
import { App } from './app'
import { startChats, startPlace } from './chat/start'
import { actions } from './shell/actions'
import { followTheme } from './shell/theme'
import { startStores } from './stores/route-events'
import type { Commands } from './stores/route-events'
import { keepLook } from './stores/library-look'
import { keepUi } from './stores/ui'
import './styles/index.css'

/** Names the native menu sends, by `{ t: 'command', name }`. */
const COMMANDS: Commands = {
  'new-chat': actions.newChat,
  'new-skill': arrangeCommands.newSkill,
  'skill-duplicate': arrangeCommands.duplicate,
  'skill-rename': arrangeCommands.rename,
  'skill-move': arrangeCommands.move,
  'skill-copy': arrangeCommands.copy,
  'skill-delete': arrangeCommands.delete,
  'skill-undo': arrangeCommands.undo,
  'open-project': actions.openProject,
  settings: actions.settings,
  'area-chats': actions.areaChats,
  'area-skills': actions.areaSkills,
  'area-agents': actions.areaAgents,
  'area-audit': actions.areaAudit,
  palette: actions.palette,
  shortcuts: actions.shortcuts,
  'toggle-sidebar': actions.toggleSidebar,
  'toggle-inspector': actions.toggleInspector,
  stop: actions.stop,
  'go-to-next-request': actions.nextRequest,
  'pause-agents': actions.pauseAgents,
}

async function start(root: HTMLElement): Promise<void> {
  window.__app = { perf: { lastAnnounce: '', politeCount: 0, assertiveCount: 0 } }
  try {
    await connectApi()
    await startStores(COMMANDS)
    followTheme(document.documentElement)
    keepUi(localStorage)
    keepLook(localStorage)
    startPlace()
    await startChats()
    createRoot(root).render(<App />)
  } catch (error) {
    followTheme(document.documentElement)
    root.textContent = messageOf(error)
  }
}

const root = document.getElementById('root')
if (root) void start(root)

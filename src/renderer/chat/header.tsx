import type { SessionDetail } from '@shared/domain/session'
import { visibleLine } from '@shared/visible-text'
import { actions } from '../shell/actions'
import { showsInspector, useUi } from '../stores/ui'
import { IconButton } from '../ui/button'
import { SidebarIcon } from '../ui/icons'
import { AgentMenu } from './composer/agent-menu'
import { chat } from './strings'

export function ChatHeader({ detail }: { detail: SessionDetail }) {
  const inspector = useUi(showsInspector)
  return (
    <header className="hd">
      <h1 className="trunc grow" tabIndex={-1}>
        {visibleLine(detail.title)}
      </h1>
      <AgentMenu detail={detail} />
      {detail.branches.count > 1 && (
        <span className="small t3 num">{chat.branchOf(detail.branches.at, detail.branches.count)}</span>
      )}
      <IconButton
        label={inspector ? chat.hideInspector : chat.showInspector}
        shortcut="Mod+Alt+B"
        on={inspector}
        aria-expanded={inspector}
        onClick={actions.toggleInspector}
      >
        <SidebarIcon mirrored />
      </IconButton>
    </header>
  )
}

import { PRACTICE_MODEL } from '@shared/domain/settings'
import type { Icon } from '@phosphor-icons/react/dist/lib/types'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { AuditSidebar } from '../audit/audit-sidebar'
import { warmTexts } from '../skills/list/skill-filter'
import { SkillsSidebar } from '../skills/tree/skills-sidebar'
import { useApprovals } from '../stores/approvals'
import { useCurrentProjectDir } from '../stores/current-project'
import { describeModel } from '../stores/models'
import { useSessions } from '../stores/sessions'
import { useSettings } from '../stores/settings'
import { useSkillList } from '../stores/skills'
import { useUi } from '../stores/ui'
import type { Area } from '../stores/ui'
import { formatNumber } from '../ui/format'
import {
  AgentIcon,
  AllowedIcon,
  AuditIcon,
  ChatsIcon,
  ModelIcon,
  SettingsIcon,
  SkillsIcon,
} from '../ui/icons'
import { Kbd } from '../ui/kbd'
import { WaitingBadge } from '../ui/marks'
import { actions } from './actions'
import { ChatList } from './chat-list'
import { shell } from './strings'

/** Areas that exist, then the lower part of Chats, then the model line and Settings. */
export function Sidebar({ width }: { width: number }) {
  const waiting = useApprovals((state) => state.pending.length)
  const skills = useSkillList(useCurrentProjectDir())?.skills
  // Before anybody opens the list and types.
  useEffect(() => skills && warmTexts(skills), [skills])
  return (
    <nav className="side" aria-label={shell.nav} data-pane="nav" style={{ width }}>
      <AreaLink area="chats" icon={ChatsIcon} label={shell.chats} onGo={actions.areaChats} />
      <AreaLink area="skills" icon={SkillsIcon} label={shell.skills} onGo={actions.areaSkills}>
        {skills !== undefined && (
          <span className="cnt" aria-hidden="true">
            {formatNumber(skills.length)}
          </span>
        )}
      </AreaLink>
      <AreaLink area="approvals" icon={AllowedIcon} label={shell.approvals} onGo={actions.areaApprovals}>
        <WaitingBadge count={waiting} />
      </AreaLink>
      <AreaLink area="agents" icon={AgentIcon} label={shell.agents} onGo={actions.areaAgents} />
      <AreaLink area="audit" icon={AuditIcon} label={shell.audit} onGo={actions.areaAudit} />
      <AreaSidebar />
      <ModelLine />
      <button
        type="button"
        className="li"
        aria-current={useUi((state) => state.area) === 'settings' ? 'page' : undefined}
        aria-keyshortcuts="Control+,"
        onClick={actions.settings}
      >
        <SettingsIcon />
        <span className="small">{shell.settings}</span>
        <span className="sp" />
        <span className="bare-kbd">
          <Kbd keys="Mod+," />
        </span>
      </button>
    </nav>
  )
}

/** The lower part belongs to the area. */
function AreaSidebar() {
  const area = useUi((state) => state.area)
  if (area !== 'skills' && area !== 'audit') return <ChatList />
  return (
    <div className="chats" data-pane="list">
      {area === 'skills' ? <SkillsSidebar /> : <AuditSidebar />}
    </div>
  )
}

function AreaLink(props: { area: Area; icon: Icon; label: string; onGo: () => void; children?: ReactNode }) {
  const current = useUi((state) => state.area === props.area)
  const Mark = props.icon
  return (
    <button type="button" className="nv" aria-current={current ? 'page' : undefined} onClick={props.onGo}>
      <Mark weight={current ? 'fill' : 'regular'} />
      {props.label}
      {props.children}
    </button>
  )
}

/** Which model answers here, and whether it can. */
function ModelLine() {
  const view = useSettings((state) => state.view)
  const chatModel = useSessions((state) => state.chat?.detail.model)
  const model = describeModel(
    chatModel ?? view?.settings.defaultModel ?? PRACTICE_MODEL,
    view?.providers ?? [],
  )
  return (
    <button type="button" className="li" title={model.full} onClick={actions.settings}>
      <ModelIcon />
      <span className="sr">{shell.model}: </span>
      <span className="small trunc grow">{model.full}</span>
      <span className={`st ${model.ready ? 'ok' : 'warn'}`}>
        <span className="dot" aria-hidden="true" />
        {model.state}
      </span>
    </button>
  )
}

/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/interactive-supports-focus -- a row of a grid that acts (APG): it takes the focus itself */
import { clsx } from 'clsx'
import type { Icon } from '@phosphor-icons/react/dist/lib/types'
import { memo } from 'react'
import { auditWords, contextOf } from '@shared/audit-words'
import type { AuditEvent } from '@shared/domain/audit'
import { visibleLine } from '@shared/visible-text'
import { formatClockSeconds, formatDay, formatDuration, formatExact } from '../ui/format'
import {
  AgentIcon,
  AllowedIcon,
  AuditIcon,
  DeniedIcon,
  ErrorIcon,
  ExportIcon,
  LoadIcon,
  PluginIcon,
  ProjectIcon,
  ProposalIcon,
  ReadIcon,
  RunIcon,
  SettingsIcon,
  WaitingIcon,
  WriteIcon,
} from '../ui/icons'
import { VisibleText } from '../ui/visible-text'
import { audit } from './strings'

export interface AuditRowProps {
  /** Undefined while it is fetched. */
  event: AuditEvent | undefined
  index: number
  /** Pixels from the top of the list. */
  top: number
  /** The row that Tab reaches. */
  current: boolean
  selected: boolean
  onPick: (seq: number | undefined) => void
}

/** One entry in the list. */
export const AuditRow = memo(function AuditRow({
  event,
  index,
  top,
  current,
  selected,
  onPick,
}: AuditRowProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are handled by the grid
    <div
      className={clsx('audg-row', selected && 'on')}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      tabIndex={current ? 0 : -1}
      data-index={index}
      data-entry={event?.seq}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onPick(event?.seq)}
    >
      {event ? (
        <Cells event={event} />
      ) : (
        <span role="gridcell" className="audg-time t3">
          {audit.loading}
        </span>
      )}
    </div>
  )
})

function Cells({ event }: { event: AuditEvent }) {
  const words = auditWords(event)
  const { step } = contextOf(event)
  const Mark = ICONS[iconOf(event.action)]
  return (
    <>
      <span role="gridcell" className="audg-time mono" title={formatExact(event.at)}>
        {timeOf(event.at)}
      </span>
      <span role="gridcell" className="audg-step mono t3">
        {step ?? audit.none}
      </span>
      <span role="gridcell" className="audg-event">
        <Mark aria-hidden="true" />
        <span className="trunc">{words.event}</span>
      </span>
      <span role="gridcell" className="audg-what trunc" title={visibleLine(words.what)}>
        <span className="mono">
          <VisibleText text={words.what} />
        </span>
        {words.about && <span className="t3">{` ${visibleLine(words.about)}`}</span>}
      </span>
      <span role="gridcell" className="audg-by trunc t2">
        {visibleLine(words.by)}
      </span>
      <span role="gridcell" className="audg-result">
        {words.result && <span className={`st ${words.result.tone}`}>{words.result.text}</span>}
      </span>
      <span role="gridcell" className="audg-detail r num t3">
        {words.ms !== null && detailOf(words.ms, words.decided)}
      </span>
    </>
  )
}

function detailOf(ms: number, decided: boolean): string {
  return decided ? audit.toDecide(formatDuration(ms)) : formatDuration(ms)
}

/** The day too, unless it is today. */
function timeOf(at: number): string {
  const now = Date.now()
  const isToday = new Date(at).toDateString() === new Date(now).toDateString()
  return isToday ? formatClockSeconds(at) : `${formatDay(at, now)} ${formatClockSeconds(at).slice(0, 5)}`
}

const ICONS = {
  agent: AgentIcon,
  allowed: AllowedIcon,
  any: AuditIcon,
  asked: WaitingIcon,
  blocked: ErrorIcon,
  denied: DeniedIcon,
  export: ExportIcon,
  load: LoadIcon,
  mcp: PluginIcon,
  project: ProjectIcon,
  proposal: ProposalIcon,
  read: ReadIcon,
  run: RunIcon,
  settings: SettingsIcon,
  write: WriteIcon,
} satisfies Record<string, Icon>

/** By the beginning of the kind; the first that fits. */
const KINDS: [begin: string, icon: keyof typeof ICONS][] = [
  ['skill.loaded', 'load'],
  ['skill.unloaded', 'load'],
  ['skill.read', 'read'],
  ['skill.', 'write'],
  ['proposal.', 'proposal'],
  ['file.read', 'read'],
  ['file.', 'write'],
  ['mcp.', 'mcp'],
  ['request.allowed', 'allowed'],
  ['request.auto_allowed', 'allowed'],
  ['request.denied', 'denied'],
  ['request.auto_denied', 'denied'],
  ['request.', 'asked'],
  ['run.', 'run'],
  ['rule.', 'allowed'],
  ['agent.', 'agent'],
  ['project.', 'project'],
  ['settings.', 'settings'],
  ['policy.', 'settings'],
  ['export.', 'export'],
  ['security.', 'blocked'],
]

function iconOf(action: string): keyof typeof ICONS {
  return KINDS.find(([begin]) => action.startsWith(begin))?.[1] ?? 'any'
}

import type { FileEditPlan, Finding, RequestSummary, RunPlan } from '@shared/domain/approval'
import { diffCounts } from '@shared/line-diff'
import { visibleText } from '@shared/visible-text'
import { useSessions } from '../../stores/sessions'
import { useSettings } from '../../stores/settings'
import { middleCut, placeName } from '../../ui/format'
import {
  ChangedIcon,
  FolderOpenIcon,
  NetworkOffIcon,
  NetworkOnIcon,
  WaitingIcon,
  WriteIcon,
} from '../../ui/icons'
import { StatusMark } from '../../ui/marks'
import { writeFact } from '../reach'
import { words } from '../words'

const MAX_PATH = 44

/** Where it runs, what it can touch, what changed, and the worst finding. */
export function DockFacts({ request }: { request: RequestSummary }) {
  const { plan, changed } = request
  const worst = request.findings[0]
  return (
    <div className="dock-facts">
      {plan.kind === 'file_edit' && <EditFact plan={plan} />}
      {plan.kind !== 'file_edit' && plan.kind !== 'mcp' && <RunFacts plan={plan} />}
      <AskerFact request={request} />
      {changed && (
        <StatusMark tone="warn" icon={<ChangedIcon size={14} />}>
          {words.changed(changed.added, changed.removed)}
        </StatusMark>
      )}
      {request.restored && (
        <StatusMark tone="warn" icon={<WaitingIcon size={14} />}>
          {words.restored}
        </StatusMark>
      )}
      {worst && (
        <StatusMark tone={FINDING_TONE[worst.level]}>
          {findingFact(worst, request.findings.length)}
        </StatusMark>
      )}
    </div>
  )
}

/** In a chat it goes without saying who asks, unless a skill that works by itself does. */
function AskerFact({ request }: { request: RequestSummary }) {
  const isOfChat = useSessions(({ chat }) => chat === undefined || chat.calls[request.callId] !== undefined)
  if (isOfChat) return null
  return <span className="fact">{visibleText(request.agentName)}</span>
}

function RunFacts({ plan }: { plan: RunPlan }) {
  const free = plan.sandbox.backend === 'none'
  const online = free || plan.sandbox.network !== 'off'
  return (
    <>
      <FolderFact path={plan.cwd} />
      <span className="fact">
        <WriteIcon size={14} />
        {writeFact(plan)}
      </span>
      <span className="fact">
        {online ? <NetworkOnIcon size={14} /> : <NetworkOffIcon size={14} />}
        {networkFact(plan)}
      </span>
      {free && <StatusMark tone="bad">{words.notSandboxed}</StatusMark>}
    </>
  )
}

function networkFact({ sandbox }: RunPlan): string {
  if (sandbox.backend === 'none' || sandbox.network === 'on') return words.networkOn
  return sandbox.network === 'hosts' ? words.networkHosts(sandbox.hosts?.length ?? 0) : words.networkOff
}

function EditFact({ plan }: { plan: FileEditPlan }) {
  const { added, removed } = diffCounts(plan.diff)
  return (
    <>
      <FolderFact path={plan.workspace} />
      <span className="fact" title={visibleText(plan.path)}>
        <WriteIcon size={14} />
        {middleCut(visibleText(plan.path), MAX_PATH)} {words.lines(added, removed)}
      </span>
    </>
  )
}

function FolderFact({ path }: { path: string }) {
  const places = useSettings((state) => state.view)
  return (
    <span className="fact" title={visibleText(path)}>
      <FolderOpenIcon size={14} />
      {middleCut(visibleText(placeName(path, places)), MAX_PATH)}
    </span>
  )
}

const FINDING_TONE = { serious: 'bad', notable: 'warn', information: 'off' } as const

function findingFact(worst: Finding, count: number): string {
  return count > 1 ? words.dockFacts.andMore(worst.title, count - 1) : worst.title
}

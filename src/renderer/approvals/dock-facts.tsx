import type { Finding, RequestSummary } from '@shared/domain/approval'
import { useSettings } from '../stores/settings'
import { middleCut, placeName } from '../ui/format'
import {
  ChangedIcon,
  FolderOpenIcon,
  NetworkOffIcon,
  NetworkOnIcon,
  WaitingIcon,
  WriteIcon,
} from '../ui/icons'
import { StatusMark } from '../ui/marks'
import { writeFact } from './reach'
import { words } from './words'

const MAX_PATH = 44

/** Where it runs, what it can touch, what changed, and the worst finding. */
export function DockFacts({ request }: { request: RequestSummary }) {
  const { plan, changed } = request
  const places = useSettings((state) => state.view)
  const free = plan.sandbox.backend === 'none'
  const online = free || plan.sandbox.network === 'on'
  const worst = request.findings[0]
  return (
    <div className="dock-facts">
      <span className="fact" title={plan.cwd}>
        <FolderOpenIcon size={14} />
        {middleCut(placeName(plan.cwd, places), MAX_PATH)}
      </span>
      <span className="fact">
        <WriteIcon size={14} />
        {writeFact(plan)}
      </span>
      <span className="fact">
        {online ? <NetworkOnIcon size={14} /> : <NetworkOffIcon size={14} />}
        {online ? words.networkOn : words.networkOff}
      </span>
      {free && <StatusMark tone="bad">{words.notSandboxed}</StatusMark>}
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

const FINDING_TONE = { serious: 'bad', notable: 'warn', information: 'off' } as const

function findingFact(worst: Finding, count: number): string {
  return count > 1 ? `${worst.title}, and ${count - 1} more` : worst.title
}

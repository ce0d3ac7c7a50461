import { runPlanOf, type RequestSummary } from '@shared/domain/approval'
import { visibleLine, visibleText } from '@shared/visible-text'
import { useApprovals } from '../stores/approvals'
import { openReview } from '../stores/ui'
import { formatElapsed, formatExact, plural } from '../ui/format'
import { ScopeMark, StatusMark } from '../ui/marks'
import { EmptyState } from '../ui/note'
import { useNow } from '../ui/use-now'
import './approvals.css'
import { seriousFindings } from './decision'
import { subjectOf } from './subject'
import { words } from './words'

/** Everything that waits, of every chat, oldest first. A row opens the review; nothing is decided from here. */
export function ApprovalsView() {
  const pending = useApprovals((state) => state.pending)
  return (
    <>
      <div className="hd">
        <h1 tabIndex={-1}>Approvals</h1>
        <span className="small t3">{plural(pending.length, 'request waiting', 'requests waiting')}</span>
      </div>
      {pending.length === 0 ? (
        <EmptyState text={`${words.empty} ${words.emptyMore}`} />
      ) : (
        <div className="wait-list">
          <div className="wait-row wait-head" aria-hidden="true">
            <span>Request</span>
            <span>From</span>
            <span>Findings</span>
            <span>Waiting</span>
            <span>Asked by</span>
          </div>
          <ul aria-label="Waiting">
            {pending.map((request) => (
              <li key={request.id}>
                <WaitingRow request={request} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

function WaitingRow({ request }: { request: RequestSummary }) {
  const now = useNow(1000)
  const { plan } = request
  const { verb, name, skill, server } = subjectOf(plan)
  return (
    <button
      type="button"
      className="wait-row"
      data-request-id={request.id}
      data-state={request.status}
      onClick={() => openReview(request.id)}
    >
      <span className="trunc">
        {plan.kind !== 'script' && `${verb} `}
        <span className="mono m">{visibleText(name ?? runPlanOf(plan)?.argv.join(' ') ?? '')}</span>
      </span>
      <span className="row trunc">
        {skill && (
          <>
            <span className="mono trunc">{visibleLine(skill.name)}</span>
            <ScopeMark scope={skill.scope} />
          </>
        )}
        {server && <span className="mono trunc">{visibleText(server)}</span>}
        {!skill && !server && <span className="t3">no skill</span>}
      </span>
      <FindingsSummary request={request} />
      <span className="num t2" title={formatExact(request.createdAt)}>
        {formatElapsed(now - request.createdAt)}
      </span>
      <span className="col trunc">
        <span className="trunc">{visibleLine(request.agentName)}</span>
        <span className="small t3 trunc">{visibleLine(request.sessionTitle)}</span>
      </span>
    </button>
  )
}

function FindingsSummary({ request }: { request: RequestSummary }) {
  const serious = seriousFindings(request.findings).length
  const [first] = request.findings
  if (!first) return <span className="small t3">{words.noFindings}</span>
  const rest = request.findings.length - 1
  const tone = serious > 0 ? 'bad' : first.level === 'notable' ? 'warn' : 'off'
  return <StatusMark tone={tone}>{rest > 0 ? `${first.title}, and ${rest} more` : first.title}</StatusMark>
}

import { useState } from 'react'
import { runPlanOf, type RequestSummary } from '@shared/domain/approval'
import { visibleLine, visibleText } from '@shared/visible-text'
import { useApprovals } from '../stores/approvals'
import { openReview } from '../stores/ui'
import { formatElapsed, formatExact } from '../ui/format'
import { ScopeMark, StatusMark } from '../ui/marks'
import { EmptyState } from '../ui/note'
import { TabPanel, Tabs } from '../ui/tabs'
import { useNow } from '../ui/use-now'
import { AllAtOnce } from './all-at-once'
import './approvals.css'
import { seriousFindings } from './review/decision'
import { HistoryList } from './history-list'
import { identicalTo } from './dock/queue'
import { RulesList } from './rules/rules-list'
import { stateName, subjectOf } from './subject'
import { words } from './words'

type Shown = 'waiting' | 'rules' | 'history'

/** What waits in every chat, the rules, and what was decided. A row opens the review; nothing is allowed from here. */
export function ApprovalsView() {
  const waiting = useApprovals((state) => state.pending.length)
  const [shown, setShown] = useState<Shown>('waiting')
  const tabs = [
    { value: 'waiting', label: waiting > 0 ? `${words.waitingTab} ${waiting}` : words.waitingTab },
    { value: 'rules', label: words.rulesTab },
    { value: 'history', label: words.historyTab },
  ]
  return (
    <>
      <div className="hd">
        <h1 tabIndex={-1}>{words.approvalsView.approvals}</h1>
        <span className="small t3">{words.approvalsView.requestWaiting(waiting)}</span>
        <span className="sp" />
        <AllAtOnce />
      </div>
      <Tabs
        className="appr-tabs"
        label={words.approvalsView.approvals}
        tabs={tabs}
        value={shown}
        onChange={(value) => setShown(value === 'rules' || value === 'history' ? value : 'waiting')}
      >
        <TabPanel value="waiting" className="appr-panel" passFocus>
          <WaitingList />
        </TabPanel>
        <TabPanel value="rules" className="appr-panel" passFocus>
          <RulesList />
        </TabPanel>
        <TabPanel value="history" className="appr-panel" passFocus>
          <HistoryList />
        </TabPanel>
      </Tabs>
    </>
  )
}

/** Oldest first. */
function WaitingList() {
  const pending = useApprovals((state) => state.pending)
  if (pending.length === 0) return <EmptyState text={`${words.empty} ${words.emptyMore}`} />
  return (
    <div className="wait-list">
      <div className="wait-row wait-head" aria-hidden="true">
        <span>{words.approvalsView.request}</span>
        <span>{words.approvalsView.from}</span>
        <span>{words.approvalsView.findings}</span>
        <span>{words.approvalsView.waiting}</span>
        <span>{words.approvalsView.askedBy}</span>
      </div>
      <ul aria-label={words.approvalsView.waiting}>
        {pending.map((request) => (
          <li key={request.id}>
            <WaitingRow request={request} identical={identicalTo(request, pending)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function WaitingRow({ request, identical }: { request: RequestSummary; identical: number }) {
  const now = useNow(1000)
  const { plan } = request
  const { verb, name, skill, server } = subjectOf(plan)
  return (
    <button
      type="button"
      className="wait-row"
      data-request-id={request.id}
      data-state={stateName(request.status)}
      onClick={() => openReview(request.id)}
    >
      <span className="trunc">
        {plan.kind !== 'script' && `${verb} `}
        <span className="mono m">{visibleText(name ?? runPlanOf(plan)?.argv.join(' ') ?? '')}</span>
        {identical > 1 && <span className="small t3">{` ${words.identical(identical)}`}</span>}
      </span>
      <span className="row trunc">
        {skill && (
          <>
            <span className="mono trunc">{visibleLine(skill.name)}</span>
            <ScopeMark scope={skill.scope} />
          </>
        )}
        {server && <span className="mono trunc">{visibleText(server)}</span>}
        {!skill && !server && <span className="t3">{words.approvalsView.noSkill}</span>}
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
  return (
    <StatusMark tone={tone}>
      {rest > 0 ? words.approvalsView.andMore(first.title, rest) : first.title}
    </StatusMark>
  )
}

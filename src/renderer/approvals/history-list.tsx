import { useCallback, useEffect, useState } from 'react'
import type { RequestSummary } from '@shared/domain/approval'
import { visibleLine, visibleText } from '@shared/visible-text'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { useApprovals } from '../stores/approvals'
import { openReview } from '../stores/ui'
import { Button } from '../ui/button'
import { formatAgo, formatExact } from '../ui/format'
import { StatusMark } from '../ui/marks'
import { EmptyState } from '../ui/note'
import { useNow } from '../ui/use-now'
import { outcomeOf } from './outcome'
import { stateName, subjectOf } from './subject'
import { words } from './words'

const PAGE = 50

/** What was asked and how it ended, the newest first. */
export function HistoryList() {
  const version = useApprovals((state) => state.version)
  const [rows, setRows] = useState<RequestSummary[] | undefined>()
  const [isAll, setAll] = useState(false)
  const load = useCallback(
    (before: number | undefined) =>
      guarded(async () => {
        const next = await api.call('approvals.history', { limit: PAGE, ...(before ? { before } : {}) })
        setRows((old) => (before ? [...(old ?? []), ...next] : next))
        setAll(next.length < PAGE)
      }),
    [],
  )
  useEffect(() => {
    void load(undefined)
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new version means: fetch again
  }, [load, version])
  if (!rows) return null
  if (rows.length === 0) return <EmptyState text={words.noHistory} />
  return (
    <div className="wait-list">
      <ul aria-label={words.historyTab}>
        {rows.map((request) => (
          <li key={request.id}>
            <HistoryRow request={request} />
          </li>
        ))}
      </ul>
      {!isAll && (
        <div className="row hist-more">
          <Button onClick={() => void load(rows.at(-1)?.createdAt)}>{words.older}</Button>
        </div>
      )}
    </div>
  )
}

function HistoryRow({ request }: { request: RequestSummary }) {
  const now = useNow(60_000)
  const { verb, name, skill, server } = subjectOf(request.plan)
  const { tone, text } = outcomeOf(request)
  const command = request.plan.kind === 'shell' ? request.plan.argv.at(-1) : undefined
  const why = request.decidedBy === 'rule' ? request.ruleText : request.note
  return (
    <button
      type="button"
      className="wait-row hist-row"
      data-request-id={request.id}
      data-state={stateName(request.status)}
      onClick={() => openReview(request.id)}
    >
      <span className="trunc">
        {`${verb} `}
        <span className="mono m">{visibleText(name ?? command ?? '')}</span>
      </span>
      <span className="mono trunc">{visibleText(skill?.name ?? server ?? '')}</span>
      <span className="col trunc">
        <StatusMark tone={tone}>{text}</StatusMark>
        {why && <span className="small t3 trunc">{visibleText(why)}</span>}
      </span>
      <span className="small t2" title={formatExact(request.decidedAt ?? request.createdAt)}>
        {formatAgo(request.decidedAt ?? request.createdAt, now)}
      </span>
      <span className="col trunc">
        <span className="trunc">{visibleLine(request.agentName)}</span>
        <span className="small t3 trunc">{visibleLine(request.sessionTitle)}</span>
      </span>
    </button>
  )
}

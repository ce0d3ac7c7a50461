import { runPlanOf, type RequestSummary } from '@shared/domain/approval'
import type { ToolCall } from '@shared/domain/session'
import { visibleLine } from '@shared/visible-text'
import type { FileChange } from '@shared/domain/file-change'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { useRun } from '../../stores/runs'
import { openReview } from '../../stores/ui'
import { Button } from '../../ui/button'
import { CommandBlock } from '../../ui/command-block'
import { formatBytes, formatExact } from '../../ui/format'
import { HashChip } from '../../ui/hash-chip'
import { hunkRows } from '../../ui/hunk-rows'
import { LineList } from '../../ui/line-list'
import { PropertyList } from '../../ui/property-list'
import { VisibleText } from '../../ui/visible-text'
import { fields, list, number, text, texts } from './read-result'
import { RunChanges } from './run-changes'
import { loadedBy } from './skill-facts'
import type { StepView } from './steps'
import { isRun } from './steps'
import { chat } from '../strings'

/** What a row shows when it is opened: the exact data of the step. */
export function StepDetails(props: { call: ToolCall; view: StepView; request: RequestSummary | undefined }) {
  const { call, view, request } = props
  if (request) return <RequestDetails request={request} />
  if (call.change) {
    return (
      <Details>
        <ChangeDetails change={call.change} />
      </Details>
    )
  }
  if (isRun(call)) return <RunDetails call={call} />
  if (view.kind === 'file-read') return <ReadDetails call={call} />
  if (view.kind === 'skill-loaded') return <LoadDetails call={call} />
  return <RawDetails call={call} />
}

function row(name: string, value: ReactNode): [string, ReactNode] {
  return [name, value]
}

function Details({ children }: { children: ReactNode }) {
  return <div className="details">{children}</div>
}

function RequestDetails({ request }: { request: RequestSummary }) {
  const run = runPlanOf(request.plan)
  return (
    <Details>
      {run && <CommandBlock argv={run.argv} lines />}
      {request.plan.kind === 'file_edit' && <ChangeDetails change={request.plan} />}
      <div>
        <Button small onClick={() => openReview(request.id)}>
          {chat.review}
        </Button>
      </div>
    </Details>
  )
}

function RunDetails({ call }: { call: ToolCall }) {
  const run = useRun(call.runId)
  if (!run) return <RawDetails call={call} />
  return (
    <Details>
      <CommandBlock argv={run.argv} lines />
      <PropertyList
        rows={[
          row(chat.folder, <VisiblePath path={run.cwd} />),
          row(chat.sandbox, run.backend === 'none' ? chat.noSandbox : run.backend),
          row(chat.started, formatExact(run.startedAt)),
          row(chat.ended, run.endedAt === null ? null : formatExact(run.endedAt)),
          row(chat.signal, run.signal),
          row(chat.printed, formatBytes(run.outputBytes)),
          row(chat.copyUsed, run.treeDigest ? <HashChip hash={run.treeDigest} /> : null),
        ]}
      />
      {run.status !== 'running' && <RunChanges runId={run.id} />}
    </Details>
  )
}

function VisiblePath({ path }: { path: string }) {
  return (
    <span className="mono">
      <VisibleText text={path} />
    </span>
  )
}

/** What the step changed, as it was allowed. */
function ChangeDetails({ change }: { change: FileChange }) {
  const rows = useMemo(() => hunkRows(change.diff), [change])
  return (
    <>
      <div className="step-diff">
        <LineList rows={rows} label={chat.change} wrap />
      </div>
      <PropertyList rows={[row(chat.newContents, <HashChip hash={change.after.sha256} />)]} />
    </>
  )
}

function ReadDetails({ call }: { call: ToolCall }) {
  const result = fields(call.envelope?.result)
  const first = number(result['from_line']) ?? 1
  const content = text(result['content']).replace(/\n$/, '')
  if (!content) return <RawDetails call={call} />
  return (
    <Details>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <pre className="code numbered" tabIndex={0} aria-label={chat.exactText}>
        {content.split('\n').map((line, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines of a fixed text: the number is what they are
          <span key={i} className="numbered-line">
            <i aria-hidden="true">{first + i}</i>
            <VisibleText text={line} />
            {'\n'}
          </span>
        ))}
      </pre>
    </Details>
  )
}

function LoadDetails({ call }: { call: ToolCall }) {
  const entries = list(fields(call.envelope?.result)['active_skills']).map(fields)
  const warnings = texts(fields(call.envelope?.result)['warnings'])
  return (
    <Details>
      {loadedBy(call).map((fact) => {
        const entry = entries.find((other) => other['name'] === fact.name) ?? {}
        return (
          <PropertyList
            key={fact.name}
            rows={[
              row(chat.skill, <span className="mono m">{visibleLine(fact.name)}</span>),
              row(chat.folder, <VisiblePath path={text(entry['location'])} />),
              row(chat.copyUsed, fact.digest ? <HashChip hash={fact.digest} /> : null),
              ...properties(entry['properties']),
            ]}
          />
        )
      })}
      {warnings.map((warning) => (
        <p key={warning} className="small">
          <VisibleText text={warning} />
        </p>
      ))}
    </Details>
  )
}

function properties(value: unknown): [string, ReactNode][] {
  return Object.entries(fields(value)).map(([key, entry]) => [
    key,
    <VisibleText key={key} text={typeof entry === 'string' ? entry : JSON.stringify(entry)} />,
  ])
}

function RawDetails({ call }: { call: ToolCall }) {
  const shown = { tool: call.name, input: call.input, ...(call.envelope ? { result: call.envelope } : {}) }
  return (
    <Details>
      <pre className="code">
        <VisibleText text={JSON.stringify(shown, null, 2)} />
      </pre>
    </Details>
  )
}

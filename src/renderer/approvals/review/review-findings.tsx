import { clsx } from 'clsx'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import type { Finding, RequestPlan } from '@shared/domain/approval'
import { visibleText } from '@shared/visible-text'
import { Button } from '../../ui/button'
import { Option } from '../../ui/field'
import { ErrorIcon, InfoIcon, WarningIcon } from '../../ui/icons'
import { useOnScreen } from '../../ui/use-on-screen'
import { words } from '../words'
import { reviewWords } from './review-strings'

/** Id of the part, for the way to it from the footer. */
export const FINDINGS = 'what-to-check'

export interface ReviewFindingsProps {
  plan: RequestPlan
  findings: readonly Finding[]
  ticked: ReadonlySet<string>
  onTick: (id: string, on: boolean) => void
  onShowLine: (line: number) => void
  /** Called once the first finding was on the screen; give other findings another `key`. */
  onSeen: () => void
  /** Asks for what is missing to be prepared; left out: nothing waits any more. */
  onPrepare?: (() => void) | undefined
}

/** What the fixed rules found, worst first. Serious ones must be ticked, each on its own. */
export function ReviewFindings(props: ReviewFindingsProps) {
  const first = useRef<HTMLSpanElement>(null)
  useOnScreen(first, props.onSeen)
  return (
    <section id={FINDINGS} className="rv-check">
      <h2 tabIndex={-1}>{words.check}</h2>
      <div className="col rv-findings">
        {props.findings.length === 0 && <p className="small">{words.noFindings}</p>}
        {props.findings.map((finding, i) => (
          <FindingItem
            key={finding.id}
            finding={finding}
            end={i === 0 && <span ref={first} className="rv-end" />}
            {...props}
          />
        ))}
      </div>
      <p className="small t3">{words.rules(props.plan)}</p>
    </section>
  )
}

const MARK = { serious: ErrorIcon, notable: WarningIcon, information: InfoIcon }
const TONE = { serious: 'bad', notable: 'warn', information: '' }

interface FindingItemProps extends ReviewFindingsProps {
  finding: Finding
  /** Stands where its text ends. */
  end: ReactNode
}

function FindingItem(props: FindingItemProps) {
  const { finding, ticked, onTick, onShowLine } = props
  const { line } = finding
  const Mark = MARK[finding.level]
  return (
    <div
      className={clsx('note', 'rv-finding', TONE[finding.level])}
      data-level={finding.level}
      data-finding={finding.id}
    >
      <div className="row rv-finding-text">
        <Mark aria-hidden="true" />
        <div className="grow">
          <div className="b">{finding.title}</div>
          {visibleText(finding.text)}{' '}
          {line !== undefined && (
            <button type="button" className="rv-show" onClick={() => onShowLine(line)}>
              {words.showLine}
              <span className="sr">{` ${line}`}</span>
            </button>
          )}
          {finding.id === 'needs-missing' && props.onPrepare && (
            <Button small onClick={props.onPrepare}>
              {words.prepare}
            </Button>
          )}
          {props.end}
        </div>
      </div>
      {finding.level === 'serious' && (
        <Option
          type="checkbox"
          label={
            line === undefined
              ? reviewWords.reviewFindings.iveReadThis
              : reviewWords.reviewFindings.iveReadLine(line)
          }
          aria-label={reviewWords.reviewFindings.iveReadFinding(line, finding.title)}
          checked={ticked.has(finding.id)}
          onChange={(event) => onTick(finding.id, event.target.checked)}
        />
      )}
    </div>
  )
}

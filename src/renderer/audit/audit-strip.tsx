import { useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { clsx } from 'clsx'
import type { AuditDay, AuditSummary } from '@shared/domain/audit'
import { auditStore, dayOf, setAuditFilter, startOf, useAudit } from '../stores/audit'
import { formatDay, formatDuration, formatNumber } from '../ui/format'
import { useNow } from '../ui/use-now'
import { daysShown } from './days'
import { audit } from './strings'

const PARTS = ['denied', 'runs', 'reads'] as const

/** What happened when, and four facts. */
export function AuditStrip() {
  const { summary, range, days } = useAudit((state) => state)
  const [table, setTable] = useState(false)
  const now = useNow(60_000)
  if (!summary) return null
  const shown = daysShown(summary.days, days, range, dayOf(now))
  return (
    <div className="aud-strip">
      <section className="aud-days" aria-label={audit.perDay}>
        <div className="row small">
          <h2>{audit.perDay}</h2>
          {(['reads', 'runs', 'denied'] as const).map((part) => (
            <span key={part} className="row aud-key">
              <span className={`swatch aud-${part}`} />
              {audit.parts[part]}
            </span>
          ))}
          <span className="sp" />
          <button type="button" className="link small" onClick={() => setTable(!table)}>
            {table ? audit.asBars : audit.asTable}
          </button>
        </div>
        {table ? <DayTable days={shown} /> : <DayBars days={shown} />}
      </section>
      <Facts summary={summary} />
    </div>
  )
}

/** A bar a day. Enter chooses the day, with Shift all from the one that was chosen; arrows go from bar to bar. */
function DayBars({ days }: { days: readonly AuditDay[] }) {
  const chosen = useAudit((state) => state.days)
  const box = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState(days.length - 1)
  const most = Math.max(1, ...days.map(countOf))
  const current = Math.min(at, days.length - 1)
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = moved(event.key, current, days.length)
    if (next === null) return
    event.preventDefault()
    setAt(next)
    box.current?.querySelectorAll<HTMLElement>('button')[next]?.focus()
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its buttons take the focus (APG toolbar) */}
      <div ref={box} className="aud-bars" role="toolbar" aria-label={audit.perDay} onKeyDown={onKeyDown}>
        {days.map((day, index) => (
          <button
            key={day.day}
            type="button"
            className={clsx('aud-day', isIn(day.day, chosen) && 'on')}
            tabIndex={index === current ? 0 : -1}
            aria-label={dayLabel(day)}
            aria-pressed={isIn(day.day, chosen)}
            title={dayLabel(day)}
            onClick={(event) => choose(day.day, event.shiftKey)}
          >
            {PARTS.map((part) => (
              <span key={part} className={`aud-${part}`} style={{ height: `${(day[part] / most) * 100}%` }} />
            ))}
          </button>
        ))}
      </div>
      <div className="row small t3 aud-axis" aria-hidden="true">
        {axis(days).map(({ day }) => (
          <span key={day}>{dayWord(day)}</span>
        ))}
      </div>
    </>
  )
}

function DayTable({ days }: { days: readonly AuditDay[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
    <section className="aud-table" tabIndex={0} aria-label={audit.asTable}>
      <table className="small num">
        <thead>
          <tr>
            <th scope="col">{audit.day}</th>
            <th scope="col">{audit.parts.reads}</th>
            <th scope="col">{audit.parts.runs}</th>
            <th scope="col">{audit.parts.denied}</th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day}>
              <th scope="row">{dayWord(day.day)}</th>
              <td>{formatNumber(day.reads)}</td>
              <td>{formatNumber(day.runs)}</td>
              <td>{formatNumber(day.denied)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Facts({ summary: { facts } }: { summary: AuditSummary }) {
  const { range, days } = useAudit((state) => state)
  const name = days ? '' : (audit.ranges.find(([value]) => value === range)?.[1] ?? '')
  const rows: [string, string][] = [
    [audit.facts.runs, formatNumber(facts.runs)],
    [
      audit.facts.byRule,
      facts.allowed === 0 ? audit.none : `${Math.round((facts.byRule / facts.allowed) * 100)} %`,
    ],
    [audit.facts.median, facts.medianDecideMs === null ? audit.none : formatDuration(facts.medianDecideMs)],
    [audit.facts.denied, formatNumber(facts.denied)],
  ]
  return (
    <section className="aud-facts small" aria-label={name || audit.perDay}>
      <h2>{name || audit.facts.runs}</h2>
      <dl>
        {rows.map(([term, value]) => (
          <div key={term} className="row">
            <dt className="t2 grow">{term}</dt>
            <dd className="num b">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function countOf({ reads, runs, denied }: AuditDay): number {
  return reads + runs + denied
}

function isIn(day: number, chosen: { from: number; to: number } | null): boolean {
  return chosen !== null && day >= chosen.from && day <= chosen.to
}

/** The same day again takes the choice back. */
function choose(day: number, extend: boolean): void {
  const { days } = auditStore.getState()
  if (days && extend) {
    setAuditFilter({ days: { from: Math.min(days.from, day), to: Math.max(days.to, day) } })
  } else {
    const same = days !== null && days.from === day && days.to === day
    setAuditFilter({ days: same ? null : { from: day, to: day } })
  }
}

function moved(key: string, at: number, count: number): number | null {
  if (key === 'ArrowLeft') return Math.max(0, at - 1)
  if (key === 'ArrowRight') return Math.min(count - 1, at + 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

/** At most five days to write below the bars: the first, the last and some between. */
function axis(days: readonly AuditDay[]): AuditDay[] {
  const gaps = Math.min(4, days.length - 1)
  if (gaps <= 0) return [...days]
  return Array.from({ length: gaps + 1 }, (_, n) => days[Math.round((n * (days.length - 1)) / gaps)]!)
}

function dayWord(day: number): string {
  return day === dayOf(Date.now()) ? audit.auditStrip.today : formatDay(startOf(day), Date.now())
}

function dayLabel(day: AuditDay): string {
  return audit.dayWords(dayWord(day.day), day.reads, day.runs, day.denied)
}

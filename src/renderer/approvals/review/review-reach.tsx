import { useState } from 'react'
import type { ReactNode } from 'react'
import type { RequestDetail, RunPlan } from '@shared/domain/approval'
import { RUN_ID } from '@shared/run-facts'
import { visibleText } from '@shared/visible-text'
import { useSettings } from '../../stores/settings'
import { formatDay, placeName } from '../../ui/format'
import { CheckIcon, CloseIcon } from '../../ui/icons'
import { PropertyList } from '../../ui/property-list'
import { useNow } from '../../ui/use-now'
import { beforeWords, reachRows } from '../reach'
import type { ReachRow } from '../reach'
import { words } from '../words'
import { reviewWords } from './review-strings'

/** What the run can touch and what happened before. */
export function ReviewReach(props: {
  plan: RunPlan
  before: RequestDetail['before']
  undo: RequestDetail['undo']
}) {
  const { plan, before, undo } = props
  const now = useNow(60_000)
  const places = useSettings((state) => state.view)
  const rows = reachRows(plan, (path) => placeName(path, places)).map((row): [string, ReactNode] => [
    row.name,
    <ReachValue key={row.name} row={row} />,
  ])
  const at = rows.findIndex(([name]) => name === 'Stops after')
  rows.splice(at, 0, [
    reviewWords.reviewReach.environment,
    <EnvironmentList key="env" env={plan.env} secrets={plan.secrets ?? []} />,
  ])
  rows.push([
    reviewWords.reviewReach.undo,
    plan.kind === 'prepare' ? words.undoPrepare : <UndoFacts key="undo" undo={undo} />,
  ])
  return (
    <>
      <section>
        <h2>{words.reach}</h2>
        <PropertyList rows={rows} />
      </section>
      {plan.script && (
        <section>
          <h2>{words.before}</h2>
          <p className="small t2">{beforeWords(before, (day) => formatDay(day, now))}</p>
        </section>
      )}
    </>
  )
}

function ReachValue({ row }: { row: ReachRow }) {
  const text = (
    <span className={row.mono ? 'mono' : undefined} title={row.title && visibleText(row.title)}>
      {visibleText(row.text)}
    </span>
  )
  if (row.tone === 'plain') return text
  return (
    <span className={row.tone === 'ok' ? 'st ok' : 'st bad'}>
      {row.tone === 'ok' ? <CheckIcon size={14} /> : <CloseIcon size={14} />}
      {text}
    </span>
  )
}

/** What can be taken back of it, and what can't: said before anyone allows. */
function UndoFacts({ undo }: { undo: RequestDetail['undo'] }) {
  if (!undo) return reviewWords.reviewReach.itCanWriteNothing
  return (
    <>
      {undo.kept === null ? words.undoLooking : words.undoKept(undo.kept)}
      {undo.notes.map((note) => (
        <p key={note} className="small t2">
          {note}
        </p>
      ))}
    </>
  )
}

/** Names at once; each value only when asked for. */
function EnvironmentList({ env, secrets }: { env: RunPlan['env']; secrets: readonly string[] }) {
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set())
  const toggle = (name: string): void =>
    setShown((old) => {
      const next = new Set(old)
      if (!next.delete(name)) next.add(name)
      return next
    })
  return (
    <ul className="rv-env">
      {env.map(({ name, value }) => (
        <li key={name}>
          <button
            type="button"
            className="rv-env-name mono"
            aria-expanded={shown.has(name)}
            onClick={() => toggle(name)}
          >
            {visibleText(name)}
          </button>
          {shown.has(name) && <span className="mono t2">{`=${visibleText(value)}`}</span>}
        </li>
      ))}
      {secrets.map((name) => (
        <li key={name}>
          <span className="mono">{visibleText(name)}</span> {words.secretValue}
        </li>
      ))}
      <li>
        <span className="mono">{RUN_ID}</span> {words.runId}
      </li>
      <li className="t3">{reviewWords.reviewReach.andNothingElse}</li>
    </ul>
  )
}

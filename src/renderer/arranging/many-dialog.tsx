import { useMemo, useState } from 'react'
import type { FormEvent } from 'react'
import { effectWords, PROJECT_NOT_TRUSTED } from '@shared/arrange-words'
import type { ArrangePlan, SkillPlace } from '@shared/domain/arranging'
import { visibleLine } from '@shared/visible-text'
import { clearMarks } from '../skills/tree/skills-place'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Note } from '../ui/note'
import { VisibleText } from '../ui/visible-text'
import { arrangeMany, closeDialog } from './arranging-store'
import type { ManyAsked, MeantSkill } from './arranging-store'
import { manyRows } from './many-plan'
import type { ManyRow } from './many-plan'
import { otherPlace } from './other-place'
import { PlaceField } from './place-field'
import { Refusal } from './plan-view'
import { words } from './strings'
import { useManyPlans } from './use-many-plans'

const FORM = 'arrange-many-form'

/** Moves or copies several skills into one folder: where each goes, or why it stays, and what changes, shown before. */
export function ManyDialog(props: {
  kind: ManyAsked
  skills: readonly MeantSkill[]
  projectDir: string | null
  place: SkillPlace | null
}) {
  const { kind, skills, projectDir } = props
  const [place, setPlace] = useState(props.place ?? otherPlace(skills[0]?.scope ?? 'personal', projectDir))
  const [isDoing, setDoing] = useState(false)
  const { plans, error } = useManyPlans(kind, skills, { place, projectDir, isDoing })
  const rows = useMemo(() => manyRows(skills, plans), [skills, plans])
  const going = rows.filter(({ refusal }) => refusal === null)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isDoing || rows.length < skills.length || going.length === 0) return
    setDoing(true)
    clearMarks()
    arrangeMany(kind, going, { place, projectDir })
  }
  return (
    <Dialog
      open
      title={words.many.titles[kind](skills.length)}
      onClose={closeDialog}
      className="arr-dlg"
      footer={
        <>
          <Button onClick={closeDialog}>{words.cancel}</Button>
          <Button
            variant="solid"
            type="submit"
            form={FORM}
            unavailable={whyNotMany({ asked: skills.length, rows, isDoing })}
          >
            {words.many.acts[kind](going.length)}
          </Button>
        </>
      }
    >
      <form id={FORM} className="col arr-form" onSubmit={submit}>
        <PlaceField value={place} onChange={setPlace} projectDir={projectDir} />
        {rows.some(({ refusal }) => refusal === PROJECT_NOT_TRUSTED) && (
          <Refusal text={PROJECT_NOT_TRUSTED} projectDir={projectDir} />
        )}
        {rows.length < skills.length && !error && (
          <p className="small t3">{words.many.looking(rows.length, skills.length)}</p>
        )}
        <Rows rows={rows} />
        <Effects plans={plans} going={going} />
        {error && <Note tone="bad">{visibleLine(error)}</Note>}
      </form>
    </Dialog>
  )
}

function whyNotMany(state: { asked: number; rows: readonly ManyRow[]; isDoing: boolean }): string | false {
  const { asked, rows, isDoing } = state
  if (isDoing) return words.many.doing
  if (rows.length < asked) return words.notNow
  return rows.every(({ refusal }) => refusal !== null) ? words.many.none : false
}

function Rows({ rows }: { rows: readonly ManyRow[] }) {
  if (rows.length === 0) return null
  return (
    <div className="arr-many">
      <table className="arr-table small" aria-label={words.planTitle}>
        <thead>
          <tr className="t3">
            <th scope="col">{words.name}</th>
            <th scope="col">{words.makes}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, path, refusal }) => (
            <tr key={key} data-skill={name} data-state={refusal === null ? 'goes' : 'stays'}>
              <th scope="row" className="mono">
                <VisibleText text={name} />
              </th>
              <td className={refusal === null ? 'mono arr-path' : 'attn arr-path'}>
                {refusal === null ? (
                  <VisibleText text={path ?? ''} />
                ) : (
                  words.many.stays(visibleLine(refusal))
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Sentences that are shown; the rest is counted. */
const MOST = 12

/** Which copies are used then, of those that go; where nothing changes, nothing is said. */
function Effects({ plans, going }: { plans: ReadonlyMap<string, ArrangePlan>; going: readonly ManyRow[] }) {
  const sentences = going.flatMap(({ key, name }) => {
    const plan = plans.get(key)
    const changes = effectWords(plan?.effects ?? []).filter(
      (sentence) => !/: nothing changes\b/.test(sentence),
    )
    return [...changes, ...(plan?.notes ?? [])].map((sentence) => ({ key, text: `${name}: ${sentence}` }))
  })
  if (sentences.length === 0) return null
  return (
    <ul className="arr-effects small">
      {sentences.slice(0, MOST).map(({ key, text }) => (
        <li key={`${key} ${text}`}>{visibleLine(text)}</li>
      ))}
      {sentences.length > MOST && <li className="t3">{words.many.more(sentences.length - MOST)}</li>}
    </ul>
  )
}

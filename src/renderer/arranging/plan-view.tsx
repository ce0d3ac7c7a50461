import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import type { ArrangePlan } from '@shared/domain/arranging'
import { effectWords, PROJECT_NOT_TRUSTED } from '@shared/arrange-words'
import { visibleLine } from '@shared/visible-text'
import { TrustReview } from '../skills/trust/trust-review'
import { useProject } from '../stores/projects'
import { Button } from '../ui/button'
import { Note } from '../ui/note'
import { VisibleText } from '../ui/visible-text'
import { words } from './strings'

/** Everything that an operation will do, before it is done (`ux.md` 3.3): paths, changed lines, and which copy is used. */
export function PlanView(props: { plan: ArrangePlan; moves: boolean; projectDir: string | null }) {
  const { plan, moves, projectDir } = props
  const heading = useId()
  if (plan.refusal !== null) return <Refusal text={plan.refusal} projectDir={projectDir} />
  const { makes, takes, edits, effects, notes } = plan
  return (
    <section className="arr-plan" aria-labelledby={heading}>
      <h3 id={heading} className="sec">
        {words.planTitle}
      </h3>
      <dl className="arr-facts small">
        {takes && (
          <Fact label={moves ? words.movesFrom : words.toTrash}>
            <Path path={takes.path} />
          </Fact>
        )}
        {makes && (
          <Fact label={words.makes}>
            <Path path={makes.path} />
            <span className="t3 num"> {words.size(makes.files, makes.bytes)}</span>
          </Fact>
        )}
        {edits.map(({ file, before, after }) => (
          <Fact key={file} label={words.changes(file)}>
            <del className="mono arr-del">
              <VisibleText text={before} />
            </del>
            <ins className="mono arr-ins">
              <VisibleText text={after} />
            </ins>
          </Fact>
        ))}
      </dl>
      <ul className="arr-effects small">
        {effectWords(effects).map((sentence) => (
          <li key={sentence}>{visibleLine(sentence)}</li>
        ))}
        {notes.map((note) => (
          <li key={note} className="t3">
            {visibleLine(note)}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Why it can't be done; where only trust is missing, with the way to the review. */
export function Refusal({ text, projectDir }: { text: string; projectDir: string | null }) {
  const project = useProject(projectDir)
  const [reviewing, setReviewing] = useState(false)
  const isTrustMissing = text === PROJECT_NOT_TRUSTED && project
  return (
    <>
      <Note
        tone="warn"
        action={
          isTrustMissing && (
            <Button small onClick={() => setReviewing(true)}>
              {words.review}
            </Button>
          )
        }
      >
        {visibleLine(text)}
      </Note>
      {isTrustMissing && reviewing && (
        <TrustReview dir={project.dir} name={project.name} onDone={() => setReviewing(false)} />
      )}
    </>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="t3">{label}</dt>
      <dd>{children}</dd>
    </>
  )
}

function Path({ path }: { path: string }) {
  return (
    <span className="mono arr-path">
      <VisibleText text={path} />
    </span>
  )
}

import { useEffect, useMemo, useRef, useState } from 'react'
import type { Diagnostic, SkillDetail } from '@shared/domain/skill'
import { RULES } from '@shared/skill-check/rules'
import { fixEdits } from '@shared/skill-md/fix-edits'
import { visibleText } from '@shared/visible-text'
import { Button } from '../../ui/button'
import { focusArea } from '../../ui/focus'
import { EmptyState } from '../../ui/note'
import { VisibleText } from '../../ui/visible-text'
import { folderOf, problemKey, problemPlace, sortProblems } from '../preview/skill-facts'
import { ProblemSeverity } from '../preview/skill-problems'
import { Section } from '../preview/skill-sections'
import { FixDialog } from './fix-dialog'
import { page } from './strings'
import { Sentences, strictSentences } from './strict'
import { useSkillMd } from './use-skill-md'

interface ProblemsProps {
  detail: SkillDetail
  projectDir: string | null
  onPlace: (file: string, line: number | undefined) => void
}

/** Everything that is wrong with a skill, as Satchel reads it and as the format says it to the letter. */
export function Problems({ detail, projectDir, onPlace }: ProblemsProps) {
  const { value } = useSkillMd(projectDir, detail)
  const [fixing, setFixing] = useState<Diagnostic | null>(null)
  const { list, landNear } = useLanding(detail.diagnostics)
  const path = value?.path ?? 'SKILL.md'
  const text = value?.text ?? null
  const folder = folderOf(detail.location)
  const fixable = useMemo(() => {
    if (text === null || detail.readOnly) return new Set<Diagnostic>()
    return new Set(
      detail.diagnostics.filter((one) => fixEdits(text, { ...one, folderName: folder }) !== null),
    )
  }, [text, detail.readOnly, detail.diagnostics, folder])
  const words = page.problems
  return (
    <div className="skpr">
      <Section title={words.lenient}>
        <p className="small t2">{words.lenientIntro}</p>
        {detail.diagnostics.length === 0 ? (
          <EmptyState text={words.none} />
        ) : (
          <ul ref={list} className="skproblems" aria-label={page.tabs.problems}>
            {sortProblems(detail.diagnostics).map((problem) => (
              <li key={problemKey(problem)} data-state={problem.severity}>
                <ProblemSeverity problem={problem} />
                <Words problem={problem} />
                <Place problem={problem} path={path} onPlace={onPlace} />
                <span className="skpr-act">
                  {fixable.has(problem) && (
                    <Button small onClick={() => setFixing(problem)}>
                      {words.fix}
                      <span className="sr">{` ${visibleText(problem.message)}`}</span>
                    </Button>
                  )}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Strict path={path} text={text} folder={folder} />
      {fixing && (
        <FixDialog
          detail={detail}
          problem={fixing}
          path={path}
          onFixed={() => landNear(fixing)}
          onClose={() => setFixing(null)}
        />
      )}
    </div>
  )
}

/** The problem that was fixed goes with its button: the focus goes to the next fix, or to the heading. */
function useLanding(diagnostics: readonly Diagnostic[]) {
  const list = useRef<HTMLUListElement>(null)
  const left = useRef<{ at: number; of: readonly Diagnostic[] } | null>(null)
  useEffect(() => {
    if (left.current === null || left.current.of === diagnostics) return
    const { at } = left.current
    left.current = null
    if (document.activeElement !== null && document.activeElement !== document.body) return
    const rows = [...(list.current?.children ?? [])]
    const ordered = [...rows.slice(at), ...rows.slice(0, at)]
    const next = ordered.map((row) => row.querySelector<HTMLElement>('.skpr-act button')).find(Boolean)
    if (next) next.focus()
    else focusArea()
  }, [diagnostics])
  const landNear = (problem: Diagnostic): void => {
    left.current = { at: sortProblems(diagnostics).indexOf(problem), of: diagnostics }
  }
  return { list, landNear }
}

function Words({ problem: { code, message, fix } }: { problem: Diagnostic }) {
  const why = RULES[code]?.why ?? null
  return (
    <div className="grow skproblems-words">
      <div>
        <VisibleText text={message} />
      </div>
      {why !== null && <div className="small t3">{why}</div>}
      {fix && (
        <div className="small t2">
          <VisibleText text={fix} />
        </div>
      )}
      <div className="small mono t3">{code}</div>
    </div>
  )
}

function Place(props: { problem: Diagnostic; path: string } & Pick<ProblemsProps, 'onPlace'>) {
  const { problem, path, onPlace } = props
  const file = problem.file ?? path
  return (
    <button
      type="button"
      className="linklike small mono skproblems-place"
      onClick={() => onPlace(file, problem.line)}
    >
      <VisibleText text={problemPlace({ ...problem, file })} />
    </button>
  )
}

/** What the reference validator says of the same folder, and what of it are its own mistakes (`format.md` 1.3). */
function Strict({ path, text, folder }: { path: string; text: string | null; folder: string }) {
  const words = page.problems
  const { format, exact } = useMemo(() => strictSentences({ path, text, folder }), [path, text, folder])
  const differs = exact.join('\n') !== format.join('\n')
  return (
    <>
      <Section title={words.strict}>
        <p className="small t2">{words.strictIntro}</p>
        <Sentences sentences={format} label={words.strict} />
      </Section>
      {differs && (
        <Section title={words.reference}>
          <p className="small t2">{words.referenceIntro}</p>
          <Sentences sentences={exact} label={words.reference} />
        </Section>
      )}
    </>
  )
}

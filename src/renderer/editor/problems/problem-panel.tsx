import type { Diagnostic } from '@shared/domain/skill'
import type { SkillFix } from '@shared/skill-md/fix-edits'
import { problemKey, sortProblems } from '../../skills/preview/skill-facts'
import { ProblemSeverity } from '../../skills/preview/skill-problems'
import { Sentences } from '../../skills/page/strict'
import { page } from '../../skills/page/strings'
import { Button } from '../../ui/button'
import { VisibleText } from '../../ui/visible-text'
import { words } from '../strings'

export interface ProblemPanelProps {
  panelId: string
  problems: readonly Diagnostic[]
  /** What the format says to the letter; null: of this file it says nothing. */
  strict: readonly string[] | null
  cureOf: (problem: Diagnostic) => SkillFix | null
  onFix: (problem: Diagnostic) => void
  onPlace: (at: number) => void
}

/** Every problem of the text in full, as Satchel reads it and, apart from that, by the format to the letter. */
export function ProblemPanel({ panelId, problems, strict, cureOf, onFix, onPlace }: ProblemPanelProps) {
  return (
    <section id={panelId} className="ed-panel" aria-label={page.tabs.problems}>
      <h3 className="small m">{page.problems.lenient}</h3>
      {problems.length === 0 && <p className="small t3">{words.noProblems}</p>}
      <ul className="ed-panel-list" aria-label={page.problems.lenient}>
        {sortProblems(problems).map((problem) => (
          <li key={problemKey(problem)} className="small" data-state={problem.severity}>
            <ProblemSeverity problem={problem} />
            <button
              type="button"
              className="linklike mono"
              onClick={() => onPlace(problems.indexOf(problem))}
            >
              {words.line(problem.line ?? 1)}
            </button>
            <span className="ed-panel-words">
              <VisibleText text={problem.message} />{' '}
              {problem.fix && (
                <span className="t2">
                  <VisibleText text={problem.fix} />
                </span>
              )}
            </span>
            {cureOf(problem) && (
              <Button small onClick={() => onFix(problem)}>
                {words.fix}
                <span className="sr">{` ${problem.message}`}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {strict && (
        <>
          <h3 className="small m">{page.problems.strict}</h3>
          <Sentences sentences={strict} label={page.problems.strict} />
        </>
      )}
    </section>
  )
}

import type { Diagnostic, SkillDetail } from '@shared/domain/skill'
import { InfoIcon } from '../../ui/icons'
import { StatusMark } from '../../ui/marks'
import { Note } from '../../ui/note'
import { VisibleText } from '../../ui/visible-text'
import { library } from '../library-strings'
import { partProblems, problemKey, problemPlace, problemWords } from './skill-facts'
import { Section } from './skill-sections'
import { skillWords } from '../skill-strings'

const SEVERITY = {
  error: { tone: 'bad', word: skillWords.skillProblems.error, icon: undefined },
  warning: { tone: 'warn', word: skillWords.skillProblems.warning, icon: undefined },
  info: { tone: 'off', word: skillWords.skillProblems.note, icon: <InfoIcon size={14} /> },
} as const

/** How many the details show before they point to the tab. */
const SHOWN = 3
/** The rule that says it with what to do. */
const SCRIPTS_BLOCKED = 'scripts-blocked'

/** The first problems in the details: errors and warnings, each with what to do. */
export function ProblemsShort({ detail, onAll }: { detail: SkillDetail; onAll: () => void }) {
  const { own, beside } = partProblems(detail.diagnostics)
  const blocked = own.some(({ code }) => code === SCRIPTS_BLOCKED) ? undefined : detail.scriptsBlocked
  return (
    <>
      {(own.length > 0 || blocked) && (
        <Section title={own.length === 0 ? library.problems : problemWords(detail, own)}>
          {blocked && (
            <Note tone="warn" title={library.scriptsBlocked}>
              <VisibleText text={blocked} />
            </Note>
          )}
          <Some label={library.problems} problems={own} onAll={onAll} />
        </Section>
      )}
      {beside.length > 0 && (
        <Section title={library.besideOthers}>
          <Some label={library.besideOthers} problems={beside} onAll={onAll} />
        </Section>
      )}
    </>
  )
}

function Some(props: { label: string; problems: readonly Diagnostic[]; onAll: () => void }) {
  const { label, problems, onAll } = props
  return (
    <>
      <ul className="skp-problems" aria-label={label}>
        {problems.slice(0, SHOWN).map((problem) => (
          <li key={problemKey(problem)} data-state={problem.severity}>
            <div className="row">
              <ProblemSeverity problem={problem} />
              <span className="small mono t3 trunc">
                <VisibleText text={problemPlace(problem)} />
              </span>
            </div>
            <Words problem={problem} />
          </li>
        ))}
      </ul>
      {problems.length > SHOWN && (
        <button type="button" className="linklike small skp-all" onClick={onAll}>
          {library.showAll(problems.length)}
        </button>
      )}
    </>
  )
}

/** How bad it is, as icon and word. */
export function ProblemSeverity({ problem }: { problem: Diagnostic }) {
  const { tone, word, icon } = SEVERITY[problem.severity]
  return (
    <StatusMark tone={tone} icon={icon}>
      {word}
    </StatusMark>
  )
}

function Words({ problem }: { problem: Diagnostic }) {
  return (
    <div className="grow skproblems-words">
      <div>
        <VisibleText text={problem.message} />
      </div>
      {problem.fix && (
        <div className="small t2">
          <VisibleText text={problem.fix} />
        </div>
      )}
    </div>
  )
}

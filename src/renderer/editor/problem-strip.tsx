import { memo } from 'react'
import type { Diagnostic } from '@shared/domain/skill'
import { visibleLine } from '@shared/visible-text'
import { announce } from '../ui/announce'
import { Button } from '../ui/button'
import { CheckIcon, InfoIcon } from '../ui/icons'
import { StatusMark } from '../ui/marks'
import { changeText, documentOf, textOf } from './documents'
import { fixOf } from './problems'
import { words } from './strings'

export interface ProblemStripProps {
  id: string
  folderName: string
  problems: readonly Diagnostic[]
  /** The text that they were found in. */
  text: string
  /** Which of them is shown. */
  at: number
  readOnly: boolean
  onNext: () => void
}

const TONE = { error: 'bad', warning: 'warn', info: 'off' } as const

/** One line below the text: the problem at hand, what cures it, and the way to the next. */
export const ProblemStrip = memo(function ProblemStrip(props: ProblemStripProps) {
  const { id, folderName, problems, text, at, readOnly, onNext } = props
  const problem = problems[Math.min(at, problems.length - 1)]
  if (!problem) {
    return (
      <output className="ed-strip">
        <StatusMark tone="ok" icon={<CheckIcon size={14} aria-hidden="true" />}>
          {words.noProblems}
        </StatusMark>
      </output>
    )
  }
  const cure = readOnly ? null : fixOf(text, problem, folderName)
  return (
    <output className="ed-strip">
      <StatusMark
        tone={TONE[problem.severity]}
        icon={problem.severity === 'info' ? <InfoIcon size={14} aria-hidden="true" /> : undefined}
      >
        {words.line(problem.line ?? 1)}
      </StatusMark>
      <span className="small grow trunc" title={visibleLine(`${problem.message} ${problem.fix ?? ''}`)}>
        {visibleLine(problem.message)} {problem.fix && <span className="t3">{visibleLine(problem.fix)}</span>}
      </span>
      {cure && (
        <Button small title={cure.title} onClick={() => applyFix(id, folderName, problem)}>
          {words.fix}
        </Button>
      )}
      {problems.length > 1 && (
        <Button small variant="quiet" shortcut="F8" title={words.next} onClick={onNext}>
          {`${Math.min(at, problems.length - 1) + 1} of ${problems.length}`}
        </Button>
      )}
    </output>
  )
})

/** Of the text as it is by now. */
function applyFix(id: string, folderName: string, problem: Diagnostic): void {
  const document = documentOf(id)
  const cure = document && fixOf(textOf(document), problem, folderName)
  if (!cure) return
  changeText(id, cure.edits, 'fix')
  announce(cure.title)
}

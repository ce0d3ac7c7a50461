import { memo, useId, useMemo, useRef, useState } from 'react'
import type { Diagnostic } from '@shared/domain/skill'
import { visibleLine } from '@shared/visible-text'
import { strictSentences } from '../../skills/page/strict'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/button'
import { CheckIcon, InfoIcon } from '../../ui/icons'
import { StatusMark } from '../../ui/marks'
import { documentOf, textOf } from '../documents'
import { ProblemPanel } from './problem-panel'
import { applyCure, fixOf } from './problems'
import { words } from '../strings'
import { isMain } from '../files/tree-rows'

export interface ProblemStripProps {
  id: string
  path: string
  folderName: string
  problems: readonly Diagnostic[]
  /** The text that they were found in. */
  text: string
  /** Which of them is shown. */
  at: number
  readOnly: boolean
  onNext: () => void
  /** Puts the caret at one of them. */
  onPlace: (at: number) => void
}

const TONE = { error: 'bad', warning: 'warn', info: 'off' } as const

/** One line below the text: the problem at hand, what cures it, the way to the next, and to all of them in full. */
export const ProblemStrip = memo(function ProblemStrip(props: ProblemStripProps) {
  const { id, path, folderName, problems, text, readOnly, onNext } = props
  const [open, setOpen] = useState(false)
  const said = useRef<HTMLOutputElement>(null)
  const panel = useId()
  const strict = useStrict(path, text, folderName)
  const at = Math.min(props.at, problems.length - 1)
  const cureOf = (problem: Diagnostic) => (readOnly ? null : fixOf(text, problem, folderName))
  const fix = (problem: Diagnostic): void => {
    // Its button goes with the problem: the next one is said, unless there is something to write.
    if (applyFix(id, folderName, problem) === 'done') said.current?.focus()
  }
  const problem = problems[at]
  const cure = problem && cureOf(problem)
  return (
    <div className="ed-problems">
      {open && (
        <ProblemPanel
          {...props}
          panelId={panel}
          strict={strict.isAbout ? strict.sentences : null}
          cureOf={cureOf}
          onFix={fix}
        />
      )}
      <div className="ed-strip">
        <output ref={said} tabIndex={-1} className="row grow ed-said">
          <Said problem={problem} />
        </output>
        {problem && cure && (
          <Button small title={cure.title} onClick={() => fix(problem)}>
            {words.fix}
          </Button>
        )}
        {problems.length > 1 && (
          <Button small variant="quiet" shortcut="F8" title={words.next} onClick={onNext}>
            {words.nth(at + 1, problems.length)}
          </Button>
        )}
        {problems.length + strict.sentences.length > 0 && (
          <All panel={panel} strict={strict.sentences.length} open={open} onToggle={() => setOpen(!open)} />
        )}
      </div>
    </div>
  )
})

/** What the format says to the letter; of other files than SKILL.md it says nothing. */
function useStrict(path: string, text: string, folder: string) {
  return useMemo(() => {
    const isAbout = isMain(path)
    return { isAbout, sentences: isAbout ? strictSentences({ path, text, folder }).format : [] }
  }, [path, text, folder])
}

function All(props: { panel: string; strict: number; open: boolean; onToggle: () => void }) {
  const { panel, strict, open, onToggle } = props
  return (
    <Button
      small
      variant="quiet"
      aria-expanded={open}
      {...(open ? { 'aria-controls': panel } : {})}
      onClick={onToggle}
    >
      {open ? words.lessProblems : words.allProblems(strict)}
    </Button>
  )
}

/** As much of it as one line holds; the panel has the whole. */
function Said({ problem }: { problem: Diagnostic | undefined }) {
  if (!problem) {
    return (
      <StatusMark tone="ok" icon={<CheckIcon size={14} aria-hidden="true" />}>
        {words.noProblems}
      </StatusMark>
    )
  }
  const { severity, line, message, fix } = problem
  return (
    <>
      <StatusMark
        tone={TONE[severity]}
        icon={severity === 'info' ? <InfoIcon size={14} aria-hidden="true" /> : undefined}
      >
        {words.line(line ?? 1)}
      </StatusMark>
      <span className="small grow trunc">
        {visibleLine(message)} {fix && <span className="t3">{visibleLine(fix)}</span>}
      </span>
    </>
  )
}

/** Of the text as it is by now. `written`: the caret is where a person has to write. */
function applyFix(id: string, folderName: string, problem: Diagnostic): 'none' | 'done' | 'written' {
  const document = documentOf(id)
  const cure = document && fixOf(textOf(document), problem, folderName)
  if (!cure) return 'none'
  announce(cure.title)
  return applyCure(id, cure)
}

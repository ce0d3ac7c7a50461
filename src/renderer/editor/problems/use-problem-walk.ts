import { EditorView } from '@codemirror/view'
import { useCallback, useEffect, useState } from 'react'
import type { Diagnostic } from '@shared/domain/skill'
import { viewOf } from '../documents'
import { nextProblem, rangeOf } from './problems'

/** Which problem is at hand, and the ways to others: F8 and Shift+F8, the next, and any of them. */
export function useProblemWalk(id: string, problems: readonly Diagnostic[]) {
  const [at, setAt] = useState(0)
  const go = useCallback(
    (step: 1 | -1): void => setAt(showNext(id, problems, { now: at, step })),
    [id, problems, at],
  )
  const goNext = useCallback(() => go(1), [go])
  const goTo = useCallback(
    (index: number): void => {
      showAt(id, problems, index)
      setAt(index)
    },
    [id, problems],
  )
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'F8' || document.querySelector('[role="dialog"]')) return
      event.preventDefault()
      go(event.shiftKey ? -1 : 1)
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  })
  return { at, goNext, goTo }
}

/** Puts the caret at the next problem; gives which one it is. */
function showNext(
  id: string,
  problems: readonly Diagnostic[],
  { now, step }: { now: number; step: 1 | -1 },
): number {
  const view = viewOf(id)
  if (problems.length === 0) return now
  if (!view) return (now + step + problems.length) % problems.length
  const starts = problems.map((problem) => rangeOf(view.state.doc, problem).from)
  const next = nextProblem(starts, { caret: view.state.selection.main.head, now }, step)
  showAt(id, problems, next)
  return next
}

function showAt(id: string, problems: readonly Diagnostic[], index: number): void {
  const view = viewOf(id)
  const problem = problems[index]
  if (!view || !problem) return
  const { from } = rangeOf(view.state.doc, problem)
  view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
  view.focus()
}

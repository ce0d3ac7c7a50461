import { setDiagnostics } from '@codemirror/lint'
import type { Diagnostic as Mark } from '@codemirror/lint'
import type { Text } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { Diagnostic } from '@shared/domain/skill'
import { fixEdits } from '@shared/skill-md/fix-edits'
import type { SkillFix } from '@shared/skill-md/fix-edits'
import { changeText, viewOf } from '../documents'
import { words } from '../strings'

/** Those of one file; a diagnostic without a file is about SKILL.md. */
export function problemsOf(path: string, all: readonly Diagnostic[]): Diagnostic[] {
  const isMain = /^skill\.md$/i.test(path)
  return all.filter(({ file }) => (file === undefined ? isMain : file === path))
}

/** What one click does about a problem of this text; null: a person has to decide. */
export function fixOf(text: string, problem: Diagnostic, folderName: string): SkillFix | null {
  return fixEdits(text, { ...problem, folderName })
}

/** Selects a part of the text that a person has to write; false: the text is not shown. */
function selectIn(id: string, { start, end }: { start: number; end: number }): boolean {
  const view = viewOf(id)
  if (!view) return false
  view.dispatch({ selection: { anchor: start, head: end }, scrollIntoView: true })
  view.focus()
  return true
}

/** Draws problems beside their lines, each with what to do and its fix. */
export function showProblems(
  view: EditorView,
  problems: readonly Diagnostic[],
  fix: (problem: Diagnostic, text: string) => SkillFix | null,
  id: string,
): void {
  const text = view.state.doc.toString()
  const marks = problems.map((problem): Mark => {
    const { from, to } = rangeOf(view.state.doc, problem)
    const cure = fix(problem, text)
    return {
      from,
      to,
      severity: problem.severity,
      message: problem.fix ? `${problem.message} ${problem.fix}` : problem.message,
      source: problem.code,
      ...(cure ? { actions: [{ name: words.fix, apply: () => applyCure(id, cure) }] } : {}),
    }
  })
  view.dispatch(setDiagnostics(view.state, marks))
}

/** The text follows, and what of it a person has to write is selected. */
export function applyCure(id: string, { edits, select }: SkillFix): 'done' | 'written' {
  changeText(id, edits, 'fix')
  return select && selectIn(id, select) ? 'written' : 'done'
}

/** The line of a problem, or from its column on; the first line where it names none. */
export function rangeOf(doc: Text, { line = 1, column = 1 }: Diagnostic): { from: number; to: number } {
  const at = doc.line(Math.min(Math.max(1, line), doc.lines))
  const from = Math.min(at.to, at.from + Math.max(0, column - 1))
  return { from, to: at.to }
}

/** The problem after the caret, going round, also one of several at the same place; -1: there is none. */
export function nextProblem(
  starts: readonly number[],
  { caret, now }: { caret: number; now: number },
  step: 1 | -1,
): number {
  const order = starts
    .map((at, index) => ({ at, index }))
    .toSorted((a, b) => step * (a.at - b.at || a.index - b.index))
  if (starts[now] === caret) {
    return order[(order.findIndex(({ index }) => index === now) + 1) % order.length]!.index
  }
  const next = order.find(({ at }) => step * (at - caret) > 0) ?? order[0]
  return next?.index ?? -1
}

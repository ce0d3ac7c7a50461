import type { ChangeSet, UndoResult } from '@shared/domain/run-changes'
import { useState } from 'react'
import { Button } from '../../ui/button'
import { Note } from '../../ui/note'
import { VisibleText } from '../../ui/visible-text'
import { ChangedFileRow } from './changed-file'
import { isOpenToUndo, resultWords, undoWords } from './run-changes-words'
import { useRunChanges, type RunChanges as Changes } from './use-run-changes'

/** Files that changed while a run was under way, with *Undo this run*, and each undo with its own. */
export function RunChanges({ runId }: { runId: string }) {
  const changes = useRunChanges(runId)
  if (changes.sets.length === 0) return changes.error ? <Note tone="bad">{changes.error}</Note> : null
  return (
    <div className="changes">
      {changes.sets.map((set) => (
        <ChangeSetPart key={set.id} set={set} changes={changes} />
      ))}
      {changes.error && <Note tone="bad">{changes.error}</Note>}
      {changes.result && <Result result={changes.result} />}
    </div>
  )
}

function ChangeSetPart({ set, changes }: { set: ChangeSet; changes: Changes }) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const toggle = (n: number) =>
    setChosen((old) => {
      const next = new Set(old)
      if (!next.delete(n)) next.add(n)
      return next
    })
  const name = set.kind === 'run' ? undoWords.heading(set.total) : undoWords.undone(set)
  return (
    <section aria-label={name}>
      <div className="changes-head">
        <h4>{name}</h4>
        <UndoButton set={set} chosen={chosen} changes={changes} />
      </div>
      {set.state === 'open' && (
        <Note
          tone="warn"
          action={
            <Button small onClick={() => changes.goOn(set.id)}>
              {undoWords.goOn}
            </Button>
          }
        >
          {undoWords.broken}
        </Note>
      )}
      <ul className="changes-list">
        {set.files.map((file) => (
          <ChangedFileRow
            key={file.n}
            setId={set.id}
            file={file}
            chosen={chosen.has(file.n)}
            onChoose={() => toggle(file.n)}
            onTakeBack={() => changes.undo(set.id, [{ n: file.n, overwrite: file.nowId }])}
          />
        ))}
      </ul>
      {set.total > set.files.length && (
        <p className="small t2">{undoWords.more(set.total - set.files.length)}</p>
      )}
      {set.notes.map((note) => (
        <p key={note} className="small t2">
          {note}
        </p>
      ))}
    </section>
  )
}

function UndoButton(props: { set: ChangeSet; chosen: ReadonlySet<number>; changes: Changes }) {
  const { set, chosen, changes } = props
  const picked = set.files.filter((file) => chosen.has(file.n) && isOpenToUndo(file))
  const all = set.kind === 'run' ? undoWords.undoRun : undoWords.undoUndo
  const isEmpty = set.total <= set.files.length && !set.files.some(isOpenToUndo)
  if (set.state === 'open') return null
  return (
    <Button
      small
      unavailable={(isEmpty && undoWords.nothingLeft) || (changes.busy && undoWords.wait)}
      onClick={() =>
        picked.length > 0
          ? changes.undo(
              set.id,
              picked.map(({ n }) => ({ n })),
            )
          : changes.undo(set.id)
      }
    >
      {picked.length > 0 ? undoWords.undoSome(picked.length) : all}
    </Button>
  )
}

/** What was left, each with its reason. */
function Result({ result }: { result: UndoResult }) {
  return (
    <Note tone={result.left.length > 0 ? 'warn' : 'info'} title={resultWords(result)}>
      {result.left.length > 0 && (
        <ul>
          {result.left.map(({ n, path, why }) => (
            <li key={n}>
              <span className="mono">
                <VisibleText text={path} />
              </span>
              {`: ${why}`}
            </li>
          ))}
        </ul>
      )}
    </Note>
  )
}

import { useEffect, useRef, useState } from 'react'
import type { TrashEntry } from '@shared/domain/arranging'
import { visibleLine } from '@shared/visible-text'
import { api, messageOf } from '../api'
import { useSkills } from '../stores/skills'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { formatAgo, formatExact } from '../ui/format'
import { EmptyState, Note } from '../ui/note'
import { useNow } from '../ui/use-now'
import { VisibleText } from '../ui/visible-text'
import { hideTrash, removeForGood, restore, touchTrash, useArranging } from './arranging-store'
import './arranging.css'
import { words } from './strings'

const DAY_MS = 86_400_000

/** Deleted skills: what each was, where it came from, and how long it stays. */
export function TrashView() {
  const { entries, error } = useTrash()
  const now = useNow(60_000)
  const heading = useRef<HTMLHeadingElement>(null)
  const [removing, setRemoving] = useState<TrashEntry | null>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="skl arr-trash" aria-label={words.trash}>
      <div className="hd">
        <h1 ref={heading} tabIndex={-1}>
          {words.trash}
        </h1>
        {entries && entries.length > 0 && <span className="small t3">{words.trashNote}</span>}
      </div>
      {error && (
        <Note
          tone="bad"
          action={
            <Button small onClick={touchTrash}>
              {words.tryAgain}
            </Button>
          }
        >
          {visibleLine(error)}
        </Note>
      )}
      {entries?.length === 0 && (
        <EmptyState text={words.trashEmpty}>
          <Button onClick={hideTrash}>{words.backToSkills}</Button>
        </EmptyState>
      )}
      {entries && entries.length > 0 && (
        <div className="arr-rows">
          <table className="arr-table">
            <thead>
              <tr className="small t3">
                <th scope="col">{words.name}</th>
                <th scope="col">{words.from}</th>
                <th scope="col">{words.deleted}</th>
                <th scope="col">
                  <span className="sr">{words.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <Row key={entry.id} entry={entry} now={now} onRemove={() => setRemoving(entry)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {removing && <RemoveDialog entry={removing} onDone={() => setRemoving(null)} />}
    </section>
  )
}

function Row({ entry, now, onRemove }: { entry: TrashEntry; now: number; onRemove: () => void }) {
  const { id, name, from, deletedAt, endsAt } = entry
  return (
    <tr data-skill={name}>
      <th scope="row" className="mono">
        <VisibleText text={name} />
      </th>
      <td className="mono small t3 arr-path">
        <VisibleText text={from} />
      </td>
      <td className="small">
        <span title={formatExact(deletedAt)}>{formatAgo(deletedAt, now)}</span>
        <span className="t3">{`, ${words.endsIn(Math.ceil((endsAt - now) / DAY_MS))}`}</span>
      </td>
      <td>
        <div className="arr-acts">
          <Button
            small
            aria-label={`${words.restore} ${visibleLine(name)}`}
            onClick={() => restore(id, name)}
          >
            {words.restore}
          </Button>
          <Button
            small
            variant="quiet"
            aria-label={`${words.removeForGood} ${visibleLine(name)}`}
            onClick={onRemove}
          >
            {words.removeForGood}
          </Button>
        </div>
      </td>
    </tr>
  )
}

/** The one thing here that can't be undone is asked for, with what it is. */
function RemoveDialog({ entry, onDone }: { entry: TrashEntry; onDone: () => void }) {
  return (
    <Dialog
      open
      title={words.removeTitle(visibleLine(entry.name))}
      onClose={onDone}
      footer={
        <>
          <Button onClick={onDone}>{words.keep}</Button>
          <Button
            variant="risk"
            onClick={() => {
              onDone()
              removeForGood(entry.id)
            }}
          >
            {words.remove}
          </Button>
        </>
      }
    >
      <p>{words.removeText(entry.files, entry.bytes)}</p>
    </Dialog>
  )
}

function useTrash(): { entries: readonly TrashEntry[] | null; error: string } {
  const version = useArranging((state) => state.version)
  const disk = useSkills((state) => state.version)
  const [state, setState] = useState<{ entries: readonly TrashEntry[] | null; error: string }>({
    entries: null,
    error: '',
  })
  useEffect(() => {
    let current = true
    api.call('trash.list', {}).then(
      (entries) => current && setState({ entries, error: '' }),
      (error: unknown) => current && setState({ entries: null, error: messageOf(error) }),
    )
    return () => {
      current = false
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a new version means: ask again
  }, [version, disk])
  return state
}

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
import { hideTrash, removeForGood, restore, restoreMany, touchTrash, useArranging } from './arranging-store'
import './arranging.css'
import { words } from './strings'

const DAY_MS = 86_400_000

/** Deleted skills: what each was, where it came from, and how long it stays. */
export function TrashView() {
  const { entries, error } = useTrash()
  const heading = useRef<HTMLHeadingElement>(null)
  const [removing, setRemoving] = useState<TrashEntry | null>(null)
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const meant = (entries ?? []).filter(({ id }) => marked.has(id))
  useEffect(() => heading.current?.focus(), [])
  return (
    <section className="skl arr-trash" aria-label={words.trash}>
      <div className="hd">
        <h1 ref={heading} tabIndex={-1}>
          {words.trash}
        </h1>
        {entries && entries.length > 0 && <span className="small t3 trunc">{words.trashNote}</span>}
        <span className="sp" />
        {meant.length > 0 && (
          <Button
            small
            variant="solid"
            onClick={() => {
              setMarked(new Set())
              restoreMany(meant)
            }}
          >
            {words.restoreMarked(meant.length)}
          </Button>
        )}
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
        <TrashTable entries={entries} marked={marked} onMark={setMarked} onRemove={setRemoving} />
      )}
      {removing && <RemoveDialog entry={removing} onDone={() => setRemoving(null)} />}
    </section>
  )
}

function TrashTable(props: {
  entries: readonly TrashEntry[]
  marked: ReadonlySet<string>
  onMark: (marked: ReadonlySet<string>) => void
  onRemove: (entry: TrashEntry) => void
}) {
  const { entries, marked, onMark, onRemove } = props
  const now = useNow(60_000)
  const all = entries.every(({ id }) => marked.has(id))
  const mark = (id: string): void => {
    const next = new Set(marked)
    if (!next.delete(id)) next.add(id)
    onMark(next)
  }
  return (
    <div className="arr-rows">
      <table className="arr-table">
        <thead>
          <tr className="small t3">
            <th scope="col" className="arr-mark">
              <input
                type="checkbox"
                className="cb"
                aria-label={words.markAll}
                checked={all}
                onChange={() => onMark(new Set(all ? [] : entries.map(({ id }) => id)))}
              />
            </th>
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
            <Row
              key={entry.id}
              entry={entry}
              now={now}
              isMarked={marked.has(entry.id)}
              onMark={() => mark(entry.id)}
              onRemove={() => onRemove(entry)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps {
  entry: TrashEntry
  now: number
  isMarked: boolean
  onMark: () => void
  onRemove: () => void
}

function Row({ entry, now, isMarked, onMark, onRemove }: RowProps) {
  const { id, name, from, deletedAt, endsAt } = entry
  return (
    <tr data-skill={name}>
      <td className="arr-mark">
        <input
          type="checkbox"
          className="cb"
          aria-label={words.mark(visibleLine(name))}
          checked={isMarked}
          onChange={onMark}
        />
      </td>
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

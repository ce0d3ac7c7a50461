import { goToNextChunk, goToPreviousChunk, MergeView } from '@codemirror/merge'
import { EditorView } from '@codemirror/view'
import { useEffect, useMemo, useRef, useState } from 'react'
import { announce } from '../ui/announce'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { DiffView } from '../ui/diff-view'
import { Note } from '../ui/note'
import { TabPanel, Tabs } from '../ui/tabs'
import { visibleLine } from '@shared/visible-text'
import { documentOf, keepMerged, keepMine, savedText, takeTheirs, textOf } from './documents'
import type { Conflict } from './documents'
import { openText } from './text/line-ends'
import { baseExtensions } from './text/setup'
import { words } from './strings'

/** The disk has another text than the one that was opened: nothing is written before a person says which counts. */
export function ConflictBar({ id, path, conflict }: { id: string; path: string; conflict: Conflict }) {
  const [compared, setCompared] = useState<ReadConflict | null>(null)
  const shown = visibleLine(path)
  const now = asRead(conflict)
  return (
    <Note
      tone="warn"
      action={
        <span className="row">
          {now && <Button onClick={() => setCompared(now)}>{words.compare}</Button>}
          <Button onClick={() => keepMine(id, conflict)}>{words.keepMine}</Button>
          {now && <Button onClick={() => takeTheirs(id, conflict)}>{words.takeTheirs}</Button>}
        </span>
      }
    >
      {now ? words.onDisk(shown) : words.gone(shown)}
      {compared && (
        <Compare
          id={id}
          path={path}
          seen={compared}
          now={conflict}
          onNewer={setCompared}
          onClose={() => setCompared(null)}
        />
      )}
    </Note>
  )
}

/** One whose text can be compared: the file is there, and is text. */
interface ReadConflict extends Conflict {
  text: string
  digest: string
}

function asRead({ text, digest }: Conflict): ReadConflict | null {
  return text === null || digest === null ? null : { text, digest }
}

interface CompareProps {
  id: string
  path: string
  /** What is compared, and so what counts as seen, whatever the disk has meanwhile. */
  seen: ReadConflict
  /** What the disk has by now. */
  now: Conflict
  onNewer: (now: ReadConflict) => void
  onClose: () => void
}

/** Three texts: what was opened, what the disk has, what was typed. Each change of theirs can be taken over. */
function Compare({ id, path, seen, now, onNewer, onClose }: CompareProps) {
  const [tab, setTab] = useState('both')
  const [texts] = useState(() => ({ base: documentText(id, savedText), mine: documentText(id, textOf) }))
  const theirs = useMemo(() => openText(seen.text).text, [seen.text])
  const result = useRef(texts.mine)
  const [first] = useState(seen)
  const compareNewer = (newer: ReadConflict): void => {
    setTab('both')
    onNewer(newer)
  }
  useEffect(() => {
    if (seen !== first) document.querySelector<HTMLElement>(RESULT)?.focus() // the button that led here is gone
  }, [seen, first])
  const done = (): void => {
    keepMerged(id, result.current, seen)
    onClose()
  }
  return (
    <Dialog
      open
      className="ed-compare"
      title={words.compareTitle(visibleLine(path))}
      onClose={onClose}
      bare
      footer={
        <>
          <Button onClick={onClose}>{words.conflict.cancel}</Button>
          <Button variant="solid" onClick={done}>
            {words.done}
          </Button>
        </>
      }
    >
      {now.digest !== seen.digest && <Newer now={now} onNewer={compareNewer} />}
      <Tabs
        label={words.compare}
        chips
        className="ed-compare-tabs"
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'both', label: words.sideBySide },
          { value: 'theirs', label: words.theyChanged },
          { value: 'mine', label: words.youChanged },
        ]}
      >
        <TabPanel value="both" className="ed-compare-panel" passFocus>
          <SideBySide path={path} theirs={theirs} mine={result} />
        </TabPanel>
        <TabPanel value="theirs" className="ed-compare-panel">
          <DiffView before={texts.base} after={theirs} path={path} label={words.theyChanged} />
        </TabPanel>
        <TabPanel value="mine" className="ed-compare-panel">
          <DiffView before={texts.base} after={texts.mine} path={path} label={words.youChanged} />
        </TabPanel>
      </Tabs>
    </Dialog>
  )
}

/** The disk has a third text by now; what was merged so far stays either way. */
function Newer({ now, onNewer }: { now: Conflict; onNewer: (now: ReadConflict) => void }) {
  const read = asRead(now)
  const text = read ? words.changedAgain : words.goneMeanwhile
  useEffect(() => announce(text), [text])
  return (
    <Note tone="warn" action={read && <Button onClick={() => onNewer(read)}>{words.compareNewer}</Button>}>
      {text}
    </Note>
  )
}

const RESULT = '.ed-merge .cm-merge-b .cm-content'

function documentText(id: string, read: typeof textOf): string {
  const document = documentOf(id)
  return document ? read(document) : ''
}

/** Left theirs, right the result, which can be changed. */
function SideBySide({ path, theirs, mine }: { path: string; theirs: string; mine: { current: string } }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!place.current) return undefined
    const setup = { path, keepsEnds: theirs.includes('\r') || mine.current.includes('\r') }
    const view = new MergeView({
      parent: place.current,
      a: { doc: theirs, extensions: baseExtensions({ ...setup, label: words.diskSide, readOnly: true }) },
      b: {
        doc: mine.current,
        extensions: [
          baseExtensions({ ...setup, label: words.yourSide, readOnly: false }),
          EditorView.updateListener.of(({ state }) => {
            mine.current = state.doc.toString()
          }),
        ],
      },
      revertControls: 'a-to-b',
      renderRevertControl: takeButton,
      gutter: true,
    })
    const stop = listenToF8(place.current, view)
    return () => {
      stop()
      view.destroy()
    }
  }, [path, theirs, mine])
  return (
    <div className="ed-merge">
      <div className="ed-merge-heads small">
        <h3>{words.diskSide}</h3>
        <h3>{words.yourSide}</h3>
      </div>
      <p className="ed-merge-hint small t3">{words.mergeHint}</p>
      <div ref={place} />
    </div>
  )
}

/** From change to change in the text that has the focus; in the result, where an arrow between them has it. */
function listenToF8(place: HTMLElement, view: MergeView): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'F8') return
    event.preventDefault()
    const at = view.a.hasFocus ? view.a : view.b
    const go = event.shiftKey ? goToPreviousChunk : goToNextChunk
    go(at)
    at.focus()
  }
  place.addEventListener('keydown', onKey)
  return () => place.removeEventListener('keydown', onKey)
}

/** The merge view acts on a pressed mouse button alone; this one acts on Enter and Space too. */
function takeButton(): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = '→'
  button.title = words.takeChange
  button.setAttribute('aria-label', words.takeChange)
  button.addEventListener('click', (event) => {
    if (event.detail !== 0) return // the mouse has done it
    // The buttons move up when a change is gone: the last of them goes.
    const stays = button.nextElementSibling ? button : button.previousElementSibling
    const yours = document.querySelector(RESULT)
    button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }))
    const next = stays ?? yours
    if (next instanceof HTMLElement) next.focus()
  })
  return button
}

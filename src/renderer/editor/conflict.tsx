import { goToNextChunk, goToPreviousChunk, MergeView } from '@codemirror/merge'
import { EditorView, keymap } from '@codemirror/view'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { DiffView } from '../ui/diff-view'
import { Note } from '../ui/note'
import { TabPanel, Tabs } from '../ui/tabs'
import { visibleLine } from '@shared/visible-text'
import { documentOf, keepMerged, keepMine, savedText, takeTheirs, textOf } from './documents'
import type { Conflict } from './documents'
import { openText } from './line-ends'
import { baseExtensions } from './setup'
import { words } from './strings'

/** The disk has another text than the one that was opened: nothing is written before a person says which counts. */
export function ConflictBar({ id, path, conflict }: { id: string; path: string; conflict: Conflict }) {
  const [compares, setCompares] = useState(false)
  const shown = visibleLine(path)
  return (
    <Note
      tone="warn"
      action={
        <span className="row">
          {conflict.text !== null && <Button onClick={() => setCompares(true)}>{words.compare}</Button>}
          <Button onClick={() => keepMine(id, conflict)}>{words.keepMine}</Button>
          {conflict.text !== null && (
            <Button onClick={() => takeTheirs(id, conflict)}>{words.takeTheirs}</Button>
          )}
        </span>
      }
    >
      {conflict.text === null ? words.gone(shown) : words.onDisk(shown)}
      {compares && conflict.text !== null && (
        <Compare
          id={id}
          path={path}
          conflict={conflict}
          theirs={conflict.text}
          onClose={() => setCompares(false)}
        />
      )}
    </Note>
  )
}

interface CompareProps {
  id: string
  path: string
  conflict: Conflict
  theirs: string
  onClose: () => void
}

/** Three texts: what was opened, what the disk has now, what was typed. Each change of theirs can be taken over. */
function Compare({ id, path, conflict, theirs: file, onClose }: CompareProps) {
  const [tab, setTab] = useState('both')
  const [texts] = useState(() => ({
    base: documentText(id, savedText),
    mine: documentText(id, textOf),
    theirs: openText(file).text,
  }))
  // What is compared here is what counts as seen, whatever the disk has meanwhile.
  const [seen] = useState(conflict)
  const result = useRef(texts.mine)
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
          <SideBySide path={path} theirs={texts.theirs} mine={result} />
        </TabPanel>
        <TabPanel value="theirs" className="ed-compare-panel">
          <DiffView before={texts.base} after={texts.theirs} path={path} label={words.theyChanged} />
        </TabPanel>
        <TabPanel value="mine" className="ed-compare-panel">
          <DiffView before={texts.base} after={texts.mine} path={path} label={words.youChanged} />
        </TabPanel>
      </Tabs>
    </Dialog>
  )
}

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
          keymap.of([
            { key: 'F8', run: goToNextChunk },
            { key: 'Shift-F8', run: goToPreviousChunk },
          ]),
          EditorView.updateListener.of(({ state }) => {
            mine.current = state.doc.toString()
          }),
        ],
      },
      revertControls: 'a-to-b',
      renderRevertControl: takeButton,
      gutter: true,
    })
    return () => view.destroy()
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
    const yours = button.closest('.ed-merge')?.querySelector('.cm-merge-b .cm-content')
    button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }))
    const next = stays ?? yours
    if (next instanceof HTMLElement) next.focus()
  })
  return button
}

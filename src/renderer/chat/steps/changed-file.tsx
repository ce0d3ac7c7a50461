import type { ChangedFile, ChangeTexts } from '@shared/domain/run-changes'
import { lineDiff } from '@shared/line-diff'
import { visibleText } from '@shared/visible-text'
import { useEffect, useMemo, useState } from 'react'
import { api, messageOf } from '../../api'
import { Button } from '../../ui/button'
import { hunkRows } from '../../ui/hunk-rows'
import { LineList } from '../../ui/line-list'
import { VisibleText } from '../../ui/visible-text'
import { isOpenToUndo, kindWords, nowWords, undoWords } from './run-changes-words'
import { chat } from '../strings'

interface Props {
  setId: string
  file: ChangedFile
  chosen: boolean
  onChoose: () => void
  onTakeBack: () => void
}

/** One changed file: chosen for a part of an undo, and opened to its difference. */
export function ChangedFileRow({ setId, file, chosen, onChoose, onTakeBack }: Props) {
  const [open, setOpen] = useState(false)
  const [comparing, setComparing] = useState(false)
  const canChoose = isOpenToUndo(file)
  const status = nowWords(file)
  return (
    <li>
      <div className="change-row">
        <input
          type="checkbox"
          className="cb"
          aria-label={undoWords.choose(visibleText(file.path))}
          checked={chosen && canChoose}
          disabled={!canChoose}
          onChange={onChoose}
        />
        <button type="button" className="change-name" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span className="t2 change-kind">{kindWords(file)}</span>
          <span className="mono">
            <VisibleText text={file.path} />
          </span>
        </button>
        {status && <span className={file.now === 'other' ? 'small st warn' : 'small t2'}>{status}</span>}
      </div>
      {open && <Difference setId={setId} file={file} side={comparing ? 'now' : 'after'} />}
      {open && file.now === 'other' && (
        <div className="change-again">
          <p className="small">{undoWords.changedAgain}</p>
          <Button small onClick={() => setOpen(false)}>
            {undoWords.keep}
          </Button>
          <Button small aria-pressed={comparing} onClick={() => setComparing(!comparing)}>
            {undoWords.compare}
          </Button>
          <Button small variant="risk" unavailable={file.lost ?? false} onClick={onTakeBack}>
            {undoWords.takeBack}
          </Button>
        </div>
      )}
    </li>
  )
}

/** `after`: what the run did. `now`: from what is there now to what taking it back would leave. */
function Difference({ setId, file, side }: { setId: string; file: ChangedFile; side: 'after' | 'now' }) {
  const texts = useTexts(setId, file)
  const rows = useMemo(() => {
    if (typeof texts !== 'object') return []
    const [from, to] = side === 'after' ? [texts.before, texts.after] : [texts.now, texts.before]
    return hunkRows(lineDiff(from ?? '', to ?? ''))
  }, [texts, side])
  if (typeof texts === 'string') return <p className="small t2 change-words">{texts}</p>
  if (texts === undefined) return null
  const words = wordsFor(texts, side)
  const label = (side === 'after' ? undoWords.diffOf : undoWords.diffNow)(visibleText(file.path))
  return (
    <>
      {words && <p className="small t2 change-words">{words}</p>}
      {rows.length > 0 && (
        <div className="step-diff">
          <LineList rows={rows} label={label} wrap />
        </div>
      )}
    </>
  )
}

/** "Before: no file. After: 1.2 MB, no text." for sides that have no text to show. */
function wordsFor({ words }: ChangeTexts, side: 'after' | 'now'): string {
  const [from, to] = side === 'after' ? (['before', 'after'] as const) : (['now', 'before'] as const)
  return [from, to]
    .filter((one) => words[one] !== '')
    .map((one) => `${SIDE[one]}: ${words[one]}.`)
    .join(' ')
}

const SIDE = {
  before: chat.changedFile.beforeTheRun,
  after: chat.changedFile.afterIt,
  now: chat.changedFile.now,
}

/** Undefined while it is fetched, a sentence where it can't be. */
function useTexts(setId: string, { n, nowId }: ChangedFile): ChangeTexts | string | undefined {
  const [texts, setTexts] = useState<ChangeTexts | string>()
  useEffect(() => {
    let current = true
    api.call('runs.changeTexts', { setId, n }).then(
      (found) => current && setTexts(found),
      (error: unknown) => current && setTexts(messageOf(error)),
    )
    return () => {
      current = false
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- what is there now changed: so did its text
  }, [setId, n, nowId])
  return texts
}

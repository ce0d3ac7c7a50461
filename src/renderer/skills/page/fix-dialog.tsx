import { useMemo, useState } from 'react'
import type { Diagnostic, SkillDetail } from '@shared/domain/skill'
import { applyEdits, fixEdits } from '@shared/skill-md/fix-edits'
import { visibleText } from '@shared/visible-text'
import { api, messageOf } from '../../api'
import { announce } from '../../ui/announce'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { DiffView } from '../../ui/diff-view'
import { Note } from '../../ui/note'
import { folderOf } from '../preview/skill-facts'
import { page } from './strings'
import { useAsked } from './use-asked'

interface FixDialogProps {
  detail: SkillDetail
  problem: Diagnostic
  /** Name of the file of instructions on disk. */
  path: string
  /** It was written, and the problem is about to go. */
  onFixed: () => void
  onClose: () => void
}

interface Fixed {
  title: string
  text: string
}

/** What a fix would change, before anything is written; the write goes through the editor's own call. */
export function FixDialog({ detail, problem, path, onFixed, onClose }: FixDialogProps) {
  const { file, fixed, failure, write } = useFix({ detail, problem, path, onFixed, onClose })
  const words = page.fix
  const whyNot = file ? (file.whyNot ?? (file.draft ? words.unsaved : null)) : null
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title(path)}
      className="skfix"
      footer={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          {fixed && whyNot === null && (
            <Button variant="solid" onClick={() => void write(fixed)}>
              {words.write}
            </Button>
          )}
        </>
      }
    >
      <p>{visibleText(problem.message)}</p>
      {failure && <Note tone="bad">{failure}</Note>}
      {whyNot !== null && <Note tone="info">{whyNot}</Note>}
      {file && <Change before={file.text ?? ''} fixed={fixed} path={path} />}
    </Dialog>
  )
}

function Change({ before, fixed, path }: { before: string; fixed: Fixed | null; path: string }) {
  if (!fixed) return <Note tone="info">{page.fix.gone}</Note>
  return (
    <>
      <p className="small t2">{visibleText(fixed.title)}</p>
      <DiffView before={before} after={fixed.text} path={path} label={page.fix.changes} wrap />
    </>
  )
}

/** The file as it is now, what the fix makes of it, and the way to write just that. */
function useFix({ detail, problem, path, onFixed, onClose }: FixDialogProps) {
  const { key, location } = detail
  const [tried, setTried] = useState(0)
  const [failure, setFailure] = useState('')
  const { value: file, error } = useAsked(
    () => api.call('editor.read', { key, path }),
    `${key} ${path} ${tried}`,
  )
  const text = file?.text ?? null
  const fixed = useMemo(
    () => (text === null ? null : fixOf(text, problem, location)),
    [text, problem, location],
  )
  const write = async (change: Fixed): Promise<void> => {
    if (!file) return
    try {
      const done = await api.call('editor.save', { key, path, text: change.text, before: file.digest })
      if (done.t === 'saved') {
        announce(change.title)
        onFixed()
        onClose()
      } else {
        setFailure(page.fix.stale)
        setTried((count) => count + 1)
      }
    } catch (reason) {
      setFailure(messageOf(reason))
    }
  }
  return { file, fixed, failure: error || failure, write }
}

function fixOf(text: string, problem: Diagnostic, location: string): Fixed | null {
  const fix = fixEdits(text, { ...problem, folderName: folderOf(location) })
  return fix && { title: fix.title, text: applyEdits(text, fix.edits) }
}

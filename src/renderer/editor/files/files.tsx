import { useState } from 'react'
import type { Draft, EditedSkill } from '@shared/domain/editing'
import { visibleLine } from '@shared/visible-text'
import { useDraftsOf } from '../../stores/drafts'
import { Button } from '../../ui/button'
import { dragOut, isBackAgain } from './drag-out'
import { addDropped, addPath, copyPath, deletePath, putBack, renamePath, revealPath } from './file-actions'
import type { Deleted } from './file-actions'
import { FileTree } from './file-tree'
import type { TreeActions } from './file-tree'
import { NameDialog } from './name-dialog'
import { words } from '../strings'

interface FilesProps {
  skill: EditedSkill
  skillKey: string
  path: string
  onPath: (path: string | null) => void
}

interface Asking {
  title: string
  start: string
  button: string
  carryOut: (path: string) => Promise<void>
}

/** The tree, and what is asked about its files. */
export function Files({ skill, skillKey: key, path, onPath }: FilesProps) {
  const drafts = useDraftsOf(key)
  const [asking, setAsking] = useState<Asking | null>(null)
  const [deleted, setDeleted] = useState<Deleted | null>(null)
  const remove = async (wanted: string): Promise<void> => {
    const gone = await deletePath(key, wanted)
    if (!gone) return
    setDeleted(gone)
    if (path === wanted || path.startsWith(`${wanted}/`)) onPath(null)
  }
  return (
    <div className="ed-files">
      <FileTree
        skill={skill}
        drafts={drafts}
        path={path}
        actions={{
          open: onPath,
          add: (kind, below) =>
            setAsking({
              title: kind === 'file' ? words.newFile : words.newFolder,
              start: below === '' ? '' : `${below}/`,
              button: words.create,
              async carryOut(wanted) {
                await addPath(key, kind, wanted)
                if (kind === 'file') onPath(wanted)
              },
            }),
          rename: (from) =>
            setAsking({
              title: `${words.rename} ${visibleLine(from)}`,
              start: from,
              button: words.rename.replace('…', ''),
              async carryOut(to) {
                await renamePath(key, from, to)
                if (path === from) onPath(to)
              },
            }),
          remove: (wanted) => void remove(wanted),
          ...fileExchange(key, drafts),
        }}
      />
      {deleted && (
        <DeletedNote
          path={deleted.path}
          onUndo={() => void putBack(key, deleted).then(() => setDeleted(null))}
        />
      )}
      {asking && (
        <NameDialog
          title={asking.title}
          start={asking.start}
          button={asking.button}
          onClose={() => setAsking(null)}
          onName={asking.carryOut}
        />
      )}
    </div>
  )
}

/** What goes between the skill and other programs. */
function fileExchange(
  key: string,
  drafts: readonly Draft[],
): Pick<TreeActions, 'dropped' | 'dragOut' | 'reveal' | 'copyPath'> {
  const isUnsaved = (path: string): boolean => drafts.some((draft) => draft.path === path)
  return {
    dropped(files, below) {
      if (!isBackAgain(key, files, below)) void addDropped(key, files, below)
    },
    dragOut: (path) => void dragOut({ key, path }, isUnsaved(path)),
    reveal: (path) => void revealPath(key, path),
    copyPath: (path) => void copyPath(key, path),
  }
}

function DeletedNote({ path, onUndo }: { path: string; onUndo: () => void }) {
  return (
    <output className="row small ed-deleted">
      <span className="grow">{words.deleted(visibleLine(path))}</span>
      <Button small onClick={onUndo}>
        {words.undo}
      </Button>
    </output>
  )
}

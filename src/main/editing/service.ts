import type {
  Draft,
  EditedFile,
  EditedSkill,
  FileChangeInput,
  GoneSkill,
  SaveInput,
  SaveResult,
  SkillFileRef,
} from '@shared/domain/editing'
import { deleteDraft, listDrafts, putDraft } from '../db/draft-rows'
import { changeFiles } from './change-files'
import { folderOf, inTurn, type Editing, type EditingDeps } from './context'
import {
  followFolder,
  followMoved,
  forgetEmptied,
  isInTrash,
  isSetAside,
  type FolderMove,
} from './followed-drafts'
import { restoreVersion, type RestoreInput } from './restore'
import { adoptDrafts, goneSkills } from './gone-drafts'
import { openFile, save } from './save'
import { draggedFile, whereIs } from './shown-file'

/** Everything that the editor reads and writes of skills. */
export interface EditingService {
  /** Throws `not_found`. */
  open(key: string): EditedSkill
  read(file: SkillFileRef): Promise<EditedFile>
  save(input: SaveInput): Promise<SaveResult>
  change(input: FileChangeInput): Promise<{ kept: string }>
  /** Makes the files of a skill those of a version. */
  restore(input: RestoreInput): Promise<{ kept: string }>
  /** Where a file or folder lies on disk. Throws `not_found`, `path_escape`. */
  whereIs(file: SkillFileRef): Promise<string>
  /** The same of a regular file. Throws `bad_input` too. */
  draggedFile(file: SkillFileRef): Promise<string>
  /** Keeps what was typed. Throws `disk_full`. */
  keepDraft(input: SaveInput): void
  dropDraft(file: SkillFileRef): void
  drafts(): Draft[]
  /** Skills that are gone, with text of them that was not saved. */
  gone(): GoneSkill[]
  /** Makes the unsaved text of a skill that is gone that of another one. Throws `bad_input`, `not_found`. */
  adopt(from: string, to: string): Promise<void>
  /** What was typed goes where its skill goes. */
  followFolder(move: FolderMove): void
  /** The same where another program moved a folder (real path). */
  followMoved(from: string, to: { key: string; path: string }): void
  /** Forgets what was typed in skills that are gone for good; given are the entries that the trash still has. */
  forgetEmptied(inTrashNow: readonly string[]): void
  /** Does something between two changes of a skill, never during one. */
  between<T>(key: string, work: () => Promise<T>): Promise<T>
}

export function createEditing(deps: EditingDeps): EditingService {
  const editing: Editing = { ...deps, last: new Map() }
  const { sql } = deps.db
  return {
    open: (key) => openSkill(editing, key),
    read: (file) => openFile(editing, file),
    save: (input) => save(editing, input),
    change: (input) => changeFiles(editing, input),
    restore: (input) => restoreVersion(editing, input),
    whereIs: (file) => whereIs(editing, file),
    draggedFile: (file) => draggedFile(editing, file),
    keepDraft: (input) => deps.db.tx(() => putDraft(sql, { ...input, keptAt: deps.now() })),
    dropDraft: ({ key, path }) => void deleteDraft(sql, key, path),
    drafts: () => listDrafts(sql).filter(({ key }) => !isInTrash(key) && !isSetAside(key)),
    gone: () => goneSkills(editing),
    adopt: (from, to) => inTurn(editing, to, () => adoptDrafts(editing, from, to)),
    followFolder: (move) => followFolder(deps.db, move),
    followMoved: (from, to) => followMoved(deps.db, from, to),
    forgetEmptied: (inTrashNow) => forgetEmptied(deps.db, inTrashNow),
    between: (key, work) => inTurn(editing, key, work),
  }
}

/** Text that was typed in a file that is gone, or not there yet, is listed with the files. */
function openSkill(deps: Editing, key: string): EditedSkill {
  const { whyNot } = folderOf(deps, key)
  const { files, folders } = deps.listed(key)
  const typed = listDrafts(deps.db.sql).filter((draft) => draft.key === key)
  const missing = typed.filter(({ path }) => !files.some((file) => file.path === path))
  return {
    files: [...files, ...missing.map(({ path }) => ({ path, size: 0, isScript: false }))],
    folders: [...new Set([...folders, ...missing.flatMap(({ path }) => foldersOf(path))])].sort(),
    whyNot,
  }
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

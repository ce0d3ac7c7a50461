import type {
  Draft,
  EditedFile,
  EditedSkill,
  FileChangeInput,
  SaveInput,
  SaveResult,
  SkillFileRef,
} from '@shared/domain/editing'
import { deleteDraft, listDrafts, putDraft } from '../db/draft-rows'
import { changeFiles } from './change-files'
import { folderOf, inTurn, type Editing, type EditingDeps } from './context'
import { followFolder, forgetEmptied, isInTrash, type FolderMove } from './followed-drafts'
import { restoreVersion, type RestoreInput } from './restore'
import { openFile, save } from './save'

/** Everything that the editor reads and writes of skills. */
export interface EditingService {
  /** Throws `not_found`. */
  open(key: string): EditedSkill
  read(file: SkillFileRef): Promise<EditedFile>
  save(input: SaveInput): Promise<SaveResult>
  change(input: FileChangeInput): Promise<{ kept: string }>
  /** Makes the files of a skill those of a version. */
  restore(input: RestoreInput): Promise<{ kept: string }>
  /** Keeps what was typed. Throws `disk_full`. */
  keepDraft(input: SaveInput): void
  dropDraft(file: SkillFileRef): void
  drafts(): Draft[]
  /** What was typed goes where its skill goes. */
  followFolder(move: FolderMove): void
  /** Forgets what was typed in skills that are gone for good; given are the entries that the trash still has. */
  forgetEmptied(inTrashNow: readonly string[]): void
  /** Does something between two changes of a skill, never during one. */
  between<T>(key: string, work: () => Promise<T>): Promise<T>
}

export function createEditing(deps: EditingDeps): EditingService {
  const editing: Editing = { ...deps, last: new Map() }
  const { sql } = deps.db
  return {
    open: (key) => ({ ...deps.listed(key), whyNot: folderOf(editing, key).whyNot }),
    read: (file) => openFile(editing, file),
    save: (input) => save(editing, input),
    change: (input) => changeFiles(editing, input),
    restore: (input) => restoreVersion(editing, input),
    keepDraft: (input) => deps.db.tx(() => putDraft(sql, { ...input, keptAt: deps.now() })),
    dropDraft: ({ key, path }) => void deleteDraft(sql, key, path),
    drafts: () => listDrafts(sql).filter(({ key }) => !isInTrash(key)),
    followFolder: (move) => followFolder(deps.db, move),
    forgetEmptied: (inTrashNow) => forgetEmptied(deps.db, inTrashNow),
    between: (key, work) => inTurn(editing, key, work),
  }
}

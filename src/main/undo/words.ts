import type { Coverage, NotKept } from '@shared/domain/run-changes'
import type { ChangeSetRow } from '../db/change-rows'
import { KEEP_LIMITS } from './keep'
import type { FileState } from './state'

/** What an undo of a run would not cover, one sentence each; none where it covers all files. */
export function coverageWords({ notKept, unreadFolders, cut }: Coverage): string[] {
  const files = (why: NotKept) => count(notKept[why] ?? 0, 'file', 'files')
  return [
    notKept.size ? `${files('size')} too large to undo (over ${megabytes(KEEP_LIMITS.fileBytes)}).` : '',
    notKept.limit
      ? `${files('limit')} over the limit for one run (${thousands(KEEP_LIMITS.files)} files, ${megabytes(KEEP_LIMITS.bytes)}): changes in them are listed but can't be undone.`
      : '',
    notKept.ignored
      ? `${files('ignored')} in ignored folders, such as node_modules: changes in them are listed but can't be undone.`
      : '',
    notKept.unreadable ? `${files('unreadable')} can't be read, so they can't be undone.` : '',
    unreadFolders > 0
      ? `${count(unreadFolders, 'folder', 'folders')} can't be opened: what changes there is not seen.`
      : '',
    cut ? 'There are more files than Satchel looks at: what changes in the rest is not seen.' : '',
  ].filter(Boolean)
}

/** What no undo covers, whatever the files are. */
export const NOT_COVERED =
  'Undo does not cover what left this computer, other folders, processes, or what git keeps in .git.'

export function setNotes(row: ChangeSetRow): string[] {
  return [
    row.late ? 'Satchel ended while it ran: what changed until the next start is in the list too.' : '',
    row.shared
      ? 'Another run worked in this folder at the same time: some of these changes may be its own. Look before you undo.'
      : '',
    row.git > 0
      ? `git's own files changed too (${thousands(row.git)}). Undo leaves them as they are: use git for that.`
      : '',
    row.more > 0 ? `${thousands(row.more)} more changes are not listed and can't be undone.` : '',
    row.expired ? 'The earlier contents are not kept any more, so only added files can be undone.' : '',
    ...coverageWords(row.coverage),
  ].filter(Boolean)
}

/** Why nothing is known of what is there now, and nothing can be undone; null: its name was noted. */
export function hiddenWords(...states: (FileState | null)[]): string | null {
  return states.some((state) => state?.hidden) ? HIDDEN : null
}

const HIDDEN =
  'Its name, or where it leads, held a secret, so it was not noted: Satchel can not find it again. Look for it in the folder yourself.'

/** Why an earlier state can't be brought back; null: it can. */
export function lostWords(before: FileState | null, expired: boolean): string | null {
  if (before === null || before.type === 'folder' || before.type === 'link') return null
  if (before.type === 'special') return 'It was a special file, which can not be made again.'
  if (expired) return 'What it held is not kept any more.'
  return before.kept ? null : LOST[before.notKept ?? 'limit']
}

const LOST: Record<NotKept, string> = {
  size: 'It was too large to keep a copy.',
  limit: 'It was over the limit of what is kept for one run.',
  ignored: 'It is in an ignored folder, of which no copies are kept.',
  unreadable: 'It could not be read before the run.',
}

function count(number: number, one: string, many: string): string {
  return `${thousands(number)} ${number === 1 ? one : many}`
}

function thousands(number: number): string {
  return number.toLocaleString('en-US')
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`
}

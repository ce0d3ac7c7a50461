import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import type { GoneSkill } from '@shared/domain/editing'
import { AppError } from '@shared/errors'
import { parseSkillMd } from '@shared/skill-md'
import { editSkillMd } from '@shared/skill-md/edit'
import { deleteDraftsOf, getDraft, listDrafts, putDraft, type DraftRow } from '../db/draft-rows'
import { writableFolder, type Editing, type SkillFolder } from './context'
import { isInTrash, isSetAside } from './followed-drafts'

/** Skills that somebody else deleted or moved, and of which text is kept that was not saved; the last typed first. */
export function goneSkills(deps: Pick<Editing, 'db' | 'folderOf'>): GoneSkill[] {
  const gone = new Map<string, GoneSkill>()
  for (const { key, path, keptAt } of listDrafts(deps.db.sql)) {
    const known = gone.get(key)
    if (known) known.paths.push(path)
    else if (isGone(deps, key)) gone.set(key, { key, name: basename(folderIn(key)), paths: [path], keptAt })
  }
  return [...gone.values()]
}

/**
 * Puts the unsaved text of a skill that is gone over the files of another one, where it is unsaved text too: nothing is
 * written. Its SKILL.md takes the name of that skill. Throws `bad_input` where that one has unsaved text of its own.
 */
export async function adoptDrafts(deps: Editing, from: string, to: string): Promise<void> {
  const folder = writableFolder(deps, to)
  const { sql } = deps.db
  const of = keyOfKept(deps, from)
  const drafts = listDrafts(sql).filter(({ key }) => key === of)
  if (drafts.length === 0) throw new AppError('not_found', 'This text is not kept any more.')
  if (listDrafts(sql).some(({ key }) => key === to)) throw hasOwn(folder)
  const rows: DraftRow[] = []
  for (const { path } of drafts) {
    const draft = getDraft(sql, of, path)
    if (draft) rows.push(await overFileOf(deps, folder, draft))
  }
  deps.db.tx(() => {
    for (const row of rows) putDraft(sql, row)
    deleteDraftsOf(sql, of)
  })
}

/** A new skill in the place of the one that is gone has set its text aside. */
function keyOfKept({ db }: Pick<Editing, 'db'>, from: string): string {
  const keys = listDrafts(db.sql).map(({ key }) => key)
  const aside = keys.find((key) => isSetAside(key) && folderIn(key) === folderIn(from))
  return keys.includes(from) ? from : (aside ?? from)
}

async function overFileOf({ files }: Editing, folder: SkillFolder, draft: DraftRow): Promise<DraftRow> {
  const file = await files.read(folder.rootDir, draft.path, Infinity)
  const text = /^skill\.md$/i.test(draft.path) && file ? named(draft.text, folder) : draft.text
  return { ...draft, key: folder.key, text, before: file?.sha256 ?? null }
}

/** Text whose fields can't be edited keeps its name, as its problems say. */
function named(text: string, { rootDir }: SkillFolder): string {
  const name = basename(rootDir)
  try {
    return parseSkillMd(text, { folderName: name }).label === name
      ? text
      : editSkillMd(text, { set: { name } })
  } catch {
    return text
  }
}

function isGone({ folderOf }: Pick<Editing, 'folderOf'>, key: string): boolean {
  if (isSetAside(key)) return true
  if (isInTrash(key) || folderOf(key) !== null) return false
  try {
    return !readdirSync(folderIn(key)).some((name) => /^skill\.md$/i.test(name))
  } catch {
    return true // no such folder
  }
}

/** A skill of a project that is not open is not listed: its folder tells. */
function folderIn(key: string): string {
  return key.slice(key.indexOf(':') + 1)
}

function hasOwn({ name }: SkillFolder): AppError {
  return new AppError('bad_input', `"${name}" has unsaved text of its own. Save or discard it first.`)
}

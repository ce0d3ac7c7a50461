import { deleteDraftsOf, getDraft, listDrafts, putDraft, rekeyDrafts } from '../db/draft-rows'
import type { Db } from '../db/open'
import { renamedDraft } from './renamed-draft'

/** A folder of a skill that went, came, or did both. */
export interface FolderMove {
  /** Real path that it left; null: it came anew, or out of the trash. */
  from: string | null
  /** Where it is now; null: in the trash. */
  to: { key: string; path: string } | null
  /** Entry of the trash that it came out of. */
  outOf: string | null
  /** Entry of the trash that it is in now. */
  into: string | null
}

/** What was typed and not saved goes where the skill goes; a folder that is new has nothing of one before it. */
export function followFolder(db: Db, { from, to, outOf, into }: FolderMove): void {
  const { sql } = db
  const target = to?.key ?? (into === null ? null : inTrash(into))
  if (target === null) return
  db.tx(() => {
    const left = from === null ? [] : keysAt(db, from)
    const stale = to === null ? [] : keysAt(db, to.path)
    for (const key of stale) if (!left.includes(key)) setAside(db, key)
    if (outOf !== null && from === null) left.push(inTrash(outOf))
    for (const key of left) rekeyDrafts(sql, key, target)
    if (to !== null && (from !== null || outOf !== null)) followName(db, target, { from, to: to.path })
  })
}

/** The same where another program did it, which may have taken along what was kept by then: what was typed last counts. */
export function followMoved(db: Db, from: string, to: { key: string; path: string }): void {
  db.tx(() => {
    for (const key of keysAt(db, from)) if (key !== to.key) rekeyDrafts(db.sql, key, to.key)
    followName(db, to.key, { from, to: to.path })
  })
}

/** A folder that got another name got it in its SKILL.md too: what was typed there is over the file of now. */
function followName({ sql }: Db, key: string, renamed: { from: string | null; to: string }): void {
  for (const { key: of, path } of listDrafts(sql)) {
    const draft = of === key ? getDraft(sql, key, path) : null
    const next = draft && renamedDraft(draft, renamed)
    if (draft && next) putDraft(sql, { ...draft, ...next })
  }
}

/** What was typed in skills that are not in the trash any more goes with them. */
export function forgetEmptied(db: Db, inTrashNow: readonly string[]): void {
  const kept = new Set(inTrashNow.map(inTrash))
  db.tx(() => {
    for (const { key } of listDrafts(db.sql)) {
      if (isInTrash(key) && !kept.has(key)) deleteDraftsOf(db.sql, key)
    }
  })
}

export function isInTrash(key: string): boolean {
  return key.startsWith(TRASH)
}

/** What was typed in a skill that somebody else deleted, where another one lies by now: it is still offered. */
function setAside({ sql }: Db, key: string): void {
  const keptAt = Math.max(...listDrafts(sql).flatMap((draft) => (draft.key === key ? [draft.keptAt] : [])))
  rekeyDrafts(sql, key, `${ASIDE}${keptAt}${key.slice(key.indexOf(':'))}`)
}

/** True for text of a skill in whose place another one lies. */
export function isSetAside(key: string): boolean {
  return key.startsWith(ASIDE)
}

/** No scope is called so, nor so. */
const ASIDE = 'gone-'

const TRASH = 'trash:'

function inTrash(trashId: string): string {
  return TRASH + trashId
}

/** The same folder may have been known in another scope. */
function keysAt({ sql }: Db, path: string): string[] {
  const keys = new Set(listDrafts(sql).map(({ key }) => key))
  return [...keys].filter(
    (key) => !isInTrash(key) && !isSetAside(key) && key.slice(key.indexOf(':') + 1) === path,
  )
}

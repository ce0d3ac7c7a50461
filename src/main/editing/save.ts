import type { EditedFile, SaveInput, SaveResult, SkillFileRef } from '@shared/domain/editing'
import { MAX_EDITED } from '@shared/domain/editing'
import { AppError } from '@shared/errors'
import { deleteDraft, getDraft } from '../db/draft-rows'
import { sha256 } from '../lib/hash'
import { folderOf, inTurn, keepVersion, record, tellSaved, writableFolder, type Editing } from './context'

/** The text of a file, with what was typed over it and not saved. Throws `not_found`. */
export async function openFile(deps: Editing, { key, path }: SkillFileRef): Promise<EditedFile> {
  const folder = folderOf(deps, key)
  const file = await deps.files.read(folder.rootDir, path, MAX_EDITED)
  const draft = getDraft(deps.db.sql, key, path)
  if (!file && !draft) throw new AppError('not_found', `"${path}" is not there any more.`)
  const text = file ? textOf(file.bytes) : ''
  // Saved, and the app ended before it forgot what was typed.
  const isSaved = draft !== null && file !== null && draft.text === text
  if (isSaved) deleteDraft(deps.db.sql, key, path)
  return {
    text,
    digest: file?.sha256 ?? null,
    whyNot: text === null ? NOT_TEXT : folder.whyNot,
    draft: draft && !isSaved ? { text: draft.text, before: draft.before, keptAt: draft.keptAt } : null,
  }
}

const NOT_TEXT = 'This file is not UTF-8 text, so bytes of it would be lost. Change it with another program.'

/**
 * Replaces a file in one step, keeping its rights and its owner; the skill as it was before is kept as a version. When
 * the disk has other bytes than those that were opened, nothing is written and both are given. Throws `bad_input`,
 * `path_escape`, `not_found`, and `disk_full` with the old file unharmed.
 */
export function save(deps: Editing, input: SaveInput): Promise<SaveResult> {
  return inTurn(deps, input.key, () => saveNow(deps, input))
}

async function saveNow(deps: Editing, { key, path, text, before }: SaveInput): Promise<SaveResult> {
  const folder = writableFolder(deps, key)
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > MAX_EDITED) throw new AppError('too_large', `"${path}" would be larger than 1 MB.`)
  const now = await deps.files.read(folder.rootDir, path, MAX_EDITED)
  if ((now?.sha256 ?? null) !== before) return stale(now)
  const digest = sha256(bytes)
  if (digest !== before) {
    const kept = await keepVersion(deps, key)
    const commit = () =>
      deps.db.durable(() => record(deps, { folder, what: 'write', path, before, after: digest, kept }))
    const contents = { bytes, before, keeps: now?.keeps ?? null }
    try {
      await deps.files.write(folder.rootDir, path, contents, commit)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'stale') throw error
      return stale(await deps.files.read(folder.rootDir, path, MAX_EDITED))
    }
    const change = { t: 'write' as const, path, sha256: digest, size: bytes.length }
    await tellSaved(deps, key, { kept, change, saved: digest })
  }
  deleteDraft(deps.db.sql, key, path)
  return { t: 'saved', digest }
}

function stale(now: { bytes: Uint8Array; sha256: string } | null): SaveResult {
  return { t: 'stale', text: now && textOf(now.bytes), digest: now?.sha256 ?? null }
}

/** Null for what can't be edited without losing a byte. A byte order mark stays. */
function textOf(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null // not UTF-8
  }
}

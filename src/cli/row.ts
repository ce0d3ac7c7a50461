import type { SkillRoot, SkillSummary } from '@shared/domain/skill'
import { SCOPE_NAMES } from '@shared/scope-names'
import type { SkillEntry } from '../main/skills/record'
import { summaryOf } from '../main/skills/registry/summary'
import { counted, shown, wrapped } from './terminal/output'
import type { Style } from './terminal/output'
import type { SkillsHere } from './here/skills'

/** A skill as `--json` gives it: a row of the app's list, with whole paths. */
export type SkillRow = SkillSummary & { path: string }

export function rowOf({ placeOf, registry }: SkillsHere, entry: SkillEntry): SkillRow {
  const { parent } = entry.record
  const outer = parent === null ? null : registry.record(parent)
  return {
    ...summaryOf(entry),
    ...placeOf(entry.record),
    ...(outer ? { parent: placeOf(outer).key } : {}),
  }
}

/** Estimated tokens of the whole instructions: "≈812"; nothing where they could not be read. */
export function tokensWord({ tokens, unread }: SkillEntry['record']): string {
  return unread ? '' : `≈${tokens.body.toLocaleString('en-US')}`
}

/**
 * What somebody should know before the list: data that could not be read, folders that were not wholly searched, a
 * project that is not trusted.
 */
export function noticesOf({ notes: general, projectDir, trusted, registry }: SkillsHere): string[] {
  const notes = [...general, ...registry.roots(projectDir).flatMap(rootNotice)]
  if (projectDir === null || trusted) return notes
  const inert = registry.list(projectDir).filter(({ status }) => status === 'not-trusted').length
  if (inert === 0) return notes
  const what = `${counted(inert, 'skill')} of this project ${inert === 1 ? 'is' : 'are'} not in use`
  return [
    ...notes,
    `${what}, because you did not trust the folder. Open it in Satchel to look at them and decide.`,
  ]
}

function rootNotice({ scope, location, note }: SkillRoot): string[] {
  return note === undefined ? [] : [`${SCOPE_NAMES[scope]}: ${location}: ${note}`]
}

/** The notices for stderr, in lines of its width. */
export function noticeText(notices: readonly string[], { width }: Style): string {
  return notices.map((notice) => wrapped(shown(notice), width, 0)).join('\n')
}

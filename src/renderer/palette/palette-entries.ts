import type { RequestSummary } from '@shared/domain/approval'
import type { SessionSummary } from '@shared/domain/session'
import type { SkillSummary } from '@shared/domain/skill'
import { SCOPE_NAMES } from '@shared/scope-names'
import { visibleLine } from '@shared/visible-text'
import type { PaletteEntry } from './find-entries'
import { words } from './palette-strings'

/** What the entries of skills and chats do; given, so that these functions know no store. */
export interface EntryRuns {
  openSkill(skill: SkillSummary): void
  /** Null: no chat is open. */
  addSkill: ((skill: SkillSummary) => void) | null
  revealSkill(skill: SkillSummary): void
  openChat(chat: SessionSummary): void
  review(request: RequestSummary): void
}

export function skillEntry(skill: SkillSummary, runs: EntryRuns): PaletteEntry {
  const { addSkill } = runs
  const used = skill.status === 'effective'
  const scope = SCOPE_NAMES[skill.scope]
  return {
    id: `skill:${skill.key}`,
    kind: 'skill',
    name: visibleLine(skill.name),
    where:
      skill.status === 'shadowed' && skill.shadowedBy
        ? words.shadowed(scope, SCOPE_NAMES[skill.shadowedBy])
        : words.tokens(scope, skill.tokens.body),
    ...(used ? {} : { dimmed: true }),
    actions: [
      { label: words.open, run: () => runs.openSkill(skill) },
      ...(used && addSkill
        ? [{ label: words.addToChat, keys: 'Alt+Enter', run: () => addSkill(skill) }]
        : []),
      { label: words.showInFolder, run: () => runs.revealSkill(skill) },
    ],
  }
}

export function chatEntry(chat: SessionSummary, runs: EntryRuns): PaletteEntry {
  return {
    id: `chat:${chat.id}`,
    kind: 'chat',
    name: visibleLine(chat.title),
    where: chat.projectName === null ? words.noProject : visibleLine(chat.projectName),
    ...(chat.waiting > 0 ? { hint: 'waiting' } : {}),
    actions: [{ label: words.open, run: () => runs.openChat(chat) }],
  }
}

/** What a request is about, in words. */
export interface RequestSubject {
  verb: string
  name: string | null
  question: string
  skill: { name: string } | null
}

/** Leads to the review: nothing is decided from here (`ux.md` 2.5). */
export function requestEntry(
  request: RequestSummary,
  { verb, name, question, skill }: RequestSubject,
  runs: EntryRuns,
): PaletteEntry {
  return {
    id: `request:${request.id}`,
    kind: 'request',
    name: name === null ? question : `${verb} ${visibleLine(name)}?`,
    where: words.waitingFrom(visibleLine(skill?.name ?? ''), visibleLine(request.sessionTitle)),
    hint: words.review,
    actions: [{ label: words.review, run: () => runs.review(request) }],
  }
}

import { useMemo } from 'react'
import type { SessionSummary } from '@shared/domain/session'
import type { SkillSummary } from '@shared/domain/skill'
import { api } from '../api'
import { subjectOf } from '../approvals/subject'
import { commandList } from '../shell/commands'
import { guarded } from '../shell/actions'
import { openSkillPage } from '../skills/page/open-skill'
import { revealSkill } from '../skills/preview/switch-skills'
import { useCurrentProjectDir } from '../stores/current-project'
import { SETTINGS_PAGES, showSettingsPage } from '../settings/settings-place'
import type { SettingsPage } from '../settings/settings-place'
import { words as settings } from '../settings/strings'
import { useApprovals } from '../stores/approvals'
import { useSessions } from '../stores/sessions'
import { useSkillList } from '../stores/skills'
import { goTo, openReview, showInDock } from '../stores/ui'
import type { PaletteEntry } from './find-entries'
import { chatEntry, requestEntry, skillEntry } from './palette-entries'
import type { EntryRuns } from './palette-entries'
import { words } from './palette-strings'

/** Everything that the palette finds, as it is now. */
export function usePaletteEntries(): readonly PaletteEntry[] {
  const skills = useSkillList(useCurrentProjectDir())?.skills
  const chats = useSessions((state) => state.list)
  const pending = useApprovals((state) => state.pending)
  const chatId = useSessions((state) => state.chat?.detail.id ?? null)
  return useMemo(() => {
    const runs = entryRuns(skills ?? [], chatId)
    const recentFirst = (chats ?? []).toSorted((a, b) => b.updatedAt - a.updatedAt)
    return [
      ...pending.map((request) => requestEntry(request, subjectOf(request.plan), runs)),
      ...recentFirst.map((chat) => chatEntry(chat, runs)),
      ...usedFirst(skills ?? []).map((skill) => skillEntry(skill, runs)),
      ...commandList(),
      ...SETTINGS_PAGES.map(settingEntry),
    ]
  }, [skills, chats, pending, chatId])
}

function entryRuns(skills: readonly SkillSummary[], chatId: string | null): EntryRuns {
  return {
    openSkill: (skill) => openSkillPage(skill, skills),
    addSkill:
      chatId === null
        ? null
        : ({ name }) => {
            goTo({ area: 'chats', chatId })
            void guarded(async () => void (await api.call('sessions.loadSkill', { sessionId: chatId, name })))
          },
    revealSkill: ({ key }) => revealSkill(key),
    openChat: (chat: SessionSummary) => goTo({ area: 'chats', chatId: chat.id }),
    review: (request) => {
      showInDock(request)
      openReview(request.id)
    },
  }
}

/** In the order of the list; copies that are not used after the others. */
function usedFirst(skills: readonly SkillSummary[]): SkillSummary[] {
  return [
    ...skills.filter(({ status }) => status === 'effective'),
    ...skills.filter(({ status }) => status !== 'effective'),
  ]
}

function settingEntry(page: SettingsPage): PaletteEntry {
  return {
    id: `setting:${page}`,
    kind: 'setting',
    name: settings.settingsView.names[page],
    where: words.setting,
    actions: [{ label: words.open, run: () => showSettingsPage(page) }],
  }
}

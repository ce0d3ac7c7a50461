import { defineStrings } from '@shared/catalogue'
import { plural } from '../ui/format'

/** Texts of the palette and of the sheet of keys. */
export const words = defineStrings('palette', {
  title: 'Search chats, skills, commands',
  results: (shown: number, count: number) =>
    count > shown
      ? `${shown} of ${plural(count, { one: 'result', other: 'results' })}`
      : plural(count, { one: 'result', other: 'results' }),
  nothing: (typed: string) => `Nothing matches “${typed}”.`,
  prefixes: [
    ['@', 'skills'],
    ['#', 'chats'],
    ['!', 'waiting'],
    ['>', 'commands'],
    [':', 'settings'],
  ] as const,
  actions: 'Actions',
  actionsOf: (name: string) => `Actions of ${name}`,
  open: 'Open',
  review: 'Review',
  run: 'Run',
  addToChat: 'Add to this chat',
  showInFolder: 'Show in folder',
  showInAudit: 'Show in Audit',
  command: 'Command',
  setting: 'Settings',
  appearance: (theme: string) => `Appearance: ${theme}`,
  waitingFrom: (skill: string, chat: string) =>
    skill === '' ? `waiting in ${chat}` : `from ${skill}, waiting in ${chat}`,
  noProject: 'No project',
  shadowed: (scope: string, by: string) => `${scope}, shadowed by ${by}`,
  tokens: (scope: string, tokens: number) => `${scope}, ${plural(tokens, { one: 'token', other: 'tokens' })}`,
  noChat: 'Add to this chat: no chat is open',
  keysTitle: 'Keyboard shortcuts',
  keysSearch: 'Find a shortcut',
  keysNone: 'No shortcut matches.',
})

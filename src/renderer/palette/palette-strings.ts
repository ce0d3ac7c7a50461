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
  findEntries: {
    waitingForYou: 'Waiting for you',
    chats: 'Chats',
    skills: 'Skills',
    commands: 'Commands',
    settings: 'Settings',
    usedLast: 'Used last',
  },
  keyGroups: {
    inLists: 'In lists',
    move: 'Move',
    markARange: 'Mark a range',
    markOneMore: 'Mark one more',
    markAll: 'Mark all',
    open: 'Open',
    showOrHideThe: 'Show or hide the details',
    rename: 'Rename',
    delete: 'Delete',
    searchSkills: 'Search skills',
    menuOfTheRow: 'Menu of the row',
    changeTheWidthOf: 'Change the width of a column, from its heading',
    inTheMessageBox: 'In the message box',
    sendOrQueueAfter: 'Send, or queue after this step',
    newLine: 'New line',
    inAReview: 'In a review',
    allowOnce: 'Allow once',
    denyAndSayWhy: 'Deny and say why',
    decideLater: 'Decide later',
  },
})

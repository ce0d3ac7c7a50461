import { isMac } from '../ui/keys'
import type { Shortcut } from '../ui/keys'
import { words } from './palette-strings'

export interface KeyGroup {
  title: string
  rows: readonly (readonly [label: string, keys: readonly Shortcut[]])[]
}

/** Keys that belong to a part of the window and not to the window (`ux.md` 2.6); each is handled where it works. */
export const KEY_GROUPS: readonly KeyGroup[] = [
  {
    title: words.keyGroups.inLists,
    rows: [
      [words.keyGroups.move, ['ArrowUp', 'ArrowDown']],
      [words.keyGroups.markARange, ['Shift+ArrowUp', 'Shift+ArrowDown']],
      [words.keyGroups.markOneMore, ['Mod+Space']],
      [words.keyGroups.markAll, ['Mod+A']],
      [words.keyGroups.open, ['Enter']],
      [words.keyGroups.showOrHideThe, ['Space']],
      [words.keyGroups.rename, ['F2']],
      [words.keyGroups.delete, [isMac() ? 'Mod+Backspace' : 'Delete']],
      [words.keyGroups.searchSkills, ['/']],
      [words.keyGroups.menuOfTheRow, ['Shift+F10']],
      [words.keyGroups.changeTheWidthOf, ['Shift+ArrowLeft', 'Shift+ArrowRight']],
    ],
  },
  {
    title: words.keyGroups.inTheMessageBox,
    rows: [
      [words.keyGroups.sendOrQueueAfter, ['Enter']],
      [words.keyGroups.newLine, ['Shift+Enter']],
    ],
  },
  {
    title: words.keyGroups.inAReview,
    rows: [
      [words.keyGroups.allowOnce, ['Mod+Enter']],
      [words.keyGroups.denyAndSayWhy, ['Mod+Backspace']],
      [words.keyGroups.decideLater, ['Escape']],
    ],
  },
]

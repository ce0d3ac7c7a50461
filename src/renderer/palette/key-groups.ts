import type { Shortcut } from '../ui/keys'

export interface KeyGroup {
  title: string
  rows: readonly (readonly [label: string, keys: readonly Shortcut[]])[]
}

/** Keys that belong to a part of the window and not to the window (`ux.md` 2.6); each is handled where it works. */
export const KEY_GROUPS: readonly KeyGroup[] = [
  {
    title: 'In lists',
    rows: [
      ['Move', ['ArrowUp', 'ArrowDown']],
      ['Mark a range', ['Shift+ArrowUp', 'Shift+ArrowDown']],
      ['Mark one more', ['Mod+Space']],
      ['Mark all', ['Mod+A']],
      ['Open', ['Enter']],
      ['Show or hide the details', ['Space']],
      ['Search skills', ['/']],
      ['Menu of the row', ['Shift+F10']],
      ['Change the width of a column, from its heading', ['Shift+ArrowLeft', 'Shift+ArrowRight']],
    ],
  },
  {
    title: 'In the message box',
    rows: [
      ['Send, or queue after this step', ['Enter']],
      ['New line', ['Shift+Enter']],
    ],
  },
  {
    title: 'In a review',
    rows: [
      ['Allow once', ['Mod+Enter']],
      ['Deny and say why', ['Mod+Backspace']],
      ['Decide later', ['Escape']],
    ],
  },
]

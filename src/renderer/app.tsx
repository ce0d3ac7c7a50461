import { IconContext } from '@phosphor-icons/react/dist/lib/context'
import { Arranging } from './arranging/arranging'
import { ApprovalReview } from './approvals/review/review'
import { KeysSheet } from './palette/keys-sheet'
import { Palette } from './palette/palette'
import { WindowShell } from './shell/window-shell'

const ICONS = { size: 16, 'aria-hidden': true } as const

/** The page: the window, and what may open over it: the review, the palette, the sheet of keys. */
export function App() {
  return (
    <IconContext value={ICONS}>
      <WindowShell />
      <Arranging />
      <ApprovalReview />
      <Palette />
      <KeysSheet />
    </IconContext>
  )
}

import { IconContext } from '@phosphor-icons/react/dist/lib/context'
import { Arranging } from './arranging/arranging'
import { ApprovalReview } from './approvals/review'
import { WindowShell } from './shell/window-shell'

const ICONS = { size: 16, 'aria-hidden': true } as const

/** The page: the window, and the review that may open over it. */
export function App() {
  return (
    <IconContext value={ICONS}>
      <WindowShell />
      <Arranging />
      <ApprovalReview />
    </IconContext>
  )
}

import { useEffect, useState } from 'react'
import { visibleLine } from '@shared/visible-text'
import { Button, IconButton } from '../ui/button'
import { CloseIcon } from '../ui/icons'
import { dismissToast, undo } from './arranging-store'
import type { Toast } from './arranging-store'
import { words } from './strings'

const SHOWN_MS = 10_000

/** What was just done, with Undo: for 10 seconds, and as long as the pointer or the focus is on it (`ux.md` 3.3). */
export function UndoToast({ toast }: { toast: Toast }) {
  const [hover, setHover] = useState(false)
  const [focus, setFocus] = useState(false)
  const held = hover || focus
  useEffect(() => {
    if (held) return undefined
    const timer = setTimeout(dismissToast, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [held])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- only holds its own end back
    <section
      className="toast"
      aria-label={words.lastChange}
      data-pane="toast"
      onPointerEnter={() => setHover(true)}
      onPointerLeave={() => setHover(false)}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
    >
      <span className="grow">{visibleLine(toast.text)}</span>
      <Button small onClick={() => undo(toast.ids)}>
        {words.undo}
      </Button>
      <IconButton tiny label={words.dismiss} onClick={dismissToast}>
        <CloseIcon size={14} />
      </IconButton>
    </section>
  )
}

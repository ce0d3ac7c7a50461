import { Tooltip } from 'radix-ui'
import type { ReactElement } from 'react'
import { Kbd } from './kbd'
import type { Shortcut } from './keys'

/** A tooltip after 600 ms, also on focus; Escape closes it, the pointer may rest on it (WCAG 1.4.13). */
export function Tip({
  text,
  shortcut,
  children,
}: {
  text: string
  shortcut?: Shortcut
  children: ReactElement
}) {
  return (
    <Tooltip.Provider delayDuration={600}>
      <Tooltip.Root>
        <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
        <Tooltip.Portal>
          <Tooltip.Content className="tip" sideOffset={6} collisionPadding={8}>
            {text}
            {shortcut && <Kbd keys={shortcut} />}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  )
}

import { ContextMenu as Radix } from 'radix-ui'
import type { MouseEvent, ReactNode } from 'react'
import { rememberMenuOpener } from './focus'
import { MenuLine, type MenuLineProps } from './menu-line'

/** A menu at the pointer, or at what has the focus (Shift+F10); arrows, type-ahead, Escape. */
export function ContextMenu(props: {
  children: ReactNode
  /** What the menu is for, before it opens; false: none here. */
  onOpenAt(target: HTMLElement): boolean
  content: ReactNode
}) {
  const onContextMenu = (event: MouseEvent): void => {
    if (props.onOpenAt(event.target as HTMLElement)) rememberMenuOpener()
    else event.preventDefault()
  }
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild onContextMenu={onContextMenu}>
        <div className="ctx">{props.children}</div>
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" collisionPadding={8}>
          {props.content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export function ContextItem({
  onSelect,
  disabled = false,
  ...line
}: MenuLineProps & { onSelect(): void; disabled?: boolean }) {
  return (
    <Radix.Item className="mi" disabled={disabled} onSelect={() => onSelect()}>
      <MenuLine {...line} />
    </Radix.Item>
  )
}

export function ContextSeparator() {
  return <Radix.Separator className="menu-sep" />
}

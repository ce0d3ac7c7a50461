import { ContextMenu as Radix } from 'radix-ui'
import type { MouseEvent, ReactNode } from 'react'
import { rememberMenuOpener } from './focus'

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

export function ContextItem(props: {
  children: ReactNode
  onSelect(): void
  icon?: ReactNode
  hint?: ReactNode
  disabled?: boolean
}) {
  return (
    <Radix.Item className="mi" disabled={props.disabled ?? false} onSelect={() => props.onSelect()}>
      {props.icon}
      <span className="trunc">{props.children}</span>
      {props.hint !== undefined && <span className="mi-hint">{props.hint}</span>}
    </Radix.Item>
  )
}

export function ContextSeparator() {
  return <Radix.Separator className="menu-sep" />
}

import { DropdownMenu } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { CaretRightIcon, CheckIcon } from './icons'
import { MenuLine, type MenuLineProps } from './menu-line'

/** A menu button: arrows, type-ahead, Escape; focus goes back to the trigger. */
export function Menu(props: {
  trigger: ReactElement
  children: ReactNode
  align?: 'start' | 'end'
  side?: 'top' | 'bottom'
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{props.trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="menu"
          align={props.align ?? 'start'}
          side={props.side ?? 'bottom'}
          sideOffset={4}
          collisionPadding={8}
        >
          {props.children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

export function MenuItem({
  onSelect,
  disabled = false,
  ...line
}: MenuLineProps & { onSelect(): void; disabled?: boolean }) {
  return (
    <DropdownMenu.Item className="mi" disabled={disabled} onSelect={() => onSelect()}>
      <MenuLine {...line} />
    </DropdownMenu.Item>
  )
}

/** One of several, with a mark at the chosen one. */
export function MenuChoice(props: {
  checked: boolean
  onSelect(): void
  children: ReactNode
  hint?: ReactNode
}) {
  return (
    <DropdownMenu.CheckboxItem className="mi" checked={props.checked} onSelect={() => props.onSelect()}>
      <MenuLine
        icon={
          <span style={{ width: 14 }}>{props.checked && <CheckIcon size={14} aria-hidden="true" />}</span>
        }
        hint={props.hint}
      >
        {props.children}
      </MenuLine>
    </DropdownMenu.CheckboxItem>
  )
}

/** A menu inside a menu: opens with the right arrow, or where the pointer rests. */
export function SubMenu(props: { label: ReactNode; disabled?: boolean; children: ReactNode }) {
  return (
    <DropdownMenu.Sub>
      <DropdownMenu.SubTrigger className="mi" disabled={props.disabled ?? false}>
        <span className="trunc">{props.label}</span>
        <span className="mi-hint">
          <CaretRightIcon size={12} aria-hidden="true" />
        </span>
      </DropdownMenu.SubTrigger>
      <DropdownMenu.Portal>
        <DropdownMenu.SubContent className="menu" sideOffset={2} collisionPadding={8}>
          {props.children}
        </DropdownMenu.SubContent>
      </DropdownMenu.Portal>
    </DropdownMenu.Sub>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="menu-label">{children}</DropdownMenu.Label>
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="menu-sep" />
}

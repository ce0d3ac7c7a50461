import { clsx } from 'clsx'
import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react'
import { Kbd } from './kbd'
import type { Shortcut } from './keys'
import { Tip } from './tip'

type ButtonVariant = 'outline' | 'solid' | 'quiet' | 'risk'

export interface ButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'disabled'> {
  /** `solid` is the one main action of a place. Default: outline. */
  variant?: ButtonVariant
  small?: boolean
  icon?: ReactNode
  shortcut?: Shortcut
  /** Keeps the button focusable and says why it does nothing: `ux.md` 5.4, rule 7. */
  unavailable?: string | false
}

const VARIANT: Record<ButtonVariant, string> = { outline: '', solid: 'p', quiet: 'q', risk: 'risk' }

export function Button(props: ButtonProps) {
  const {
    variant = 'outline',
    small,
    icon,
    shortcut,
    unavailable,
    className,
    children,
    onClick,
    ...rest
  } = props
  const button = (
    <button
      type="button"
      {...rest}
      className={clsx('btn', VARIANT[variant], small && 'sm', className)}
      onClick={unavailable ? stop : onClick}
      {...(unavailable ? { 'aria-disabled': true } : {})}
    >
      {icon}
      {children}
      {shortcut && <Kbd keys={shortcut} />}
    </button>
  )
  return unavailable ? <Tip text={unavailable}>{button}</Tip> : button
}

export interface IconButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'disabled' | 'aria-label'> {
  /** Name for screen readers and tooltip. */
  label: string
  shortcut?: Shortcut
  /** Shown as pressed. */
  on?: boolean
  tiny?: boolean
  unavailable?: string | false
}

export function IconButton(props: IconButtonProps) {
  const { label, shortcut, on, tiny, unavailable, className, onClick, ...rest } = props
  return (
    <Tip text={unavailable || label} {...(shortcut ? { shortcut } : {})}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={clsx('ib', on && 'on', tiny && 'xs', className)}
        onClick={unavailable ? stop : onClick}
        {...(unavailable ? { 'aria-disabled': true } : {})}
      />
    </Tip>
  )
}

function stop(event: MouseEvent): void {
  event.preventDefault()
}

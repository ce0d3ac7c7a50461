import { clsx } from 'clsx'
import { useId } from 'react'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { CaretDownIcon } from './icons'

interface FieldParts {
  label: string
  hint?: ReactNode
  error?: string | undefined
}

function Frame(props: FieldParts & { id: string; children: ReactNode }) {
  return (
    <div className="fld">
      <label htmlFor={props.id}>{props.label}</label>
      {props.children}
      {props.hint && (
        <div id={`${props.id}-hint`} className="fld-hint">
          {props.hint}
        </div>
      )}
      {props.error && (
        <div id={`${props.id}-error`} className="fld-error" role="alert">
          {props.error}
        </div>
      )}
    </div>
  )
}

function described(id: string, props: FieldParts): { 'aria-describedby'?: string; 'aria-invalid'?: true } {
  const ids = [props.hint && `${id}-hint`, props.error && `${id}-error`].filter(Boolean)
  return {
    ...(ids.length > 0 ? { 'aria-describedby': ids.join(' ') } : {}),
    ...(props.error ? { 'aria-invalid': true as const } : {}),
  }
}

export function TextField(props: FieldParts & ComponentPropsWithRef<'input'>) {
  const id = useId()
  const { label, hint, error, className, ...rest } = props
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <input id={id} className={clsx('inp', className)} {...described(id, props)} {...rest} />
    </Frame>
  )
}

export function TextArea(props: FieldParts & ComponentPropsWithRef<'textarea'>) {
  const id = useId()
  const { label, hint, error, className, ...rest } = props
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <textarea id={id} className={clsx('inp', className)} {...described(id, props)} {...rest} />
    </Frame>
  )
}

/** A native select: the platform's own list, keys and screen-reader behaviour. */
export function SelectField(props: FieldParts & ComponentPropsWithRef<'select'>) {
  const id = useId()
  const { label, hint, error, className, children, ...rest } = props
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <span className="select">
        <select id={id} className={clsx('inp', className)} {...described(id, props)} {...rest}>
          {children}
        </select>
        <CaretDownIcon size={14} aria-hidden="true" />
      </span>
    </Frame>
  )
}

/** On or off, at once. */
export function Switch(props: { label: string; checked: boolean; onChange(checked: boolean): void }) {
  return (
    <button
      type="button"
      role="switch"
      className="sw"
      aria-checked={props.checked}
      aria-label={props.label}
      onClick={() => props.onChange(!props.checked)}
    />
  )
}

/** A check box or radio with its words; `extra` stands at the right. */
export function Option(
  props: Omit<ComponentPropsWithRef<'input'>, 'type'> & {
    type: 'checkbox' | 'radio'
    label: ReactNode
    extra?: ReactNode
  },
) {
  const id = useId()
  const { label, extra, className, ...rest } = props
  return (
    <div className={clsx('opt', className)}>
      <input id={id} className="cb" {...rest} />
      <label htmlFor={id}>{label}</label>
      {extra}
    </div>
  )
}

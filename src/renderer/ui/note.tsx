import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { ErrorIcon, InfoIcon, WarningIcon } from './icons'

export type NoteTone = 'info' | 'warn' | 'bad'

/** A box with a fact: what happened and what to do. `bad` is announced. */
export function Note(props: { tone: NoteTone; title?: ReactNode; children?: ReactNode; action?: ReactNode }) {
  const { tone } = props
  const Mark = tone === 'info' ? InfoIcon : tone === 'warn' ? WarningIcon : ErrorIcon
  return (
    <div className={clsx('note', tone !== 'info' && tone)} role={tone === 'bad' ? 'alert' : undefined}>
      <Mark aria-hidden="true" />
      <div className="grow">
        {props.title && <div className="b">{props.title}</div>}
        {props.children}
      </div>
      {props.action}
    </div>
  )
}

/** One sentence of fact, then actions (`ux.md` 2.10). */
export function EmptyState({ text, children }: { text: ReactNode; children?: ReactNode }) {
  return (
    <div className="empty">
      <p>{text}</p>
      {children && <div className="row">{children}</div>}
    </div>
  )
}

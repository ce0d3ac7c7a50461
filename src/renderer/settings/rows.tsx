import type { ReactNode } from 'react'
import type { Settings } from '@shared/domain/settings'
import { messageOf } from '../api'
import { saveSettings } from '../stores/settings'
import { addNotice } from '../stores/ui'
import { numberIn } from './typed'
import { TypedField } from './typed-field'

/** Saves at once; a failure becomes a notice and the old value stays. */
export function save(change: Partial<Settings>): void {
  saveSettings(change).catch((error: unknown) => addNotice('error', messageOf(error)))
}

/** A page of settings: a heading, then rows. */
export function Page({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="set-page" aria-label={title}>
      <h2 className="set-title">{title}</h2>
      {children}
    </section>
  )
}

/** One setting: its name and what it does at the left, the control at the right. */
export function Row(props: {
  name: string
  hint?: ReactNode
  children: ReactNode
  onReset?: (() => void) | undefined
}) {
  return (
    <div className="set-row">
      <div className="grow">
        <div className="m">{props.name}</div>
        {props.hint && <div className="small t3">{props.hint}</div>}
      </div>
      {props.onReset && (
        <button type="button" className="link small" onClick={props.onReset}>
          Reset<span className="sr">{` ${props.name}`}</span>
        </button>
      )}
      <div className="set-control">{props.children}</div>
    </div>
  )
}

export interface NumberRowProps {
  name: string
  hint: string
  value: number
  /** The value of a fresh installation. */
  start: number
  min: number
  max: number
  step?: number
  unit: string
  onSave: (value: number) => void
}

/** A whole number with its unit. */
export function NumberRow(props: NumberRowProps) {
  const { name, value, start, min, max, unit, onSave } = props
  return (
    <Row
      name={name}
      hint={`${props.hint} From ${min} to ${max}.`}
      onReset={value === start ? undefined : () => onSave(start)}
    >
      <TypedField
        label={name}
        shown={String(value)}
        unit={unit}
        read={(text) => numberIn(text, { min, max, unit })}
        onSave={onSave}
        input={{ type: 'number', min, max, step: props.step ?? 1 }}
      />
    </Row>
  )
}

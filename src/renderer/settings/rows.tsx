import type { ReactNode } from 'react'
import type { Settings } from '@shared/domain/settings'
import { messageOf } from '../api'
import { saveSettings, useSettings } from '../stores/settings'
import { addNotice } from '../stores/ui'
import { NotTrustedIcon } from '../ui/icons'
import { numberIn } from './typed'
import { TypedField } from './typed-field'
import { words } from './strings'

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
  /** The setting that it changes: an organisation may have decided it. */
  setting?: keyof Settings | undefined
}) {
  const lockedBy = useLockedBy(props.setting)
  return (
    <div className="set-row">
      <div className="grow">
        <div className="m">{props.name}</div>
        {props.hint && <div className="small t3">{props.hint}</div>}
      </div>
      {props.onReset && lockedBy === null && (
        <button type="button" className="link small" onClick={props.onReset}>
          {words.rows.reset}
          <span className="sr">{` ${props.name}`}</span>
        </button>
      )}
      {lockedBy !== null && (
        <span className="row small t2">
          <NotTrustedIcon aria-hidden="true" />
          {words.rows.setBy(lockedBy)}
        </span>
      )}
      <fieldset className="set-control" disabled={lockedBy !== null} aria-label={props.name}>
        {props.children}
      </fieldset>
    </div>
  )
}

/** Who decided this setting in place of the person; null: nobody. */
function useLockedBy(setting: keyof Settings | undefined): string | null {
  return useSettings(({ view }) =>
    view && setting !== undefined && view.policy.locked.includes(setting) ? view.policy.organisation : null,
  )
}

export interface NumberRowProps {
  setting?: keyof Settings
  name: string
  hint: string
  value: number
  /** The value of a fresh installation. */
  start: number
  min: number
  max: number
  step?: number
  /** Digits after the point; none when left out. */
  digits?: number
  unit: string
  onSave: (value: number) => void
}

/** A number with its unit. */
export function NumberRow(props: NumberRowProps) {
  const { name, value, start, min, max, unit, digits = 0, onSave } = props
  return (
    <Row
      name={name}
      hint={words.rows.fromTo(props.hint, min, max)}
      onReset={value === start ? undefined : () => onSave(start)}
      setting={props.setting}
    >
      <TypedField
        label={name}
        shown={String(value)}
        unit={unit}
        read={(text) => numberIn(text, { min, max, unit, digits })}
        onSave={onSave}
        input={{ type: 'number', min, max, step: props.step ?? 1 }}
      />
    </Row>
  )
}

import { Tabs as Radix } from 'radix-ui'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { formatNumber } from './format'

export interface TabSpec {
  value: string
  label: ReactNode
}

/** Tabs with manual activation: arrows move, Enter or Space opens. `chips` draws them as in the review. */
export function Tabs(props: {
  label: string
  tabs: TabSpec[]
  value: string
  onChange(value: string): void
  chips?: boolean
  /** At the right of the list. */
  extra?: ReactNode
  className?: string
  children: ReactNode
}) {
  return (
    <Radix.Root
      value={props.value}
      onValueChange={(value) => props.onChange(value)}
      activationMode="manual"
      {...(props.className ? { className: props.className } : {})}
    >
      <div className={clsx('row', props.chips ? 'tab-chips' : 'tabs')}>
        <Radix.List aria-label={props.label} className="row">
          {props.tabs.map((tab) => (
            <Radix.Trigger
              key={tab.value}
              value={tab.value}
              className={props.chips ? clsx('chip', tab.value === props.value && 'on') : 'tab'}
            >
              {tab.label}
            </Radix.Trigger>
          ))}
        </Radix.List>
        <span className="sp" />
        {props.extra}
      </div>
      {props.children}
    </Radix.Root>
  )
}

export function TabPanel(props: {
  value: string
  className?: string
  /** What is in it takes the focus itself, so that the panel is no stop of its own. */
  passFocus?: boolean
  children: ReactNode
}) {
  return (
    <Radix.Content
      value={props.value}
      {...(props.className ? { className: props.className } : {})}
      {...(props.passFocus ? { tabIndex: -1 } : {})}
    >
      {props.children}
    </Radix.Content>
  )
}

/** A filter that can be on or off, with how many it would show. */
export function FilterChip(props: {
  pressed: boolean
  onPress(): void
  count?: number
  children: ReactNode
}) {
  return (
    <button
      type="button"
      className={clsx('chip', props.pressed && 'on')}
      aria-pressed={props.pressed}
      onClick={() => props.onPress()}
    >
      {props.children}
      {props.count !== undefined && <span className="num">{formatNumber(props.count)}</span>}
    </button>
  )
}

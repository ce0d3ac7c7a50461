import { clsx } from 'clsx'
import type { MouseEvent, ReactNode } from 'react'
import { Kbd } from '../../ui/kbd'
import type { Shortcut } from '../../ui/keys'
import type { Arming } from './use-armed'
import { words } from '../words'

export interface DecisionButtonProps {
  children: ReactNode
  kind: 'solid' | 'outline' | 'risk'
  arming: Arming
  armDelayMs: number
  shortcut?: Shortcut
  /** Keeps it unavailable although it is armed; said as its description. */
  blocked?: string | undefined
  onAct: () => void
}

/**
 * A button that decides: inert until armed, whatever its looks. It stays one element, so that arming never takes
 * the focus from it, and the check runs at the moment of the click. The mouse never gives it the focus: the caret
 * stays where the person types, and no later Enter decides anything.
 */
export function DecisionButton(props: DecisionButtonProps) {
  const { arming, blocked } = props
  const inert = !arming.ready || Boolean(blocked)
  const click = (event: MouseEvent): void => {
    if (!blocked && arming.mayAct(event)) props.onAct()
  }
  return (
    <button
      type="button"
      className={clsx('btn', 'decide', props.kind === 'solid' && 'p', props.kind === 'risk' && 'risk')}
      aria-disabled={inert || undefined}
      title={blocked || (arming.ready ? undefined : words.soon)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={click}
    >
      {props.children}
      {props.shortcut && <Kbd keys={props.shortcut} />}
      {!arming.ready && !blocked && (
        <span key={arming.round} className="arm" style={{ animationDuration: `${props.armDelayMs}ms` }} />
      )}
    </button>
  )
}

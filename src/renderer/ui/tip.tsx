import { Tooltip } from 'radix-ui'
import { cloneElement, useLayoutEffect, useRef, useState } from 'react'
import type { ComponentPropsWithRef, ReactElement, ReactNode, Ref, SyntheticEvent } from 'react'
import { Kbd } from './kbd'
import type { Shortcut } from './keys'

/** Events by which a tooltip opens and closes. */
const EVENTS = ['onPointerMove', 'onPointerLeave', 'onPointerDown', 'onFocus', 'onBlur', 'onClick'] as const
type EventName = (typeof EVENTS)[number]
type Handler = (event: SyntheticEvent) => void
type Handlers = Partial<Record<EventName, Handler | undefined>>
type TriggerProps = Handlers & { 'aria-describedby'?: string | undefined; ref?: Ref<HTMLElement> | undefined }

/** Events that come before the tooltip is there wait for it. */
interface Early {
  name: EventName
  event: SyntheticEvent
}

/**
 * A tooltip after 600 ms, also on focus; Escape closes it, the pointer may rest on it (WCAG 1.4.13). Until the pointer or
 * the focus first comes there is nothing but the child: a long chat has a hundred of them.
 */
export function Tip(props: { text: string; shortcut?: Shortcut; children: ReactElement<TriggerProps> }) {
  const { text, shortcut, children: child } = props
  const [anchor, setAnchor] = useState<Element | null>(null)
  const [describedBy, setDescribedBy] = useState<string>()
  const trigger = useRef<Handlers>({})
  const early = useRef<Early[]>([])
  const handlers = EVENTS.map((name): [EventName, Handler] => [
    name,
    (event) => {
      child.props[name]?.(event)
      if (event.currentTarget === anchor) return trigger.current[name]?.(event)
      early.current.push({ name, event })
      setAnchor(event.currentTarget)
    },
  ])
  const take = (given: TriggerProps) => {
    trigger.current = given
    setDescribedBy(given['aria-describedby'])
    for (const { name, event } of early.current.splice(0)) given[name]?.(event)
  }
  return (
    <>
      {cloneElement(child, {
        ...Object.fromEntries(handlers),
        'aria-describedby': child.props['aria-describedby'] ?? describedBy,
      })}
      {anchor && (
        <Floating anchor={anchor} take={take}>
          {text}
          {shortcut && <Kbd keys={shortcut} />}
        </Floating>
      )}
    </>
  )
}

interface Anchored {
  anchor: Element
  take(props: TriggerProps): void
}

function Floating({ anchor, take, children }: Anchored & { children: ReactNode }) {
  return (
    <Tooltip.Provider delayDuration={600}>
      <Tooltip.Root>
        <Tooltip.Trigger asChild>
          <StandIn anchor={anchor} take={take} />
        </Tooltip.Trigger>
        <Tooltip.Portal>
          <Tooltip.Content className="tip" sideOffset={6} collisionPadding={8}>
            {children}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  )
}

/** Stands where the trigger would, and hands what it is given to the element that is one. */
function StandIn({ anchor, take, ref, ...given }: Anchored & ComponentPropsWithRef<'button'>) {
  useLayoutEffect(() => {
    const clean = typeof ref === 'function' ? ref(anchor as HTMLButtonElement) : undefined
    if (ref && typeof ref === 'object') ref.current = anchor as HTMLButtonElement
    return typeof clean === 'function' ? clean : undefined
  }, [anchor, ref])
  useLayoutEffect(() => take(given as TriggerProps))
  return null
}

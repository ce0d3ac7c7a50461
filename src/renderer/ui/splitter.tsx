import { useRef } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'

const STEP = 16

/** A separator between two panes: drag, arrows ±16 px, Home, End, Enter to collapse (APG window splitter). */
export function Splitter(props: {
  label: string
  width: number
  limits: { min: number; max: number }
  /** Which side of the separator the pane is on. */
  side: 'start' | 'end'
  onResize: (width: number) => void
  onCollapse: () => void
}) {
  const { width, limits, onResize } = props
  const direction = props.side === 'start' ? 1 : -1
  const drag = useRef<{ x: number; width: number }>(undefined)
  const resize = (next: number) => onResize(Math.round(Math.min(limits.max, Math.max(limits.min, next))))
  const onKeyDown = (event: KeyboardEvent) => {
    const next = keyWidth(event.key, width, limits, direction)
    if (event.key === 'Enter') props.onCollapse()
    else if (next !== undefined) resize(next)
    else return
    event.preventDefault()
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, width }
  }
  const onPointerMove = (event: PointerEvent) => {
    if (drag.current) resize(drag.current.width + direction * (event.clientX - drag.current.x))
  }
  const onPointerUp = () => {
    drag.current = undefined
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a focusable separator is a control (APG)
    <div
      className="splitter"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an hr takes no keys
      role="separator"
      aria-orientation="vertical"
      aria-label={props.label}
      aria-valuenow={width}
      aria-valuemin={limits.min}
      aria-valuemax={limits.max}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
    />
  )
}

function keyWidth(
  key: string,
  width: number,
  limits: { min: number; max: number },
  direction: number,
): number | undefined {
  if (key === 'ArrowRight') return width + direction * STEP
  if (key === 'ArrowLeft') return width - direction * STEP
  if (key === 'Home') return limits.min
  return key === 'End' ? limits.max : undefined
}

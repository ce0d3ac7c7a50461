import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { clsx } from 'clsx'
import { words } from '../words'

export interface DockBoxProps {
  label: string
  onSeen: (seen: boolean) => void
  children: ReactNode
}

/** What is asked for, at most six lines until "Show all". Tells whether all of it can be seen. */
export function DockBox({ label, onSeen, children }: DockBoxProps) {
  const box = useRef<HTMLPreElement>(null)
  const [open, setOpen] = useState(false)
  const [cut, setCut] = useState(false)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const measure = (): void => {
      const isCut = element.scrollHeight > element.clientHeight + 1
      if (!open) setCut(isCut)
      onSeen(open || !isCut)
    }
    const size = new ResizeObserver(measure)
    size.observe(element)
    measure()
    return () => size.disconnect()
  }, [open, onSeen])
  return (
    <div className="dock-cmd">
      <pre ref={box} className={clsx('code', open && 'open')} aria-label={label}>
        {children}
      </pre>
      {(cut || open) && (
        <button type="button" className="link small" onClick={() => setOpen(!open)}>
          {open ? words.showLess : words.showAll}
        </button>
      )}
    </div>
  )
}

import type { ReactNode } from 'react'

/** What a line of every menu can have. */
export interface MenuLineProps {
  children: ReactNode
  icon?: ReactNode
  /** At the right, quiet: a cost, a shortcut. */
  hint?: ReactNode
}

export function MenuLine({ icon, hint, children }: MenuLineProps) {
  return (
    <>
      {icon}
      <span className="trunc">{children}</span>
      {hint !== undefined && <span className="mi-hint">{hint}</span>}
    </>
  )
}

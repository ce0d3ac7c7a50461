import { Fragment } from 'react'
import type { ReactNode } from 'react'

/** Names at the left, values at the right; a row whose value is null is left out. */
export function PropertyList({ rows }: { rows: [name: string, value: ReactNode][] }) {
  return (
    <dl className="kv">
      {rows
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  )
}

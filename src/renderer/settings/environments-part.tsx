import { useCallback, useEffect, useState } from 'react'
import type { PreparedEnvironment } from '@shared/domain/environment'
import { visibleLine } from '@shared/visible-text'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { Button } from '../ui/button'
import { formatDay } from '../ui/format'
import { useNow } from '../ui/use-now'
import { words } from './tool-strings'

const TITLE = words.environmentsPart.preparedPackages

/** Packages that were prepared in reviews, for scripts that name them; here they are removed. */
export function EnvironmentsPart() {
  const [all, setAll] = useState<PreparedEnvironment[]>([])
  const now = useNow(60_000)
  const fetchAll = useCallback(async () => setAll(await api.call('environments.list', {})), [])
  useEffect(() => void guarded(fetchAll), [fetchAll])
  const remove = ({ id }: PreparedEnvironment) =>
    void guarded(async () => {
      await api.call('environments.remove', { id })
      await fetchAll()
    })
  if (all.length === 0) return null
  return (
    <>
      <div className="row set-sub">
        <h3>{TITLE}</h3>
      </div>
      <p className="small t3 set-lead">{words.environmentsPart.eachIsForThe}</p>
      <ul className="set-providers" aria-label={TITLE}>
        {all.map((one) => (
          <li key={one.id} className="row">
            <span>
              {visibleLine(one.skillName)}: {visibleLine(one.packages.join(', '), 120)}
              <span className="small t3">
                {words.environmentsPart.used(one.bytes, formatDay(one.usedAt, now))}
              </span>
            </span>
            <span className="sp" />
            <Button small onClick={() => remove(one)}>
              {words.environmentsPart.remove}
              <span className="sr">{words.environmentsPart.thePackagesOf(visibleLine(one.skillName))}</span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

import { useCallback, useEffect, useState } from 'react'
import type { HostGrant } from '@shared/domain/host-grant'
import { hostWords } from '@shared/network-host'
import { visibleLine } from '@shared/visible-text'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { Button } from '../ui/button'
import { formatDay } from '../ui/format'
import { useNow } from '../ui/use-now'

/** Hosts that scripts of skills may reach, each given in a review; here they are taken back. */
export function HostsPart() {
  const [grants, setGrants] = useState<HostGrant[]>([])
  const now = useNow(60_000)
  const fetchAll = useCallback(async () => setGrants(await api.call('hosts.list', {})), [])
  useEffect(() => void guarded(fetchAll), [fetchAll])
  const revoke = ({ host, skillKey }: HostGrant) =>
    void guarded(async () => {
      await api.call('hosts.revoke', { host, skillKey })
      await fetchAll()
    })
  if (grants.length === 0) return null
  return (
    <>
      <div className="row set-sub">
        <h3>Hosts that skills may reach</h3>
      </div>
      <p className="small t3 set-lead">
        Each was allowed in a review, for the files that the skill had then. Runs that can reach one are asked
        about every time.
      </p>
      <ul className="set-providers" aria-label="Hosts that skills may reach">
        {grants.map((grant) => (
          <li key={`${grant.host} ${grant.skillKey}`} className="row">
            <span>
              {visibleLine(grant.skillName)}: {hostWords(grant.host)}
              <span className="small t3"> since {formatDay(grant.at, now)}</span>
            </span>
            <span className="sp" />
            <Button small onClick={() => revoke(grant)}>
              Take back
              <span className="sr">{` ${hostWords(grant.host)} from ${visibleLine(grant.skillName)}`}</span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

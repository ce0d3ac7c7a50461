import { useCallback, useEffect, useState } from 'react'
import type { HostGrant } from '@shared/domain/host-grant'
import { hostWords } from '@shared/network-host'
import { visibleLine } from '@shared/visible-text'
import { api } from '../api'
import { guarded } from '../shell/actions'
import { Button } from '../ui/button'
import { formatDay } from '../ui/format'
import { useNow } from '../ui/use-now'
import { words } from './tool-strings'

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
        <h3>{words.hostsPart.hostsThatSkillsMay}</h3>
      </div>
      <p className="small t3 set-lead">{words.hostsPart.eachWasAllowedIn}</p>
      <ul className="set-providers" aria-label={words.hostsPart.hostsThatSkillsMay}>
        {grants.map((grant) => (
          <li key={`${grant.host} ${grant.skillKey}`} className="row">
            <span>
              {visibleLine(grant.skillName)}: {hostWords(grant.host)}
              <span className="small t3">
                {words.hostsPart.since}
                {formatDay(grant.at, now)}
              </span>
            </span>
            <span className="sp" />
            <Button small onClick={() => revoke(grant)}>
              {words.hostsPart.takeBack}
              <span className="sr">
                {words.hostsPart.from(hostWords(grant.host), visibleLine(grant.skillName))}
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

import type { HostGrant, HostWish } from '@shared/domain/host-grant'
import { AppError } from '@shared/errors'
import { bothHosts, hostText, parseHost } from '@shared/network-host'
import type { Audit } from '../audit/audit'
import { deleteHostGrant, listHostGrants, putHostGrant } from '../db/host-grant-rows'
import type { Db } from '../db/open'

/** Which hosts a person lets scripts of a skill reach (X3). Each such run is asked for all the same. */
export interface HostGrants {
  list(): HostGrant[]
  /** Only what the organisation's list leaves of it. Throws `bad_input` for what names no host, `not_ready` where the organisation or this computer doesn't allow it. */
  grant(grant: Omit<HostGrant, 'at'>): void
  revoke(host: string, skillKey: string): void
  /** Takes back what the organisation's list does not hold whole: it does not come back when the list goes. */
  endForbidden(): void
  /** What was given to a skill with exactly these contents, as far as the organisation's list holds it. */
  given(skillKey: string, treeDigest: string): string[]
  /** What a skill with these contents gets of the hosts that it asks for. */
  wishes(skillKey: string, treeDigest: string, asked: readonly string[]): HostWish[]
}

export interface HostGrantDeps {
  db: Db
  audit: Audit
  /** The organisation's list; null: it has none. */
  allowed(): readonly string[] | null
  /** A run can be held to some hosts here. */
  canHold(): boolean
  now(): number
}

export function createHostGrants(deps: HostGrantDeps): HostGrants {
  const { db } = deps
  return {
    list: () => leftOf(deps, listHostGrants(db.sql)),
    grant: (grant) => give(deps, grant),
    revoke(host, skillKey) {
      write(deps, { action: 'host.revoked', target: host, data: { skill: skillKey } }, () =>
        deleteHostGrant(db.sql, host, skillKey),
      )
    },
    endForbidden: () => endForbidden(deps),
    given: (skillKey, treeDigest) =>
      leftOf(deps, listHostGrants(db.sql))
        .filter((grant) => grant.skillKey === skillKey && grant.treeDigest === treeDigest)
        .map(({ host }) => host),
    wishes: (skillKey, treeDigest, asked) => wishes(deps, { skillKey, treeDigest }, asked),
  }
}

function give(deps: HostGrantDeps, grant: Omit<HostGrant, 'at'>): void {
  const [wish] = wishes(deps, grant, [grant.host])
  if (wish === undefined || wish.state === 'refused') {
    throw new AppError('bad_input', `"${grant.host}" is not the name of a host that can be allowed.`)
  }
  if (wish.state === 'policy') {
    throw new AppError('not_ready', `Your organisation does not allow ${wish.host} to be reached.`)
  }
  if (wish.state === 'unavailable') {
    throw new AppError('not_ready', 'This computer can not hold a run to some hosts. See Settings, Sandbox.')
  }
  const data = { skill: grant.skillKey, treeDigest: grant.treeDigest }
  for (const row of leftOf(deps, [{ ...grant, host: wish.host, at: deps.now() }]))
    write(deps, { action: 'host.granted', target: row.host, data }, () => putHostGrant(deps.db.sql, row))
}

/** What the organisation's list leaves of grants; without one all of it. */
function leftOf({ allowed }: HostGrantDeps, grants: HostGrant[]): HostGrant[] {
  const list = allowed()
  if (list === null) return grants
  return grants.flatMap((grant) => bothHosts([grant.host], list).map((host) => ({ ...grant, host })))
}

function endForbidden({ db, audit, allowed }: HostGrantDeps): void {
  const list = allowed()
  if (list === null) return
  const isForbidden = ({ host }: HostGrant) => !bothHosts([host], list).includes(host)
  if (!listHostGrants(db.sql).some(isForbidden)) return
  db.durable(() => {
    // Another program on the same data may have been first.
    for (const { host, skillKey } of listHostGrants(db.sql).filter(isForbidden)) {
      deleteHostGrant(db.sql, host, skillKey)
      const data = { skill: skillKey, reason: 'policy' }
      audit.append({ actor: 'app', action: 'host.revoked', sessionId: null, target: host, data })
    }
  })
}

function wishes(
  { db, allowed, canHold }: HostGrantDeps,
  skill: Pick<HostGrant, 'skillKey' | 'treeDigest'>,
  asked: readonly string[],
): HostWish[] {
  const grants = listHostGrants(db.sql).filter(({ skillKey }) => skillKey === skill.skillKey)
  const list = allowed()
  const stateOf = (host: string): HostWish['state'] => {
    if (!canHold()) return 'unavailable'
    const left = list === null ? [host] : bothHosts([host], list)
    if (left.length === 0) return 'policy'
    const found = left.map((each) => grants.find((grant) => grant.host === each))
    if (found.includes(undefined)) return 'not-given'
    return found.every((grant) => grant?.treeDigest === skill.treeDigest) ? 'given' : 'other'
  }
  const all = asked.map((text): HostWish => {
    const host = parseHost(text)
    return host === null
      ? { host: text, state: 'refused' }
      : { host: hostText(host), state: stateOf(hostText(host)) }
  })
  return [...new Map(all.map((wish) => [wish.host, wish])).values()]
}

interface Entry {
  action: 'host.granted' | 'host.revoked'
  target: string
  data: Record<string, unknown>
}

function write({ db, audit }: HostGrantDeps, entry: Entry, change: () => void): void {
  db.durable(() => {
    change()
    audit.append({ actor: 'person', sessionId: null, ...entry })
  })
}

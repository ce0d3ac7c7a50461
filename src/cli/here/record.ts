import { userInfo } from 'node:os'
import { createAudit, type Audit } from '../../main/audit/audit'
import type { Db } from '../../main/db/open'
import { newId } from '../../main/lib/ids'

/** The record, to which this command writes as the program that it is. */
export function recordHere(db: Db, now: () => number): Audit {
  const writer = { person: userInfo().username, program: newId('app'), monotonic: () => performance.now() }
  return createAudit({ db, now, writer })
}

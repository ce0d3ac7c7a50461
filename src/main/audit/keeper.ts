import type { AuditVerdict } from '@shared/domain/audit'
import { toWire } from '@shared/errors'
import { auditEntry, auditHead, setWrittenUpTo, writtenUpTo } from '../db/audit-rows'
import type { Db } from '../db/open'
import type { Log } from '../lib/log'
import { ANCHOR, doubtOf, readAnchor, writeAnchor } from './anchor'
import type { Audit } from './audit'
import type { ChainPoint } from './chain'
import { writeThrough } from './written-file'

/** What follows each entry: the file of the organisation, and the note of the record's end. */
export interface AuditKeeper {
  /** Something was appended, or the file is another one now. */
  soon(): void
  /** Writes what is left, as far as it can be written. */
  close(): void
}

export interface KeeperDeps {
  db: Db
  dataDir: string
  /** The file that every entry is also written to; null: none. */
  writeTo(): string | null
  /** Tells the person; null: what was told is over. */
  problem(message: string | null): void
  log: Log
}

const SOON_MS = 50
/** After a failure, or so that entries of other programs are written. */
const AGAIN_MS = 5000

/** Starts with what is missing since the last end. */
export function createAuditKeeper(deps: KeeperDeps): AuditKeeper {
  let timer: NodeJS.Timeout | undefined
  let told: string | null = null
  const tell = (message: string | null): void => {
    if (message === told) return
    told = message
    deps.problem(message)
  }
  const work = (): void => {
    timer = undefined
    const more = guarded(deps, tell)
    if (more) plan(0)
  }
  const plan = (ms: number): void => {
    timer ??= setTimeout(work, ms).unref()
  }
  const again = setInterval(() => plan(0), AGAIN_MS).unref()
  plan(0)
  return {
    soon: () => plan(SOON_MS),
    close() {
      clearInterval(again)
      clearTimeout(timer)
      while (guarded(deps, tell));
    },
  }
}

/** That there is a note is known to the database: one that is gone later is missed. */
function noteEnd(db: Db, dataDir: string, head: ChainPoint): void {
  writeAnchor(dataDir, head)
  if (writtenUpTo(db.sql, ANCHOR) === 0) db.tx(() => setWrittenUpTo(db.sql, ANCHOR, head.seq))
}

/**
 * Before the first entry of a start: what does not fit between the record and the note of its end goes on record,
 * because the note is written anew with the next entry.
 */
export function recordDoubts({ db, dataDir }: Pick<KeeperDeps, 'db' | 'dataDir'>, audit: Audit): void {
  // The note first: an entry that comes meanwhile is later than it.
  const anchor = readAnchor(dataDir)
  const doubt = doubtOf(anchor, {
    head: auditHead(db.sql),
    hashAt: (seq) => auditEntry(db.sql, seq)?.hash ?? null,
    noted: writtenUpTo(db.sql, ANCHOR) > 0,
  })
  if (doubt)
    audit.append({
      actor: 'app',
      action: 'record.doubted',
      sessionId: null,
      target: 'audit',
      data: { ...doubt },
    })
}

/** What to say of a record that does not verify; null: it does. */
export function verdictNotice({ firstBad, fault, remarks = [] }: AuditVerdict): string | null {
  if (firstBad === null) return remarks.length > 0 ? `${remarks.join(' ')} Look at Audit.` : null
  if (fault === 'output')
    return `The kept output of a script was changed outside of Satchel: entry ${firstBad.toLocaleString('en-US')} says so. Look at Audit.`
  return `The record of what happened was changed outside of Satchel: entry ${firstBad.toLocaleString('en-US')} doesn't match. Entries after it can't be trusted. Look at Audit.`
}

/** One batch; true: there are more. The app goes on whatever happens here: the rows are the truth. */
function guarded({ db, dataDir, writeTo, log }: KeeperDeps, tell: (message: string | null) => void): boolean {
  let more = false
  try {
    const path = writeTo()
    if (path !== null) more = writeThrough(db, path)
    tell(null)
  } catch (error) {
    const { message } = toWire(error)
    log.warn('the audit file could not be written', { reason: message })
    tell(message)
  }
  try {
    const head = auditHead(db.sql)
    if (head && !more) noteEnd(db, dataDir, head)
  } catch (error) {
    log.warn('the end of the record could not be noted', { reason: String(error) })
  }
  return more
}

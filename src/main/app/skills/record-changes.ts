import type { Audit } from '../../audit/audit'
import type { Db } from '../../db/open'
import { forgetSeen, isFirstLook, listSeen, noteSeen } from '../../db/skill-seen-rows'
import type { SeenSkill } from '../../db/skill-seen-rows'
import type { Log } from '../../lib/log'
import type { SkillRecord } from '../../skills/record'
import type { Registry } from '../../skills/registry/registry'

export interface SkillRecordDeps {
  db: Db
  audit: Audit
  /** Every copy on disk, once each was seen. */
  all(): readonly SkillRecord[]
  /** Folders that Satchel itself changed since the last look: that is on record already. */
  takeOwn?(): ReadonlySet<string>
}

export interface FollowSkillsDeps {
  db: Db
  audit: Audit
  registry: Pick<Registry, 'all' | 'listed'>
  log: Log
  /** Only one of the programs on the data looks. */
  on: boolean
  takeOwn(): ReadonlySet<string>
  /** Earlier contents of skills: what came or changed is kept, and what is too old or too much is given up. */
  versions: { keep(record: SkillRecord): Promise<unknown>; prune(): Promise<void> }
}

/** After the last change of a burst. */
const SOON_MS = 1500

/** Looks once the disk is quiet, after every change that the registry tells. */
export function followSkills(deps: FollowSkillsDeps): { soon(): void } {
  const { db, audit, registry, log, on, takeOwn, versions } = deps
  let timer: NodeJS.Timeout | undefined
  let isPruned = false
  const look = async (): Promise<void> => {
    await registry.listed()
    if (!db.sql.open) return
    for (const record of recordSkills({ db, audit, all: registry.all, takeOwn }).slice(0, MAX_KEPT)) {
      if (db.sql.open) await versions.keep(record)
    }
    if (isPruned || !db.sql.open) return
    isPruned = true
    await versions.prune()
  }
  return {
    soon() {
      if (!on) return
      clearTimeout(timer)
      timer = setTimeout(() => {
        look().catch((error: unknown) => log.error('changes of skills could not be put on record', error))
      }, SOON_MS).unref()
    },
  }
}

/** Skills whose contents one look keeps: of more at once, such as by a checkout, their pages and loads keep them. */
const MAX_KEPT = 20
/** Entries of one look; of more, only how many there were. */
const MAX_ENTRIES = 200

/**
 * Puts on record which skills came, changed, moved or went on disk since the last look, also while Satchel did not run.
 * The very first look only notes what is there. Gives what came or changed since the look before.
 */
export function recordSkills({ db, audit, all, takeOwn }: SkillRecordDeps): SkillRecord[] {
  const records = all()
  const now = new Map(records.map((record) => [record.key, seenOf(record)]))
  const before = listSeen(db.sql)
  const came = [...now.values()].filter(({ key }) => !before.has(key))
  const went = [...before.values()].filter(({ key }) => !now.has(key))
  const changed = [...now.values()].filter(({ key, stamp }) => (before.get(key)?.stamp ?? stamp) !== stamp)
  const own = takeOwn?.() ?? new Set<string>()
  if (came.length + went.length + changed.length === 0) return []
  const moved = movedOf(came, went)
  const isFirst = isFirstLook(db.sql)
  const events: Entry[] = [
    ...came.filter(({ key }) => !moved.has(key)).map((skill): Entry => ['skill.installed', skill]),
    ...changed.map((skill): Entry => ['skill.edited', skill]),
    ...came.flatMap((skill): Entry[] => {
      const from = moved.get(skill.key)
      return from ? [['skill.moved', skill, { from: from.key }]] : []
    }),
    ...went
      .filter((skill) => ![...moved.values()].includes(skill))
      .map((skill): Entry => ['skill.deleted', skill]),
  ]
  db.durable(() => {
    for (const skill of [...came, ...changed]) noteSeen(db.sql, skill)
    for (const { key } of went) forgetSeen(db.sql, key)
    if (!isFirst) note(audit, withoutOwn(events, own))
  })
  const fresh = new Set(isFirst ? [] : [...came, ...changed].map(({ key }) => key))
  return records.filter(({ key }) => fresh.has(key))
}

type Entry = [
  action: 'skill.installed' | 'skill.edited' | 'skill.moved' | 'skill.deleted',
  skill: SeenSkill,
  more?: Record<string, unknown>,
]

function withoutOwn(events: readonly Entry[], own: ReadonlySet<string>): Entry[] {
  return events.filter(([, { key }]) => !own.has(key.slice(key.indexOf(':') + 1)))
}

function note(audit: Audit, events: readonly Entry[]): void {
  for (const [action, { key, name, stamp }, more] of events.slice(0, MAX_ENTRIES)) {
    const data = { key, stamp, ...more }
    audit.append({ actor: 'app', action, sessionId: null, target: name, data })
  }
  const rest = events.slice(MAX_ENTRIES)
  const [first] = rest
  if (!first) return
  const data = { more: rest.length, names: rest.slice(0, 100).map(([, { name }]) => name) }
  audit.append({
    actor: 'app',
    action: first[0],
    sessionId: null,
    target: `${rest.length} more skills`,
    data,
  })
}

function seenOf({ key, name, stamp }: SkillRecord): SeenSkill {
  return { key, name, stamp }
}

/** One that went and one of the same name that came: by the key of the latter. */
function movedOf(came: readonly SeenSkill[], went: readonly SeenSkill[]): Map<string, SeenSkill> {
  const moved = new Map<string, SeenSkill>()
  for (const skill of came) {
    const from = went.find(({ name }) => name === skill.name)
    if (from && ![...moved.values()].includes(from)) moved.set(skill.key, from)
  }
  return moved
}

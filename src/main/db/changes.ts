import type { Connection } from './open'

/** Changes by others are noticed within this time, well under the second that is promised (issue 3). */
const LOOK_MS = 500
/** Runs that began lately; an older one that ends meanwhile is among the running ones. */
const LATEST_RUNS = 50
/** Differs from every mark. */
const UNKNOWN = '?'

/** What may have changed, each as a text that differs when the rows do. */
export interface Marks {
  sessions: string
  projects: string
  /** Settings and providers. */
  settings: string
  /** Skills turned off, copies chosen. */
  choices: string
  /** The end of the record. */
  audit: string
  /** By chat: the requests that wait in it. */
  requests: Map<string, string>
  /** By run: its state. */
  runs: Map<string, string>
}

export interface Changes {
  /** Looks until the returned function is called; the first look is at once. Several may look: the work is done once. */
  follow(): () => void
  /**
   * This program changed rows of that kind and told so. What others write until the next look counts as a change
   * then, also when it takes this one back.
   */
  doubt(kind: keyof Marks, id?: string): void
}

export interface ChangesDeps {
  sql: Connection
  /** Another connection changed rows. */
  onChange(before: Marks, after: Marks): void
  /** At every look, changed or not. */
  onLook(): void
  /** Milliseconds; tests look more often. */
  everyMs?: number
}

/** Notices what other programs on the same data write. An unchanged look costs microseconds. */
export function createChanges(deps: ChangesDeps): Changes {
  const version = () => deps.sql.pragma('data_version', { simple: true }) as number
  const state = { version: version(), marks: readMarks(deps.sql), isInDoubt: false, followers: 0 }
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    // A page that is still open follows while the data closes.
    if (!deps.sql.open) {
      clearInterval(timer)
      return
    }
    const now = version()
    if (now !== state.version) {
      const before = state.marks
      Object.assign(state, { version: now, marks: readMarks(deps.sql), isInDoubt: false })
      deps.onChange(before, state.marks)
    } else if (state.isInDoubt) {
      // Nobody else wrote, so this is what this program told.
      Object.assign(state, { marks: readMarks(deps.sql), isInDoubt: false })
    }
    deps.onLook()
  }
  return {
    doubt(kind, id = '') {
      state.isInDoubt = true
      const mark = state.marks[kind]
      if (typeof mark !== 'string') mark.set(id, UNKNOWN)
      else Object.assign(state.marks, { [kind]: UNKNOWN })
    },
    follow() {
      state.followers += 1
      if (state.followers === 1) {
        timer = setInterval(look, deps.everyMs ?? LOOK_MS).unref()
        look()
      }
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        state.followers -= 1
        if (state.followers === 0) clearInterval(timer)
      }
    },
  }
}

/** The keys whose text differs, gone ones included. */
export function changedKeys(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const keys = new Set([...before.keys(), ...after.keys()])
  return [...keys].filter((key) => before.get(key) !== after.get(key))
}

export function readMarks(sql: Connection): Marks {
  return {
    sessions: text(
      sql,
      `SELECT id, updated_at, state, model, title, length(active_skills),
         (SELECT owner FROM chat_owners WHERE session_id = id) FROM sessions ORDER BY id`,
    ),
    projects: text(sql, 'SELECT * FROM projects ORDER BY dir'),
    settings:
      text(sql, `SELECT * FROM settings WHERE key = 'settings'`) +
      text(
        sql,
        'SELECT id, label, base_url, models, key_source, key_env, key_last4 FROM providers ORDER BY id',
      ),
    choices:
      text(sql, 'SELECT * FROM skill_switches ORDER BY 1, 2, 3') +
      text(sql, 'SELECT * FROM skill_pins ORDER BY 1, 2'),
    audit: text(sql, 'SELECT seq FROM audit_head'),
    requests: map(
      sql,
      `SELECT session_id, group_concat(id || ' ' || revision) FROM requests WHERE status = 'pending'
       GROUP BY session_id`,
    ),
    runs: map(
      sql,
      `SELECT id, status FROM runs WHERE status = 'running'
         OR rowid > (SELECT coalesce(max(rowid), 0) FROM runs) - ${LATEST_RUNS}`,
    ),
  }
}

/** The rows of one chat, by id, each with a text that differs when the row does; the chat itself is one of them. */
export function chatStamps(sql: Connection, sessionId: string): ReadonlyMap<string, string> {
  const rows = sql
    .prepare(
      `SELECT id, state || ' ' || updated_at || ' ' || model || ' ' || active_skills || ' ' || title
         || ' ' || coalesce(leaf_id, '')
         FROM sessions WHERE id = @sessionId
       UNION ALL SELECT id, status || ' ' || seq || ' ' || octet_length(parts) FROM messages WHERE session_id = @sessionId
       UNION ALL SELECT id, state || ' ' || coalesce(request_id, '') || ' ' || coalesce(run_id, '') || ' '
         || coalesce(octet_length(envelope), 0) FROM calls WHERE session_id = @sessionId`,
    )
    .raw()
    .all({ sessionId })
  return new Map(rows as [string, string][])
}

function text(sql: Connection, query: string): string {
  return JSON.stringify(sql.prepare(query).raw().all())
}

function map(sql: Connection, query: string): Map<string, string> {
  return new Map(sql.prepare(query).raw().all() as [string, string][])
}

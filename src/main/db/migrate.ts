import type { Database } from 'better-sqlite3'
import { faultPoint } from '../lib/fault-point'
import init from './migrations/001-init.sql?raw'
import skillChoices from './migrations/002-skill-choices.sql?raw'
import chatOwners from './migrations/003-chat-owners.sql?raw'
import files from './migrations/005-files.sql?raw'
import branches from './migrations/006-branches.sql?raw'
import modelCalls from './migrations/007-model-calls.sql?raw'
import agents from './migrations/004-agents.sql?raw'
import forks from './migrations/008-forks.sql?raw'
import agentModels from './migrations/014-agent-models.sql?raw'
import undo from './migrations/010-undo.sql?raw'
import secrets from './migrations/015-secrets.sql?raw'
import auditColumns from './migrations/011-audit.sql?raw'
import skillsSeen from './migrations/016-skills-seen.sql?raw'
import editing from './migrations/020-editing.sql?raw'
import rules from './migrations/009-rules.sql?raw'
import skillPage from './migrations/021-skill-page.sql?raw'
import hostGrants from './migrations/017-host-grants.sql?raw'
import editedCalls from './migrations/018-edited-calls.sql?raw'
import trials from './migrations/025-trials.sql?raw'
import environments from './migrations/024-environments.sql?raw'
import agentsSeen from './migrations/029-agents-seen.sql?raw'
import spent from './migrations/030-spent.sql?raw'
import { newerData } from './version'

/** In order; a shipped one is never edited. The index + 1 is the `user_version` after it. */
const MIGRATIONS: readonly string[] = [
  init,
  skillChoices,
  chatOwners,
  branches,
  modelCalls,
  agents,
  files,
  forks,
  agentModels,
  undo,
  secrets,
  auditColumns,
  skillsSeen,
  rules,
  editing,
  editedCalls,
  skillPage,
  hostGrants,
  trials,
  environments,
  agentsSeen,
  spent,
]

/** The `user_version` that this Satchel writes; data of a higher one is refused. */
export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * Brings the schema up to date, each step in one transaction, after a backup copy of an older database. Another
 * program may do the same at the same time: each step is done by the one that comes first.
 */
export function migrate(sql: Database, file: string): void {
  const version = versionOf(sql)
  if (version > SCHEMA_VERSION) throw newerData()
  if (version === SCHEMA_VERSION) return
  if (version > 0)
    sql.prepare('VACUUM INTO ?').run(`${file}.before-${SCHEMA_VERSION}-${Date.now()}-${process.pid}`)
  for (const [index, step] of MIGRATIONS.entries()) {
    sql
      .transaction(() => {
        if (versionOf(sql) > index) return
        sql.exec(step)
        sql.pragma(`user_version = ${index + 1}`)
        faultPoint('migration.before-commit')
      })
      .immediate()
    faultPoint('migration.after-commit')
  }
}

function versionOf(sql: Database): number {
  return sql.pragma('user_version', { simple: true }) as number
}

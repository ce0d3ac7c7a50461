import type { AgentFile } from '../../agents/folders'
import type { Audit, NewAuditEvent } from '../../audit/audit'
import { forgetSeenAgent, listSeenAgents, noteSeenAgents, type SeenAgent } from '../../db/agent-seen-rows'
import type { Db } from '../../db/open'

export interface AgentRecordDeps {
  db: Db
  audit: Audit
}

/** Files of agents, as many as a look finds. */
type Found = Pick<AgentFile, 'path' | 'digest'> & { agent: Pick<AgentFile['agent'], 'name'> }

/** Entries of one look; of more, only how many there were. */
const MAX_ENTRIES = 200

/**
 * Puts on record which files of agents came, changed or went since the last look, also while Satchel did not run, with
 * the digests before and after. The very first look only notes what is there.
 */
export function recordAgents({ db, audit }: AgentRecordDeps, files: readonly Found[]): void {
  const now = new Map(files.map((file) => [file.path, seenOf(file)]))
  const known = listSeenAgents(db.sql)
  const before = known ?? new Map<string, SeenAgent>()
  const fresh = [...now.values()].filter(({ path, digest }) => before.get(path)?.digest !== digest)
  const gone = [...before.values()].filter(({ path }) => !now.has(path))
  if (known !== null && fresh.length + gone.length === 0) return
  const events = [
    ...fresh.map((agent) => freshEntry(agent, before.get(agent.path))),
    ...gone.map(({ name, path, digest }) => entry('agent.removed', name, { path, before: digest })),
  ]
  db.durable(() => {
    noteSeenAgents(db.sql, fresh)
    for (const { path } of gone) forgetSeenAgent(db.sql, path)
    if (known !== null) append(audit, events)
  })
}

function append(audit: Audit, events: readonly NewAuditEvent[]): void {
  for (const event of events.slice(0, MAX_ENTRIES)) audit.append(event)
  const rest = events.slice(MAX_ENTRIES)
  const [first] = rest
  if (first) audit.append({ ...first, target: `${rest.length} more agents`, data: { more: rest.length } })
}

function freshEntry({ name, path, digest }: SeenAgent, before: SeenAgent | undefined): NewAuditEvent {
  if (!before) return entry('agent.added', name, { path, digest })
  return entry('agent.edited', name, { path, digest, before: before.digest })
}

function entry(
  action: 'agent.added' | 'agent.edited' | 'agent.removed',
  target: string,
  data: NewAuditEvent['data'],
): NewAuditEvent {
  return { actor: 'app', action, sessionId: null, target, data }
}

function seenOf({ agent, path, digest }: Found): SeenAgent {
  return { path, name: agent.name, digest }
}

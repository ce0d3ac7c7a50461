import type { Connection } from './open'

/** The file of an agent as it was when the disk was last looked at. */
export interface SeenAgent {
  path: string
  name: string
  digest: string
}

/** By path; null: nobody looked yet. */
export function listSeenAgents(sql: Connection): Map<string, SeenAgent> | null {
  const rows = sql.prepare('SELECT path, name, digest FROM agents_seen').all() as SeenAgent[]
  if (!rows.some(({ path }) => path === LOOKED)) return null
  return new Map(rows.filter(({ path }) => path !== LOOKED).map((row) => [row.path, row]))
}

/** Also notes that a look was taken, for a disk with no agents at all. */
export function noteSeenAgents(sql: Connection, agents: readonly SeenAgent[]): void {
  const note = sql.prepare(
    `INSERT INTO agents_seen (path, name, digest) VALUES (@path, @name, @digest)
     ON CONFLICT (path) DO UPDATE SET name = @name, digest = @digest`,
  )
  for (const agent of [{ path: LOOKED, name: '', digest: '' }, ...agents]) note.run(agent)
}

export function forgetSeenAgent(sql: Connection, path: string): void {
  sql.prepare('DELETE FROM agents_seen WHERE path = ?').run(path)
}

const LOOKED = ''

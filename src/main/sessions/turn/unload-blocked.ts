import { getSession, updateSession } from '../../db/session-rows'
import type { SessionDeps } from '../deps'

/** Takes skills out of the chat that the organisation blocked since they were loaded (`security.md` 4.2). */
export function unloadBlocked(deps: SessionDeps, sessionId: string): void {
  const session = getSession(deps.db.sql, sessionId)
  if (!session) return
  const blocked = session.activeSkills.flatMap((skill) => {
    const why = deps.whyBlocked(skill, skill.digest)
    return why === null ? [] : [{ skill, why }]
  })
  if (blocked.length === 0) return
  const keys = new Set(blocked.map(({ skill }) => skill.key))
  deps.db.durable(() => {
    updateSession(deps.db.sql, sessionId, {
      activeSkills: session.activeSkills.filter(({ key }) => !keys.has(key)),
    })
    for (const { skill, why } of blocked) {
      const data = { key: skill.key, digest: skill.digest, why }
      deps.audit.append({ actor: 'app', action: 'skill.unloaded', sessionId, target: skill.name, data })
    }
  })
  for (const { skill, why } of blocked) {
    const message = `The skill "${skill.name}" was unloaded from the chat "${session.title}". ${why}`
    deps.emit({ t: 'notice', level: 'warning', message })
  }
  deps.emit({ t: 'sessions.changed' })
}

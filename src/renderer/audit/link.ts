import type { AuditFilter } from '@shared/domain/audit'

/** The address of the list with these filters, or of one entry (`ux.md` 2.4). */
export function auditLink(filter: AuditFilter, entry?: number): string {
  const query = new URLSearchParams()
  if (entry !== undefined) query.set('entry', String(entry))
  for (const [key, value] of Object.entries(filter)) {
    if (value !== undefined) query.set(key, Array.isArray(value) ? value.join(',') : String(value))
  }
  const text = query.toString()
  return `satchel://open/audit${text && `?${text}`}`
}

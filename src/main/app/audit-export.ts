import type { AuditFilter, AuditFormat } from '@shared/domain/audit'
import { AppError, isNoSpace } from '@shared/errors'
import type { Audit } from '../audit/audit'
import type { Desktop } from './deps'
import type { WorkerClient } from '../search/worker-client'

export interface ExportDeps {
  audit: Audit
  desktop: Pick<Desktop, 'pickNewFile'>
  worker: Pick<WorkerClient, 'call'>
  now(): number
}

/** Saves a part of the record where the person wants it; that it was saved is on record too. */
export async function exportRecord(
  { audit, desktop, worker, now }: ExportDeps,
  query: { filter: AuditFilter; upTo: number; format: AuditFormat },
): Promise<{ path: string | null; rows: number | null }> {
  const day = new Date(now()).toISOString().slice(0, 10)
  const path = await desktop.pickNewFile(`satchel-audit-${day}.${query.format}`)
  if (path === null) return { path: null, rows: null }
  const { rows } = await worker.call('audit.export', { ...query, path }).catch((error: unknown) => {
    throw unsaved(error)
  })
  const data = { path, rows, format: query.format, filter: query.filter, upTo: query.upTo }
  audit.append({ actor: 'person', action: 'export.made', sessionId: null, target: 'audit', data })
  return { path, rows }
}

function unsaved(error: unknown): unknown {
  if (error instanceof AppError && error.code !== 'internal') return error
  if (isNoSpace(error)) return error
  return new AppError('bad_input', "The file can't be saved there. Choose another folder. Nothing was saved.")
}

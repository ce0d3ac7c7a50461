import { resolve } from 'node:path'
import type { AuditFilter, AuditFormat } from '@shared/domain/audit'
import { AppError } from '@shared/errors'
import { exported, exportTo } from '../../main/audit/export'
import { headOf } from '../../main/db/audit-query'
import { openDb } from '../../main/db/open'
import { auditFilter, withAudit } from '../here/audit'
import type { AuditHere } from '../here/audit'
import { wrongUse } from '../grammar/command'
import type { Given, Outcome } from '../grammar/command'
import { counted } from '../terminal/output'
import { recordHere } from '../here/record'
import type { World } from '../world'

interface Wanted {
  filter: AuditFilter
  format: AuditFormat
  upTo: number
}

/** `satchel audit export`: what fits, oldest first, to the terminal or a file; that it was made is on record. */
export async function run(given: Given, world: World): Promise<Outcome> {
  const out = given.values.get('out')
  if (out === undefined && given.flags.has('json')) {
    throw wrongUse('--json needs --out here.', 'satchel audit export --out audit.jsonl --json')
  }
  const filter = auditFilter(given, world.now())
  const format = (given.values.get('format') ?? 'jsonl') as AuditFormat
  return withAudit(world, async (here) => {
    const wanted = { filter, format, upTo: headOf(here.sql) }
    const path = out === undefined ? null : resolve(world.cwd, out)
    const rows = path === null ? print(here, wanted, world) : await save(here, wanted, path)
    note(here, world, { ...wanted, path, rows })
    return {
      result: { path, rows, format },
      text: () => ({
        out: '',
        err: `${counted(rows, 'entry', 'entries')} ${path === null ? 'written' : `saved in ${path}`}.`,
      }),
    }
  })
}

function print({ sql }: AuditHere, wanted: Wanted, { stdout }: World): number {
  let rows = 0
  for (const part of exported(sql, wanted)) {
    stdout.write(part.text)
    rows += part.rows
  }
  return rows
}

async function save({ sql }: AuditHere, wanted: Wanted, path: string): Promise<number> {
  try {
    return await exportTo(path, exported(sql, wanted), async () => undefined)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new AppError('bad_input', `The file can't be written (${code ?? String(error)}): ${path}`)
  }
}

function note({ file }: AuditHere, { now }: World, data: Record<string, unknown>): void {
  const db = openDb(file)
  try {
    const audit = recordHere(db, now)
    audit.append({ actor: 'person', action: 'export.made', sessionId: null, target: 'audit', data })
  } finally {
    db.close()
  }
}

import { join } from 'node:path'
import type { ArrangeKind } from '@shared/domain/arranging'
import type { AuditAction } from '@shared/domain/audit'
import type { Audit } from '../../audit/audit'
import type { Operation } from '../../arranging/journal'

const ACTIONS: Record<ArrangeKind, AuditAction> = {
  create: 'skill.created',
  duplicate: 'skill.copied',
  rename: 'skill.renamed',
  copy: 'skill.copied',
  move: 'skill.moved',
  delete: 'skill.deleted',
  restore: 'skill.restored',
}

/** Puts an operation on record: who did what to which skill, with its digests before and after. */
export function recordOperation(audit: Audit, operation: Operation): void {
  const { id, was, name, put, take, before, after, undoes } = operation
  const to = put && join(put.parent, put.name)
  const from = take?.path ?? null
  const data = { operation: id, was, from, to, before, after, undoes, trashId: take?.trashId ?? null }
  audit.append({ actor: 'person', action: actionOf(operation), sessionId: null, target: name, data })
}

/** Undoing a delete brings the skill back; undoing what made one takes it away. */
function actionOf({ kind, put, undoes }: Operation): AuditAction {
  if (undoes === null || kind === 'move' || kind === 'rename') return ACTIONS[kind]
  return put ? 'skill.restored' : 'skill.deleted'
}

/** Folders of skills that operations changed: what Satchel did itself is no news from the disk. */
export interface OwnChanges {
  add(operation: Operation): void
  /** All since the last time. */
  take(): ReadonlySet<string>
}

export function createOwnChanges(): OwnChanges {
  let folders = new Set<string>()
  return {
    add({ put, take }) {
      if (put) folders.add(join(put.parent, put.name))
      if (take) folders.add(take.path)
    },
    take() {
      const taken = folders
      folders = new Set()
      return taken
    },
  }
}

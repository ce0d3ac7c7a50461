import { canonicalJson } from '@shared/canonical-json'
import type { RequestPlan } from '@shared/domain/approval'
import { sha256 } from './hash'

/** Identity of a plan: sha256 over the canonical JSON of every field that is executed (AP-2). */
export function planHash(plan: RequestPlan): string {
  return sha256(canonicalJson(plan))
}

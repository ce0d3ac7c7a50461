import { canonicalJson } from '@shared/canonical-json'
import type { RunPlan } from '@shared/domain/approval'
import { sha256 } from './hash'

/** Identity of a plan: sha256 over the canonical JSON of every field that is executed (AP-2). */
export function planHash(plan: RunPlan): string {
  return sha256(canonicalJson(plan))
}

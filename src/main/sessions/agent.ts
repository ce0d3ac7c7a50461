import type { ModelRef } from '@shared/domain/settings'
import { PRACTICE_MODEL } from '@shared/domain/settings'

/** Until agents have files of their own there is one, named after what it is. */
export function agentName(model: ModelRef): string {
  return model === PRACTICE_MODEL ? 'Practice agent' : 'General'
}

import type { ModelRef, Settings } from '@shared/domain/settings'
import { PRACTICE_MODEL } from '@shared/domain/settings'
import { GENERAL_ROLE } from './prompt'
import type { DisclosureStyle } from '@shared/domain/settings'

/** What a chat's agent gives to every model call (`runtime.md` 5). */
export interface Agent {
  name: string
  /** The body of its file. */
  role: string
  /** `instructions:` of its file, sent last; empty: none. */
  overrides: string
  style: DisclosureStyle
  /** Names of skills that are in its catalogue before all others. */
  alwaysOn: readonly string[]
}

/** Until agents have files of their own there is one, named after what it is. */
export function agentName(model: ModelRef): string {
  return model === PRACTICE_MODEL ? 'Practice agent' : 'General'
}

/** The agent that is always there. Its style is the one of the settings. */
export function generalAgent(settings: Settings): Agent {
  return {
    name: 'general',
    role: GENERAL_ROLE,
    overrides: '',
    style: settings.defaultStyle,
    alwaysOn: [],
  }
}

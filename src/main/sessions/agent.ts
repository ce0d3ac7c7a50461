import type { ModelRef, Settings } from '@shared/domain/settings'
import { PRACTICE_MODEL } from '@shared/domain/settings'
import { GENERAL_ROLE } from './prompt'
import { StyleId } from './styles/style'

/** What a chat's agent gives to every model call (`runtime.md` 5). */
export interface Agent {
  name: string
  /** The body of its file. */
  role: string
  /** `instructions:` of its file, sent last; empty: none. */
  overrides: string
  style: StyleId
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
    style: settingsOf(settings).style,
    alwaysOn: [],
  }
}

/** Settings of this part, with what holds where they are not set (`runtime.md` 1: 50 entries, 2 % of the window). */
export function settingsOf(settings: Settings): { style: StyleId; maxEntries: number; share: number } {
  const given: Record<string, unknown> = settings
  const style = StyleId.safeParse(given['defaultStyle'])
  return {
    style: style.success ? style.data : 'runtime',
    maxEntries: numberOr(given['catalogueMax'], 50),
    share: numberOr(given['catalogueShare'], 0.02),
  }
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : otherwise
}

import type { SkillStatus } from '@shared/domain/skill'
import { SCOPE_NAMES } from '@shared/scope-names'
import type { SkillEntry } from '../../main/skills/record'
import type { Paint } from './output'

const STATUS_NAMES: Readonly<Record<SkillStatus, readonly [string, Paint]>> = {
  effective: ['effective', 'good'],
  shadowed: ['shadowed', 'quiet'],
  off: ['off', 'quiet'],
  unavailable: ['not available', 'warn'],
  broken: ["won't load", 'bad'],
  'not-trusted': ['not trusted', 'warn'],
}

/** Status as a word, and the colour that goes with it. */
export function statusWord({ status }: Pick<SkillEntry, 'status'>): { text: string; paint: Paint } {
  const [text, paint] = STATUS_NAMES[status]
  return { text, paint }
}

/** "Shared (Claude Code)", "Plugin (reports)". */
export function scopeWord({ scope, root }: SkillEntry['record']): string {
  const owner = root.plugin?.name ?? root.tool?.name
  return owner === undefined ? SCOPE_NAMES[scope] : `${SCOPE_NAMES[scope]} (${owner})`
}

import { SettingsChange } from '@shared/domain/settings'
import type { Settings } from '@shared/domain/settings'
import type { Policy } from './policy-file'

/**
 * Settings that the policy decides, by the names that it uses: `approvals.armDelayMs`, `skills.personalOverProject`. A
 * name that is no setting, or a value that does not fit, locks nothing.
 */
export function lockedSettings(policy: Pick<Policy, 'locked'> | null): Partial<Settings> {
  const locked: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(policy?.locked ?? {})) {
    const key = name.split('.').at(-1) ?? name
    if (key === 'personalOverProject' && typeof value === 'boolean') locked['projectOverPersonal'] = !value
    else if (SettingsChange.safeParse({ [key]: value }).success) locked[key] = value
  }
  return SettingsChange.parse(locked) as Partial<Settings>
}

import { SettingsChange } from '@shared/domain/settings'
import type { Settings } from '@shared/domain/settings'
import { didYouMean, foldKey } from './policy-spelling'

/** What a policy locks, as it stands in the file. */
interface Locked {
  locked?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Settings that the policy decides, by the names that it uses: `approvals.armDelayMs`, `skills.personalOverProject`.
 * What is no setting is left out.
 */
export function lockedSettings(policy: Locked | null): Partial<Settings> {
  const locked = Object.entries(policy?.locked ?? {}).flatMap(([name, value]) => {
    const change = changeOf(name, value)
    return change ? Object.entries(change) : []
  })
  return SettingsChange.parse(Object.fromEntries(locked)) as Partial<Settings>
}

/** Why a name or its value locks nothing, in sentences; null: it does. */
export function whyNotLocked(name: string, value: unknown): string | null {
  if (changeOf(name, value) || isDefaultMode(name, value)) return null
  const key = lastOf(name)
  return SETTINGS.has(foldKey(key)) || key === DEFAULT_MODE
    ? 'This value does not fit the setting.'
    : `There is no setting of this name.${didYouMean(key, [...SETTINGS.values()])}`
}

/** By their folded names; the order of Personal and Project has its own in a policy. */
const SETTINGS = new Map(
  [...Object.keys(SettingsChange.shape), 'personalOverProject'].map((key) => [foldKey(key), key]),
)

/** The mode of chats is their agent's, and to ask is the least that any mode does: that needs no lock. */
const DEFAULT_MODE = 'defaultMode'

export function isDefaultMode(name: string, value: unknown): boolean {
  return lastOf(name) === DEFAULT_MODE && value === 'ask'
}

function changeOf(name: string, value: unknown): SettingsChange | null {
  const key = SETTINGS.get(foldKey(lastOf(name)))
  if (key === undefined) return null
  if (key === 'personalOverProject')
    return typeof value === 'boolean' ? { projectOverPersonal: !value } : null
  const change = SettingsChange.safeParse({ [key]: value })
  return change.success ? change.data : null
}

function lastOf(name: string): string {
  return name.split('.').at(-1) ?? name
}

import { z } from 'zod'
import { Settings, WindowPlace, WindowState } from '@shared/domain/settings'
import type { SettingsChange } from '@shared/domain/settings'
import { AppError } from '@shared/errors'
import { lockedSettings } from '../policy/locked'
import type { Policy } from '../policy/policy-file'
import { organisationOf } from '../policy/skill-policy'
import type { Audit } from '../audit/audit'
import type { Db } from '../db/open'
import { readJson } from '../db/json-column'
import { readSetting, settingText, writeSetting } from '../db/setting-rows'
import { faultPoint } from '../lib/fault-point'
import { oncePerWork } from '../lib/once-per-work'

export interface SettingsStore {
  get(): Settings
  /** Changes of what affects safety are on record. */
  set(change: SettingsChange): Settings
  windowState: { get(): WindowState | null; set(state: WindowState): void }
  place: { get(): WindowPlace | null; set(place: WindowPlace): void }
}

const SAFETY: readonly (keyof Settings)[] = [
  'projectOverPersonal',
  'armDelayMs',
  'runTimeoutMs',
  'sandboxProfile',
  'runMemoryMb',
  'runProcesses',
  'interpreters',
  'mcpOff',
  'auditFile',
]

export interface SettingsDeps {
  db: Db
  audit: Audit
  /** What the organisation decides; left out: nothing. */
  policy?: () => Policy | null
}

export function createSettings(deps: SettingsDeps): SettingsStore {
  const { db, audit } = deps
  let known: { text: string | null; settings: Settings } | null = null
  // Asked for many times in each step of a chat: read by their schemas only when what is stored differs.
  const kept = oncePerWork(() => {
    const text = settingText(db.sql, 'settings')
    if (known?.text !== text || !known) known = { text, settings: readable(readJson(Stored, text, {})) }
    return known.settings
  })
  const own = kept.get
  let shown: { settings: Settings; policy: Policy | null; all: Settings } | null = null
  // With what the organisation decides in place of the person's own choice, which is kept.
  const get = () => {
    const policy = deps.policy?.() ?? null
    const settings = own()
    if (shown?.settings !== settings || shown.policy !== policy) {
      shown = { settings, policy, all: { ...settings, ...lockedSettings(policy) } }
    }
    return shown.all
  }
  return {
    get,
    set(change) {
      refuseLocked(deps.policy?.() ?? null, change)
      kept.forget()
      const before = own()
      const after = Settings.parse({ ...before, ...definedOnly(change) })
      const safety = SAFETY.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
      const rows = () => {
        faultPoint('settings.before-save')
        writeSetting(db.sql, 'settings', after)
        for (const key of safety) {
          audit.append({
            actor: 'person',
            action: 'settings.changed',
            sessionId: null,
            target: key,
            data: { before: before[key], after: after[key] },
          })
        }
      }
      try {
        db.durable(rows)
      } finally {
        kept.forget()
      }
      return get()
    },
    windowState: {
      get: () => readSetting(db.sql, 'window', WindowState.nullable(), null),
      set: (state) => db.tx(() => writeSetting(db.sql, 'window', state)),
    },
    place: {
      get: () => readSetting(db.sql, 'place', WindowPlace.nullable(), null),
      set: (place) => db.tx(() => writeSetting(db.sql, 'place', place)),
    },
  }
}

function refuseLocked(policy: Policy | null, change: SettingsChange): void {
  const locked = Object.entries(lockedSettings(policy))
  const given = definedOnly(change)
  const refused = locked.find(
    ([key, value]) => key in given && JSON.stringify(given[key as keyof Settings]) !== JSON.stringify(value),
  )
  if (refused) throw new AppError('bad_input', `Set by ${organisationOf(policy)}. You can't change it here.`)
}

const Stored = z.record(z.string(), z.unknown())

/** Every value that can be read; a damaged one is the default and does not cost the others. */
function readable(stored: z.infer<typeof Stored>): Settings {
  const kept = Object.entries(Settings.shape).filter(([key, schema]) => schema.safeParse(stored[key]).success)
  return Settings.parse(Object.fromEntries(kept.map(([key]) => [key, stored[key]])))
}

function definedOnly(change: SettingsChange): Partial<Settings> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

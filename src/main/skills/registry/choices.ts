import { AppError } from '@shared/errors'
import { foldName } from '@shared/skill-md/skill-name'
import type { Audit } from '../../audit/audit'
import type { Db } from '../../db/open'
import {
  addSwitch,
  listPins,
  listSwitches,
  removePin,
  removeSwitch,
  setPin,
} from '../../db/skill-choice-rows'
import type { SwitchRow } from '../../db/skill-choice-rows'
import type { SkillEntry } from '../record'

/** Where a switch counts. */
export interface SwitchPlace {
  /** Null: everywhere. */
  projectDir: string | null
  /** Null: for every agent. */
  agent: string | null
}

/**
 * What a person decided about skills (F5, decision 1): turned off everywhere, in a project or for an agent; and which
 * copy a project uses. By name, so that no other copy takes the place of one that is off. Every change is on record.
 */
export interface Choices {
  /** Turning on takes back exactly what was turned off for this place. */
  switch(name: string, place: SwitchPlace, on: boolean): void
  /** The same for many names, in one transaction. */
  switchMany(names: readonly string[], place: SwitchPlace, on: boolean): void
  /** Uses the copy with this key in the project, whatever ranks higher; null takes the choice back. */
  pin(projectDir: string, name: string, key: string | null): void
  /** Why a name is off for this place, in one sentence; null: it is not. */
  offReason(projectDir: string | null, agent: string | null): (name: string) => string | null
  /** Key of the copy that was chosen for the project. */
  pinOf(projectDir: string | null): (name: string) => string | null
  /** Reads again what another program may have changed; calls `changed` when it did. */
  reload(): void
}

export interface ChoiceDeps {
  db: Db
  audit: Audit
  /** After every change, of this program and of others. */
  changed(): void
}

/** Reads the rows once, at the first question. */
export function createChoices(deps: ChoiceDeps): Choices {
  const state: State = { deps, known: null }
  return {
    switch: (name, place, on) => switchSkills(state, [{ ...rowPlace(place), name: foldName(name) }], on),
    switchMany(names, place, on) {
      const rows = names.map((name) => ({ ...rowPlace(place), name: foldName(name) }))
      switchSkills(state, rows, on)
    },
    pin: (projectDir, name, key) => pinCopy(state, { projectDir, name: foldName(name), key }),
    offReason: (projectDir, agent) => (name) =>
      offReason(known(state), name, rowPlace({ projectDir, agent })),
    pinOf: (projectDir) => (name) =>
      projectDir === null ? null : (known(state).pins.get(pinId(projectDir, foldName(name))) ?? null),
    reload: () => reload(state),
  }
}

/** Nobody turns off what the organisation gives, nor uses another copy (F5). Throws `bad_input` when that copy is the one in use. */
export function refuseEnterprise(copies: readonly SkillEntry[], organisation: string): void {
  const used = usedIn(copies)
  if (!used || !isManaged(copies)) return
  throw new AppError(
    'bad_input',
    `Managed by ${organisation}. Only its administrator can turn off "${used.name}", or let another copy be used.`,
  )
}

/** The copy in use is the organisation's. */
export function isManaged(copies: readonly SkillEntry[]): boolean {
  return usedIn(copies)?.scope === 'enterprise'
}

function usedIn(copies: readonly SkillEntry[]) {
  return copies.find(({ status }) => status === 'effective')?.record
}

interface State {
  deps: ChoiceDeps
  known: Known | null
}

interface Known {
  /** `switchId` of each. */
  off: ReadonlySet<string>
  pins: ReadonlyMap<string, string>
  /** Text that differs whenever a row does. */
  stamp: string
}

type RowPlace = Omit<SwitchRow, 'name'>

function switchSkills(state: State, rows: readonly SwitchRow[], on: boolean): void {
  const { db, audit } = state.deps
  known(state)
  db.durable(() => {
    const { off } = read(state)
    for (const row of rows) {
      if (off.has(switchId(row)) !== on) continue
      if (on) removeSwitch(db.sql, row)
      else addSwitch(db.sql, row)
      const data = { on, projectDir: row.projectDir || null, agent: row.agent || null }
      audit.append({ actor: 'person', action: 'skill.switched', sessionId: null, target: row.name, data })
    }
  })
  reload(state)
}

function pinCopy(state: State, pin: { projectDir: string; name: string; key: string | null }): void {
  const { db, audit } = state.deps
  const { projectDir, name, key } = pin
  known(state)
  db.durable(() => {
    const before = read(state).pins.get(pinId(projectDir, name)) ?? null
    if (before === key) return
    if (key === null) removePin(db.sql, { projectDir, name })
    else setPin(db.sql, { projectDir, name, key })
    const data = { projectDir, key, before }
    audit.append({ actor: 'person', action: 'skill.pinned', sessionId: null, target: name, data })
  })
  reload(state)
}

function offReason({ off }: Known, name: string, { projectDir, agent }: RowPlace): string | null {
  if (off.size === 0) return null
  const folded = foldName(name)
  const isOff = (place: RowPlace) => off.has(switchId({ ...place, name: folded }))
  const forAgent = `for the agent ${agent}`
  if (isOff({ projectDir: '', agent: '' })) return 'You turned it off everywhere.'
  if (projectDir !== '' && isOff({ projectDir, agent: '' })) return 'You turned it off in this project.'
  if (agent === '') return null
  if (isOff({ projectDir: '', agent })) return `You turned it off ${forAgent}.`
  return isOff({ projectDir, agent }) ? `You turned it off ${forAgent} in this project.` : null
}

function reload(state: State): void {
  const before = state.known
  state.known = read(state)
  if (before && before.stamp !== state.known.stamp) state.deps.changed()
}

function known(state: State): Known {
  state.known ??= read(state)
  return state.known
}

function read({ deps }: State): Known {
  const switches = listSwitches(deps.db.sql)
  const pins = listPins(deps.db.sql)
  return {
    off: new Set(switches.map(switchId)),
    pins: new Map(pins.map(({ projectDir, name, key }) => [pinId(projectDir, name), key])),
    stamp: JSON.stringify([switches, pins]),
  }
}

function rowPlace({ projectDir, agent }: SwitchPlace): RowPlace {
  return { projectDir: projectDir ?? '', agent: agent === null ? '' : foldName(agent) }
}

function switchId({ name, projectDir, agent }: SwitchRow): string {
  return JSON.stringify([name, projectDir, agent])
}

function pinId(projectDir: string, name: string): string {
  return JSON.stringify([projectDir, name])
}

import type { Connection } from './open'

/** A skill that a person turned off. `projectDir` and `agent` are '' for everywhere and for every agent. */
export interface SwitchRow {
  /** In the form in which names are compared. */
  name: string
  projectDir: string
  agent: string
}

/** The copy that a person chose for a project. */
export interface PinRow {
  projectDir: string
  /** In the form in which names are compared. */
  name: string
  key: string
}

export function listSwitches(sql: Connection): SwitchRow[] {
  return sql
    .prepare('SELECT name, project_dir AS projectDir, agent FROM skill_switches ORDER BY name')
    .all() as SwitchRow[]
}

export function addSwitch(sql: Connection, row: SwitchRow): void {
  sql
    .prepare(
      'INSERT OR IGNORE INTO skill_switches (name, project_dir, agent) VALUES (@name, @projectDir, @agent)',
    )
    .run(row)
}

export function removeSwitch(sql: Connection, row: SwitchRow): void {
  sql
    .prepare('DELETE FROM skill_switches WHERE name = @name AND project_dir = @projectDir AND agent = @agent')
    .run(row)
}

export function listPins(sql: Connection): PinRow[] {
  return sql
    .prepare('SELECT project_dir AS projectDir, name, key FROM skill_pins ORDER BY project_dir, name')
    .all() as PinRow[]
}

export function setPin(sql: Connection, row: PinRow): void {
  sql
    .prepare('INSERT OR REPLACE INTO skill_pins (project_dir, name, key) VALUES (@projectDir, @name, @key)')
    .run(row)
}

export function removePin(sql: Connection, { projectDir, name }: Omit<PinRow, 'key'>): void {
  sql.prepare('DELETE FROM skill_pins WHERE project_dir = ? AND name = ?').run(projectDir, name)
}

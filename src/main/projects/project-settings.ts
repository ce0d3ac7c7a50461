import { join } from 'node:path'
import { z } from 'zod'
import { readDataFile } from '../lib/data-file'

const word = z.string().trim().min(1).max(200).optional()

/** What a project may say of itself in `.satchel/settings.json`; it counts only once the project is trusted. */
export const ProjectSettings = z.object({ tenant: word, environment: word })
export type ProjectSettings = z.infer<typeof ProjectSettings>

const MAX_FILE = 64 * 1024

/** The settings of a project; what can't be read is left out, and `note` says why in one sentence. Never throws. */
export function readProjectSettings(projectDir: string): { settings: ProjectSettings; note: string | null } {
  const file = readDataFile(join(projectDir, '.satchel', 'settings.json'), MAX_FILE)
  if (file.state === 'missing') return { settings: {}, note: null }
  if (file.state === 'broken') return { settings: {}, note: `${file.reason} It is not used.` }
  const settings = ProjectSettings.safeParse(file.value)
  if (settings.success) return { settings: settings.data, note: null }
  return { settings: {}, note: '"tenant" and "environment" must be text. It is not used.' }
}

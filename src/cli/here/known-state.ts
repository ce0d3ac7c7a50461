import { join } from 'node:path'
import { AppError } from '@shared/errors'
import { Settings } from '@shared/domain/settings'
import type { Connection } from '../../main/db/open'
import type { ProjectRow } from '../../main/db/project-rows'
import { dataFolder, userDataFolder } from '../../main/lib/data-folder'
import type { Choices } from '../../main/skills/registry/choices'
import { kindOf } from './places'
import type { World } from '../world'

/** What the data folder tells about skills: trust, choices, settings. */
export interface KnownState {
  /** Null: there is none, so nothing is trusted and nothing was chosen. */
  dataDir: string | null
  projects: readonly Pick<ProjectRow, 'dir' | 'trusted'>[]
  settings: Settings
  choices: Pick<Choices, 'offReason' | 'pinOf'>
  /** The database, to look at; null: there is none. */
  sql: Connection | null
  /** Why the data could not be read; else empty. */
  note: string
  close(): void
}

const NOTHING: KnownState = {
  dataDir: null,
  projects: [],
  settings: Settings.parse({}),
  choices: { offReason: () => () => null, pinOf: () => () => null },
  sql: null,
  note: '',
  close() {},
}

const UNKNOWN = 'every project counts as not trusted and no choice of yours is known'

/**
 * Reads the data folder and writes nothing: neither a folder nor a file is made. Without one, or with a damaged one, the
 * answer is what a new Satchel would say. Throws `newer_data` and `bad_input` (SATCHEL_HOME is no absolute path).
 */
export async function readKnownState({ env, platform, homeDir }: World): Promise<KnownState> {
  const userData = userDataFolder({ platform, env, homeDir })
  const dataDir = dataFolder({ satchelHome: env['SATCHEL_HOME'], userData })
  const file = join(dataDir, 'satchel.db')
  const kind = kindOf(dataDir)
  if (kind === 'missing') return NOTHING
  if (kind === 'file') return { ...NOTHING, note: noFolder(dataDir) }
  if (kind === 'closed' || kindOf(file) === 'closed') return { ...NOTHING, note: closed(dataDir) }
  if (kindOf(file) === 'missing') return { ...NOTHING, dataDir }
  try {
    const { stateInData } = await import('./state-in-data')
    return { ...NOTHING, ...stateInData(file), dataDir }
  } catch (error) {
    if (error instanceof AppError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    return {
      ...NOTHING,
      dataDir,
      note: `The data in ${dataDir} could not be read (${reason}), so ${UNKNOWN}. Start Satchel once to have it repaired.`,
    }
  }
}

function noFolder(dataDir: string): string {
  return `The data folder ${dataDir} is no folder, so ${UNKNOWN}. Let SATCHEL_HOME name a folder.`
}

function closed(dataDir: string): string {
  return `The data in ${dataDir} could not be read, so ${UNKNOWN}. Give yourself the right to read it.`
}

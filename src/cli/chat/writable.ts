import { accessSync, constants } from 'node:fs'
import { AppError } from '@shared/errors'
import { makeDataFolder } from '../../main/lib/data-folder'

/** Makes the data folder where it is missing. Throws `bad_input`, with what to do, where nothing can be kept in it. */
export function needDataFolder(dataDir: string): void {
  try {
    makeDataFolder(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new AppError('bad_input', words(dataDir, (error as NodeJS.ErrnoException).code))
  }
}

function words(dataDir: string, code: string | undefined): string {
  const unchanged = 'Nothing was changed.'
  if (code === 'EEXIST' || code === 'ENOTDIR') {
    return `The data folder ${dataDir} is no folder. Let SATCHEL_HOME name a folder. ${unchanged}`
  }
  if (code === 'ENOSPC') {
    return `The data folder ${dataDir} can't be made: the disk is full. Free some space. ${unchanged}`
  }
  return `The data folder ${dataDir} can't be written (${code}). Give yourself the right to write it, or let SATCHEL_HOME name another folder. ${unchanged}`
}

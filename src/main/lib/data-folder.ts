import { mkdirSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { AppError } from '@shared/errors'

/** Name of the app's folder among the data of all programs; Electron takes it from `productName`. */
const APP = 'Satchel'

/**
 * The folder of the app's data: SATCHEL_HOME, else the platform's folder for this app. Throws `bad_input` for a
 * SATCHEL_HOME that is not absolute: it would mean another folder at every start.
 */
export function dataFolder(input: { satchelHome: string | undefined; userData: string }): string {
  const { satchelHome, userData } = input
  if (satchelHome && !isAbsolute(satchelHome)) {
    throw new AppError('bad_input', `SATCHEL_HOME must be an absolute path, not "${satchelHome}".`)
  }
  return resolve(satchelHome || userData)
}

export interface UserDataInput {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  homeDir: string
}

/** What Electron calls `userData`, for a program without Electron. */
export function userDataFolder({ platform, env, homeDir }: UserDataInput): string {
  if (platform === 'darwin') return join(homeDir, 'Library', 'Application Support', APP)
  if (platform === 'win32') return join(env['APPDATA'] || join(homeDir, 'AppData', 'Roaming'), APP)
  const config = env['XDG_CONFIG_HOME']
  return join(config && isAbsolute(config) ? config : join(homeDir, '.config'), APP)
}

/**
 * Makes a folder of the app's data, and those above it that are missing. Throws the system's error. Node's own way of
 * making several never comes back below /proc, where nothing can be made.
 */
export function makeDataFolder(dir: string): void {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return
  const above = dirname(dir)
  if (above !== dir) makeDataFolder(above)
  try {
    mkdirSync(dir, { mode: 0o700 })
  } catch (error) {
    // Another program made it meanwhile; what is no folder is told.
    if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}

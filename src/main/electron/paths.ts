import { join } from 'node:path'
import { dataFolder } from '../lib/data-folder'

/** Where things are. */
export interface AppPaths {
  /** The app's own data: database, snapshots, run logs. */
  dataDir: string
  /** Chromium's files and the lock of the single instance. */
  chromiumDir: string
  logsDir: string
  /** Written when main dies of an error, read at the next start. */
  crashFile: string
  /** Holds `skills/`, the bundled ones. */
  resourcesDir: string
  rendererDir: string
  preloadFile: string
  workerFile: string
}

export interface PathInput {
  /** SATCHEL_HOME, if it is set. */
  satchelHome: string | undefined
  /** The platform's folder for this app. */
  userData: string
  /** Folder of package.json, or app.asar. */
  appPath: string
  /** Electron's own resources folder. */
  resourcesPath: string
  isPackaged: boolean
}

/** Throws `bad_input` for a SATCHEL_HOME that is not absolute: it would mean another folder at every start. */
export function appPaths(input: PathInput): AppPaths {
  const dataDir = dataFolder({ satchelHome: input.satchelHome, userData: input.userData })
  const out = join(input.appPath, 'out')
  return {
    dataDir,
    chromiumDir: join(dataDir, 'chromium'),
    logsDir: join(dataDir, 'logs'),
    crashFile: join(dataDir, 'logs', 'crash.json'),
    resourcesDir: input.isPackaged ? input.resourcesPath : join(input.appPath, 'resources'),
    rendererDir: join(out, 'renderer'),
    preloadFile: join(out, 'preload', 'index.cjs'),
    workerFile: join(out, 'main', 'worker.cjs'),
  }
}

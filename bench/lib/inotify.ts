import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FDINFO = '/proc/self/fdinfo'

/** Watches that this process has asked of the system; null where the system does not tell (other than Linux). */
export function inotifyWatches(): number | null {
  try {
    const files = readdirSync(FDINFO).map((name) => readIfThere(join(FDINFO, name)))
    return files.reduce((sum, text) => sum + (text.match(/^inotify wd:/gm)?.length ?? 0), 0)
  } catch {
    return null // no /proc
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // the descriptor of the listing itself is closed by now
  }
}

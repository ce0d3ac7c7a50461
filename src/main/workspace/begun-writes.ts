import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isMakerGone, makerMark } from '../lib/maker'

/** A file that is written beside another one, to take its place. */
export interface BegunWrite {
  /** Name of the new file until then. */
  name: string
  /** Forgets it: it has its place, or is gone. */
  done(): void
}

/** Notes in the app's own folder what is begun in a person's folder, so that a crash leaves nothing there for good. */
export function beginWrite(notes: string, folder: string): BegunWrite {
  const mark = makerMark()
  const name = nameOf(mark)
  const note = join(notes, mark)
  mkdirSync(notes, { recursive: true, mode: 0o700 })
  writeFileSync(note, join(folder, name), { mode: 0o600 })
  return { name, done: () => rmSync(note, { force: true }) }
}

/** Removes what programs that have ended had begun. Gives what could not be removed, in words. */
export function removeLeftWrites(notes: string): string[] {
  return listed(notes).flatMap((mark) => {
    if (!isMakerGone(mark)) return []
    try {
      const path = readFileSync(join(notes, mark), 'utf8')
      // A note that was torn by the crash names nothing: the file was not made yet.
      if (basename(path) === nameOf(mark)) rmSync(path, { force: true })
      rmSync(join(notes, mark), { force: true })
      return []
    } catch (error) {
      return [String(error)]
    }
  })
}

const nameOf = (mark: string): string => `.satchel-${mark}`

function listed(notes: string): string[] {
  try {
    return readdirSync(notes)
  } catch {
    return [] // nothing was ever written
  }
}

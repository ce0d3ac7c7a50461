import { accessSync, constants, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What the check looks at; tests give their own. */
export interface Ownership {
  platform: NodeJS.Platform
  /** The user that Satchel runs as; 0 is root. */
  uid: number
  stat(path: string): { uid: number; mode: number }
  canWrite(path: string): boolean
}

const OTHERS_WRITE = 0o022
const STICKY = 0o1000

/**
 * Why a file or folder is not an administrator's alone, in words that follow "because"; null when it is
 * (`security.md` 4.2): root owns it and every folder above it, nobody else may write there by their modes, and the user
 * can't write it. When Satchel runs as root the modes alone decide: else running as root would be the way round a
 * policy. Where the owner can't be told (Windows) it is not used. Throws for nothing.
 */
export function whyNotAdmins(path: string, who: Ownership = thisUser()): string | null {
  if (who.platform === 'win32') return 'Satchel can not tell on Windows who may write it'
  try {
    return reasonAbove(path, who) ?? (who.uid !== 0 && who.canWrite(path) ? `you can write ${path}` : null)
  } catch {
    return 'it can not be read'
  }
}

/** The same for a folder and everything directly in it. */
export function whyFolderNotAdmins(dir: string, who: Ownership = thisUser()): string | null {
  const reason = whyNotAdmins(dir, who)
  if (reason !== null) return reason
  const bad = namesIn(dir).find((name) => whyNotAdmins(join(dir, name), who) !== null)
  return bad === undefined ? null : whyNotAdmins(join(dir, bad), who)
}

function reasonAbove(path: string, { stat }: Ownership): string | null {
  for (let at = path; ; at = dirname(at)) {
    const { uid, mode } = stat(at)
    const shielded = at !== path && (mode & STICKY) !== 0
    if (uid !== 0) return `${at} belongs to somebody else than an administrator`
    if ((mode & OTHERS_WRITE) !== 0 && !shielded) return `others than an administrator can write ${at}`
    if (dirname(at) === at) return null
  }
}

function thisUser(): Ownership {
  return {
    platform: process.platform,
    uid: process.getuid?.() ?? -1,
    stat: (path) => statSync(realpathSync(path)),
    canWrite,
  }
}

function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false // the answer that is hoped for
  }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch {
    return [] // it is a file, or gone
  }
}

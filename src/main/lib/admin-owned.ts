import { accessSync, constants, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, win32 } from 'node:path'
import { whyNotAdminsAcl } from './windows-acl'
import { windowsDescriptors } from './windows-descriptors'

/** What the check looks at; tests give their own. */
export interface Ownership {
  platform: NodeJS.Platform
  /** The user that Satchel runs as; 0 is root. */
  uid: number
  stat(path: string): { uid: number; mode: number }
  canWrite(path: string): boolean
  /** Windows: the security descriptors of these paths as text, in their order. Throws where it can't tell. */
  descriptors?(paths: readonly string[]): string[]
}

const OTHERS_WRITE = 0o022
const STICKY = 0o1000

/**
 * Why a file or folder is not an administrator's alone, in words that follow "because"; null when it is
 * (`security.md` 4.2): root owns it and every folder above it, nobody else may write there by their modes, and the user
 * can't write it. When Satchel runs as root the modes alone decide: else running as root would be the way round a
 * policy. On Windows the security descriptors decide (`windows-acl.ts`). What can't be told is not used. Throws for
 * nothing.
 */
export function whyNotAdmins(path: string, who: Ownership = thisUser()): string | null {
  if (who.platform === 'win32') return reasonOnWindows(path, who)
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

function reasonOnWindows(path: string, { descriptors = windowsDescriptors }: Ownership): string | null {
  try {
    const paths = pathsUp(path)
    const found = descriptors(paths)
    for (const [at, each] of paths.entries()) {
      const reason = whyNotAdminsAcl(found[at] ?? '', at === 0 ? 'itself' : 'above')
      if (reason === 'owner') return `${each} belongs to somebody else than an administrator`
      if (reason === 'writable') return `others than an administrator can write ${each}`
    }
    return null
  } catch {
    return 'Satchel can not tell who may write it'
  }
}

/** The path and every folder above it. */
function pathsUp(path: string): string[] {
  const above = win32.dirname(path)
  return above === path ? [path] : [path, ...pathsUp(above)]
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

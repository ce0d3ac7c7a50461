import { existsSync, lstatSync, statSync } from 'node:fs'
import { dirname, join, win32 } from 'node:path'
import { sha256 } from '../lib/hash'
import { whyNotAdmins } from '../lib/admin-owned'
import { readDataFile } from '../lib/data-file'
import type { DataFile } from '../lib/data-file'
import { lockedSettings } from './locked'
import { policyFrom } from './policy-file'
import type { Policy } from './policy-file'

/** The policy in force, or why there is none. */
export interface PolicyState {
  /** The folder it would lie in; null: this platform has none. */
  dir: string | null
  /** The file that was read or refused; null: there is none. */
  file: string | null
  /** Null: nobody administers this computer's Satchel, or the file can't be used. */
  policy: Policy | null
  /** Of a broken file the parts that are understood; null: none. */
  understood: Policy | null
  /** SHA-256 of the file as it was read; empty without a policy. */
  digest: string
  /** Something is there and can't be used: what it demands is not known. */
  broken: boolean
  /** Why a file that is there is not used, or a part of it is not; one or two sentences each. */
  notes: string[]
}

export interface PolicyPlace {
  platform: NodeJS.Platform
  env: Readonly<Record<string, string | undefined>>
  /** True only in builds that are made for tests: then `SATCHEL_POLICY_DIR` names the folder. */
  testBuild?: boolean
}

/** In the policy folder; the first that is there counts. */
export const POLICY_FILES = ['policy.json', 'policy.yaml', 'policy.yml'] as const
const MAX_FILE = 1024 * 1024

/** The folder of policy, Enterprise skills and agents (`security.md` 4.2); null: there is none. */
export function policyDir({ platform, env, testBuild = false }: PolicyPlace): string | null {
  if (testBuild && env['SATCHEL_POLICY_DIR']) return env['SATCHEL_POLICY_DIR']
  if (platform === 'linux') return '/etc/satchel'
  if (platform === 'darwin') return '/Library/Application Support/Satchel'
  const programData = env['ProgramData'] ?? env['PROGRAMDATA']
  return platform === 'win32' && programData ? win32.join(programData, 'Satchel') : null
}

/**
 * Reads `policy.json`, `policy.yaml` or `policy.yml` of the folder, the first that is there. Used only where an
 * administrator alone can write it and where all of it is understood; else, and where it is a link that leads nowhere
 * or the folder is none, it is broken, and notes say why. Never throws.
 */
export function readPolicy(dir: string | null, whyNot: typeof whyNotAdmins = whyNotAdmins): PolicyState {
  const none: PolicyState = {
    dir,
    file: null,
    policy: null,
    understood: null,
    digest: '',
    broken: false,
    notes: [],
  }
  if (dir === null) return none
  if (isNoFolder(dir)) return { ...none, file: dir, broken: true, notes: [NO_FOLDER] }
  for (const name of POLICY_FILES) {
    const file = join(dir, name)
    const read = readDataFile(file, MAX_FILE)
    if (read.state === 'missing' && !isLink(file)) continue
    const refused = whyRefused(file, read, whyNot)
    if (refused !== null) return { ...none, file, broken: true, notes: [refused] }
    if (read.state !== 'read') continue
    const { policy, understood, notes } = policyFrom(read.value, read.bytes.toString('utf8'))
    const broken = policy === null
    return { dir, file, policy, understood, notes, broken, digest: policy ? sha256(read.bytes) : '' }
  }
  return isLink(dir) && !existsSync(dir) ? { ...none, file: dir, broken: true, notes: [NOWHERE] } : none
}

/** Why a file that is there can't be read as a policy, in sentences; null: it can. */
function whyRefused(file: string, read: DataFile, whyNot: typeof whyNotAdmins): string | null {
  if (read.state === 'missing') return NOWHERE
  const reason = whyNot(file)
  if (reason !== null) return notOwned(reason)
  return read.state === 'broken' ? `${read.reason} The policy is not used.` : null
}

const NO_FOLDER = 'It is not a folder, and a policy would lie in it. No policy is used.'
const NOWHERE = 'It is a link that leads nowhere. The policy is not used.'

/** Something else stands in its place, or in that of a folder above. */
function isNoFolder(dir: string): boolean {
  return statSync(nearestThere(dir), { throwIfNoEntry: false })?.isDirectory() === false
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

/**
 * Why the policy may have been taken away by somebody else than an administrator, in a sentence; null: nobody else
 * could, by the nearest folder that is there.
 */
export function whyNotRemoved(dir: string, whyNot: typeof whyNotAdmins = whyNotAdmins): string | null {
  const reason = whyNot(nearestThere(dir))
  return reason === null ? null : `The policy that was there is gone, but maybe nobody who may: ${reason}.`
}

function nearestThere(dir: string): string {
  return existsSync(dir) || dirname(dir) === dir ? dir : nearestThere(dirname(dir))
}

/** Whether the policy decides the order of Personal and Project; null: the person does. */
export function lockedProjectOverPersonal(policy: Policy | null): boolean | null {
  return lockedSettings(policy).projectOverPersonal ?? null
}

function notOwned(reason: string): string {
  return `The policy is not used, because ${reason}. An administrator must own it and the folders above it, and nobody else may write them.`
}

import { chmodSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import type { SkillRecord } from '../../main/skills/record'
import type { World } from '../world'

/** A folder of this run, for the archives that `sources.json` names; null where it names none. */
export function makeScratch({ homeDir }: World): string | null {
  if (!existsSync(join(homeDir, '.satchel', 'sources.json'))) return null
  return realpathSync(mkdtempSync(join(tmpdir(), 'satchel-')))
}

/** Deletes it with what was unpacked there, whose folders are read-only. */
export function removeScratch(dir: string): void {
  open(dir)
  rmSync(dir, { recursive: true, force: true })
}

/** Where a skill is, as it is told: `key` and `path` of `--json`. */
export interface ToldPlace {
  key: string
  path: string
}

/**
 * Tells where skills are. One that was unpacked for this run has its place in the archive,
 * `/home/ada/pdf.skill/pdf`, which is the same in every run, instead of a folder that is gone at the end.
 */
export function placeTeller(
  scratch: string | null,
  { homeDir }: Pick<World, 'homeDir'>,
): (record: SkillRecord) => ToldPlace {
  const sources = scratch === null ? null : join(scratch, 'sources') + sep
  return ({ key, rootDir, root, scope }) => {
    if (sources === null || !rootDir.startsWith(sources)) return { key, path: rootDir }
    const archive = root.label.startsWith('~/') ? join(homeDir, root.label.slice(2)) : root.label
    const inside = rootDir.slice(sources.length).replace(/^[^\\/]+/, '')
    return { key: `${scope}:${archive}${inside}`, path: `${archive}${inside}` }
  }
}

function open(dir: string): void {
  chmodSync(dir, 0o700)
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) open(join(dir, entry.name))
  }
}

import { basename, dirname, join } from 'node:path'
import type { ArrangeEffect, UsedCopy } from '@shared/domain/arranging'
import { foldName } from '@shared/skill-md/skill-name'
import { resolvePrecedence } from '../../skills/registry/precedence'
import type { PrecedenceRules } from '../../skills/registry/precedence'
import type { SkillRecord } from '../../skills/record'
import { NO_FRONT } from '../../skills/scan/scan'

/** What an operation does to the copies on disk. */
export interface CopiesChange {
  /** The copy that goes away. */
  removed: SkillRecord | null
  /** The copy that comes into being. */
  added: SkillRecord | null
}

interface Copies {
  all(): readonly SkillRecord[]
  rules(projectDir: string | null): PrecedenceRules
}

/**
 * Which copy is used before and after, in the open project, in the one that the copy is moved to or from, and
 * everywhere else. Compares two resolutions of the same copies; decides nothing itself.
 */
export function effectsOf(
  { all, rules }: Copies,
  { removed, added }: CopiesChange,
  projectDir: string | null,
): ArrangeEffect[] {
  const places = new Set([projectDir, removed?.projectDir ?? null, added?.projectDir ?? null, null])
  const names = new Map([removed, added].flatMap((one) => (one ? [[foldName(one.name), one.name]] : [])))
  const related = all().filter(({ name }) => names.has(foldName(name)))
  return [...places].sort(projectsFirst).flatMap((place) => {
    const seen = related.filter((record) => record.projectDir === null || record.projectDir === place)
    const then = seen.filter((record) => record.key !== removed?.key)
    if (added && (added.projectDir === null || added.projectDir === place)) then.push(added)
    const before = usedByName(seen, rules(place))
    const after = usedByName(then, rules(place))
    return [...names].map(([folded, name]): ArrangeEffect => {
      const [was, is] = [before.get(folded) ?? null, after.get(folded) ?? null]
      return {
        project: place === null ? null : basename(place),
        name,
        before: was && copyOf(was),
        after: is && copyOf(is),
        wasIt: was !== null && was.key === removed?.key,
        isIt: is !== null && is === added,
      }
    })
  })
}

function projectsFirst(a: string | null, b: string | null): number {
  return Number(a === null) - Number(b === null)
}

function usedByName(records: readonly SkillRecord[], rules: PrecedenceRules): Map<string, SkillRecord> {
  const used = resolvePrecedence(records, rules).filter(({ status }) => status === 'effective')
  return new Map(used.map(({ record }) => [foldName(record.name), record]))
}

function copyOf({ scope, location }: SkillRecord): UsedCopy {
  return { scope, location }
}

/** The record that a copy will have, as far as precedence looks at it. */
export function futureRecord(
  name: string,
  at: { dir: string; shown: string; root: Pick<SkillRecord, 'scope' | 'sharedIn' | 'projectDir'> },
  from: SkillRecord | null,
): SkillRecord {
  const { dir, shown, root } = at
  const rootDir = join(dir, name)
  const label = dirname(`${shown}/${name}`)
  const spec = { tool: null, plugin: null, mountedAs: null, containIn: null, nearness: 0, readOnly: false }
  return {
    ...(from ?? NEW),
    key: `${root.scope}:${rootDir}`,
    name,
    rootDir,
    folder: name,
    skillMd: join(rootDir, 'SKILL.md'),
    location: `${shown}/${name}`,
    ...root,
    parent: null,
    root: { ...spec, ...root, dir, label },
  }
}

const NEW: Omit<
  SkillRecord,
  'key' | 'rootDir' | 'folder' | 'skillMd' | 'location' | 'root' | 'scope' | 'projectDir' | 'sharedIn'
> = {
  ...NO_FRONT,
  parent: null,
  tokens: { catalogue: 0, body: 0, files: 0 },
  scripts: 0,
  files: 1,
  changedAt: 0,
  stamp: '',
  problems: 0,
  unread: false,
}

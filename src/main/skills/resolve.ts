import { Scope } from '@shared/domain/skill'
import { foldName, slugOf } from '@shared/skill-md/skill-name'
import type { SkillEntry, SkillRecord } from './record'

export type Resolved =
  | { ok: true; record: SkillRecord }
  | {
      ok: false
      code: 'not_found' | 'ambiguous' | 'not_trusted' | 'broken'
      /** What happened and what to do. */
      message: string
      /** Names that could have been meant, best first, at most three. */
      nearest: string[]
    }

/**
 * The copy that a name means: the used one, or with `name@scope` the first of that scope. Without case. A folder's
 * name is understood too, where no skill has it as its name.
 */
export function resolveName(entries: readonly SkillEntry[], asked: string): Resolved {
  const { name, scope } = splitScope(asked)
  const named = entries.filter(({ record }) => foldName(record.name) === name)
  const byFolder = () => entries.filter(({ record }) => slugOf(record.folder) === name)
  const candidates = named.length > 0 ? named : byFolder()
  const inScope = candidates.filter(({ record }) => scope === null || record.scope === scope)
  const usable = inScope.filter(
    ({ status }) => status === 'effective' || (scope !== null && status === 'shadowed'),
  )
  const [first] = usable
  if (!first) return failure(inScope, entries, asked)
  const others = new Set(usable.map(({ record }) => foldName(record.name)))
  return others.size > 1 ? ambiguous(asked, usable) : { ok: true, record: first.record }
}

/** `name@scope`; an unknown word after the @ belongs to the name. */
function splitScope(asked: string): { name: string; scope: Scope | null } {
  const at = asked.lastIndexOf('@')
  const scope = Scope.safeParse(foldName(asked.slice(at + 1)))
  if (at <= 0 || !scope.success) return { name: foldName(asked), scope: null }
  return { name: foldName(asked.slice(0, at)), scope: scope.data }
}

function failure(found: readonly SkillEntry[], entries: readonly SkillEntry[], asked: string): Resolved {
  const [first] = found
  if (!first) return notFound(entries, asked)
  const { record, status, statusReason } = found.find((entry) => entry.status === 'broken') ?? first
  if (status === 'broken') {
    const message = `The skill "${record.name}" can't be used: ${statusReason} Open it in Skills to see what to do.`
    return { ok: false, code: 'broken', message, nearest: [] }
  }
  const message = `The skill "${record.name}" belongs to a project that is not trusted. Trust the folder to use it.`
  return { ok: false, code: 'not_trusted', message, nearest: [] }
}

function ambiguous(asked: string, usable: readonly SkillEntry[]): Resolved {
  const nearest = [...new Set(usable.map(({ record }) => record.name))].slice(0, 3)
  const message = `"${asked}" could mean ${nearest.join(' or ')}. Name one of them.`
  return { ok: false, code: 'ambiguous', message, nearest }
}

function notFound(entries: readonly SkillEntry[], asked: string): Resolved {
  const { name } = splitScope(asked)
  const names = entries.filter(({ status }) => status === 'effective').map(({ record }) => record.name)
  const nearest = nearestNames(name, names)
  const hint = nearest.length > 0 ? ` Did you mean ${nearest.join(', ')}?` : ''
  return { ok: false, code: 'not_found', message: `There is no skill "${asked}".${hint}`, nearest }
}

function nearestNames(name: string, names: readonly string[]): string[] {
  const most = Math.max(2, Math.floor(name.length / 3))
  const distance = (other: string) =>
    name !== '' && (other.includes(name) || name.includes(other))
      ? 1
      : editDistance(name, foldName(other), most)
  return names
    .map((other) => ({ other, far: distance(other) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far || (a.other < b.other ? -1 : 1))
    .slice(0, 3)
    .map(({ other }) => other)
}

/** Levenshtein distance; above `most` any larger number. */
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + change))
    }
    row = next
  }
  return row[b.length]!
}

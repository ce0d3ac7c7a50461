import { foldName } from '@shared/skill-md/skill-name'
import { nearestNames } from './nearest'
import { isCallableChild } from './precedence'
import { quickFold, quickSlug } from './quick-names'
import type { SkillEntry, SkillRecord } from '../record'

export type Resolved =
  | {
      ok: true
      record: SkillRecord
      /** Several plugins have the name: which one is used, and how to call each (`runtime.md` 2). */
      warning?: string
    }
  | {
      ok: false
      code: 'not_found' | 'ambiguous' | 'not_trusted' | 'broken' | 'blocked_by_policy'
      /** What happened and what to do. */
      message: string
      /** Names that could have been meant, best first, at most three. */
      nearest: string[]
      /** What a person means by the name all the same: broken for agents only. */
      byHand?: SkillRecord
    }

/** `name@qualifier`, where the qualifier is a scope or a package. */
interface Asked {
  /** As it was asked for. */
  text: string
  name: string
  qualifier: string | null
}

/**
 * The copy that a name means: the used one, or with `name@scope` and `name@package` (a plugin's name, or a tool whose
 * folder it is) the first of these. `outer/inner` is a skill inside another. Without case and differences of Unicode
 * composition. The name of a folder, and a name as the frontmatter writes it, are understood where no skill has it as
 * its handle. `entries` as a view lists them: by name, the used copy first.
 */
export function resolveName(entries: readonly SkillEntry[], asked: string): Resolved {
  const found = resolveChild(entries, asked)
  if (found) return found
  const parts = splitAsked(asked)
  const candidates = candidatesOf(entries, parts)
  const fitting = candidates.filter(({ record }) => fits(record, parts.qualifier))
  const usable = fitting.filter(({ status }) => isUsable(status, parts.qualifier))
  const [first] = usable
  if (!first) return failure({ entries, candidates, fitting }, parts)
  const names = new Set(usable.map(({ record }) => foldName(record.name)))
  if (names.size > 1) return ambiguous(asked, usable)
  const warning = parts.qualifier === null ? samePlugins(first.record, candidates) : null
  return { ok: true, record: first.record, ...(warning === null ? {} : { warning }) }
}

/** Null when the name means no skill inside another. */
function resolveChild(entries: readonly SkillEntry[], asked: string): Resolved | null {
  const slash = asked.lastIndexOf('/')
  if (slash <= 0) return null
  const { name, qualifier } = splitAsked(asked.slice(slash + 1))
  const suffix = qualifier === null ? '' : `@${qualifier}`
  const outer = resolveName(entries, `${asked.slice(0, slash)}${suffix}`)
  if (!outer.ok) return null
  const inner = entries.filter(({ record }) => record.parent === outer.record.key && isCalled(record, name))
  const callable = inner.find(isCallableChild)
  if (callable) return { ok: true, record: callable.record }
  return inner[0] ? notUsable(inner[0]) : null
}

/** An unknown word after the last @ is a package. */
function splitAsked(text: string): Asked {
  const at = text.lastIndexOf('@')
  if (at <= 0) return { text, name: foldName(text), qualifier: null }
  return { text, name: foldName(text.slice(0, at)), qualifier: foldName(text.slice(at + 1)) }
}

function candidatesOf(entries: readonly SkillEntry[], { name }: Asked): SkillEntry[] {
  const own = entries.filter(({ record }) => record.parent === null)
  const named = own.filter(({ record }) => quickFold(record.name) === name)
  return named.length > 0 ? named : own.filter(({ record }) => isCalled(record, name))
}

function isCalled(record: SkillRecord, name: string): boolean {
  return (
    quickFold(record.name) === name ||
    quickSlug(record.folder) === name ||
    (record.label !== '' && foldName(record.label) === name)
  )
}

function fits(record: SkillRecord, qualifier: string | null): boolean {
  if (qualifier === null || record.scope === qualifier) return true
  const { plugin, tool } = record.root
  if (plugin && foldName(plugin.name) === qualifier) return true
  return tool !== null && (foldName(tool.id) === qualifier || foldName(tool.name) === qualifier)
}

function isUsable(status: SkillEntry['status'], qualifier: string | null): boolean {
  return status === 'effective' || (qualifier !== null && status === 'shadowed')
}

/** A sentence when the used copy is one of several plugins' and was not asked for by its package. */
function samePlugins(used: SkillRecord, candidates: readonly SkillEntry[]): string | null {
  if (used.scope !== 'plugin') return null
  const usable = candidates.filter(({ status }) => isUsable(status, ''))
  const plugins = new Set(usable.flatMap(({ record }) => record.root.plugin?.name ?? []))
  if (plugins.size < 2) return null
  const calls = [...plugins].map((plugin) => `${used.name}@${plugin}`)
  return `Several plugins have a skill "${used.name}". That of ${used.root.plugin?.name ?? ''} is used. To name one: ${calls.join(', ')}.`
}

interface Search {
  entries: readonly SkillEntry[]
  /** All copies of the name. */
  candidates: readonly SkillEntry[]
  /** Those of the scope or package that was named. */
  fitting: readonly SkillEntry[]
}

function failure({ entries, candidates, fitting }: Search, asked: Asked): Resolved {
  const [first] = fitting
  const [called, ...others] = fitting.filter(({ byHand }) => byHand)
  if (called) return others.length > 0 ? ambiguous(asked.text, [called, ...others]) : notUsable(called)
  if (first) return notUsable(fitting.find(({ status }) => status === 'broken') ?? first)
  return candidates.length > 0 ? noSuchCopy(candidates, asked) : notFound(entries, asked)
}

function notUsable({ record, status, statusReason, byPolicy, byHand }: SkillEntry): Resolved {
  const { name } = record
  if (byHand) {
    const message = `Only a person can load "${name}": ${record.brokenReason}`
    return { ok: false, code: 'broken', message, nearest: [], byHand: record }
  }
  if (status === 'broken') {
    const message = `The skill "${name}" can't be used: ${statusReason} Open it in Skills to see what to do.`
    return { ok: false, code: 'broken', message, nearest: [] }
  }
  if (status === 'not-trusted') {
    const message = `The skill "${name}" belongs to a project that is not trusted. Trust the folder to use it.`
    return { ok: false, code: 'not_trusted', message, nearest: [] }
  }
  if (byPolicy === true) {
    const message = `The skill "${name}" can't be used here. ${statusReason}`
    return { ok: false, code: 'blocked_by_policy', message, nearest: [] }
  }
  const why = status === 'off' ? 'is off' : 'is not available here'
  return { ok: false, code: 'not_found', message: `The skill "${name}" ${why}: ${statusReason}`, nearest: [] }
}

function ambiguous(asked: string, usable: readonly SkillEntry[]): Resolved {
  const nearest = [...new Set(usable.map(({ record }) => record.name))].slice(0, 3)
  const message = `"${asked}" could mean ${nearest.join(' or ')}. Name one of them.`
  return { ok: false, code: 'ambiguous', message, nearest }
}

function noSuchCopy(candidates: readonly SkillEntry[], { text }: Asked): Resolved {
  const calls = candidates.map(({ record }) => `${record.name}@${packageOf(record)}`)
  const nearest = [...new Set(calls)].slice(0, 3)
  const message = `There is no skill "${text}". There is ${nearest.join(', ')}.`
  return { ok: false, code: 'not_found', message, nearest }
}

function packageOf({ root, scope }: SkillRecord): string {
  return root.plugin?.name ?? root.tool?.id ?? scope
}

function notFound(entries: readonly SkillEntry[], { text, name }: Asked): Resolved {
  const names = entries.filter(({ status }) => status === 'effective').map(({ record }) => record.name)
  const nearest = nearestNames(name, names)
  const hint = nearest.length > 0 ? ` Did you mean ${nearest.join(', ')}?` : ''
  return { ok: false, code: 'not_found', message: `There is no skill "${text}".${hint}`, nearest }
}

import type { ActiveSkill } from '@shared/domain/session'
import { foldName } from '@shared/skill-md/skill-name'
import type { SkillRecord } from '../../skills/record'

/**
 * What stays: what is asked for and active already, with the bytes that it has (`runtime.md` 2), what the agent always
 * uses, and with "add" everything but another copy of the same name, whose files would lie in the same place.
 */
export function keptOf(
  active: readonly ActiveSkill[],
  records: readonly SkillRecord[],
  mode: 'replace' | 'add',
): ActiveSkill[] {
  const isAsked = (old: ActiveSkill) => records.some(({ key }) => key === old.key)
  if (mode === 'replace') return active.filter((old) => old.alwaysOn || isAsked(old))
  return active.filter((old) => !records.some((record) => isOtherCopy(record, old)))
}

/** A skill that is always active gives way to no other copy: its files would lie in the same place. */
export function otherCopyOfAlwaysOn(
  active: readonly ActiveSkill[],
  records: readonly SkillRecord[],
): ActiveSkill | undefined {
  return active.find((old) => old.alwaysOn && records.some((record) => isOtherCopy(record, old)))
}

/** Each name once: of two copies the one named last. */
export function unique(records: readonly SkillRecord[]): SkillRecord[] {
  return [...new Map(records.map((record) => [foldName(record.name), record])).values()]
}

/** A skill that is active already gets the arguments of the last time it was asked for. */
export function withArgs(active: ActiveSkill, args: string | undefined): ActiveSkill {
  return args === undefined ? active : { ...active, args }
}

/** It was active with other files until now. */
export function isAnother({ key, digest }: ActiveSkill, before: readonly ActiveSkill[]): boolean {
  return before.some((old) => old.key === key && old.digest !== digest)
}

function isOtherCopy({ key, name }: SkillRecord, old: ActiveSkill): boolean {
  return key !== old.key && foldName(name) === foldName(old.name)
}

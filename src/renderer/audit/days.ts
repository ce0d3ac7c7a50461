import type { AuditDay } from '@shared/domain/audit'
import type { AuditRange } from '../stores/audit'

/** Bars that fit beside each other; of a longer time the last ones are drawn. */
const MAX_DAYS = 90
/** Bars around chosen days. */
const AROUND = 30

/** A day for each bar, oldest first, also those on which nothing happened. */
export function daysShown(
  counted: readonly AuditDay[],
  chosen: { from: number; to: number } | null,
  range: AuditRange,
  today: number,
): AuditDay[] {
  const oldest = counted[0]?.day ?? today
  const from = chosen
    ? Math.min(chosen.from, today - (range ?? AROUND) + 1)
    : range === null
      ? oldest
      : today - range + 1
  const first = Math.max(from, today - MAX_DAYS + 1)
  const known = new Map(counted.map((day) => [day.day, day]))
  return Array.from({ length: today - first + 1 }, (_, n) => {
    const day = first + n
    return known.get(day) ?? { day, reads: 0, runs: 0, denied: 0 }
  })
}

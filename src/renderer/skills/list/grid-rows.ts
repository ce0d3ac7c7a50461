import type { SkillSummary } from '@shared/domain/skill'

/** A skill as a row of the list. */
export interface GridRow {
  skill: SkillSummary
  /** 1 for those that stand by themselves; skills inside another one are one deeper. */
  level: number
  /** How many rows are directly below it, shown or not. */
  children: number
  /** Its children are shown. */
  open: boolean
}

/**
 * Puts skills that lie inside another one below it, in their own order; what is below a closed one is left out. One whose
 * parent is not among the rows stands by itself.
 */
export function nestRows(skills: readonly SkillSummary[], closed: ReadonlySet<string>): GridRow[] {
  if (!skills.some(({ parent }) => parent !== undefined)) return skills.map(flatRow)
  const here = new Set(skills.map(({ key }) => key))
  const below = new Map<string, SkillSummary[]>()
  const tops: SkillSummary[] = []
  for (const skill of skills) {
    const { parent } = skill
    if (parent === undefined || parent === skill.key || !here.has(parent)) tops.push(skill)
    else below.set(parent, [...(below.get(parent) ?? []), skill])
  }
  const rows: GridRow[] = []
  const add = (skill: SkillSummary, level: number): void => {
    const children = below.get(skill.key) ?? []
    const open = !closed.has(skill.key)
    rows.push({ skill, level, children: children.length, open: open && children.length > 0 })
    if (open) for (const child of children) add(child, level + 1)
  }
  for (const skill of tops) add(skill, 1)
  return rows
}

/** By key; a weak map of thousands costs more than it spares. */
const flatRows = new Map<string, GridRow>()

/** The same row for the same skill: thousands of new ones at each letter are work for the collector. */
function flatRow(skill: SkillSummary): GridRow {
  const known = flatRows.get(skill.key)
  if (known?.skill === skill) return known
  const row = { skill, level: 1, children: 0, open: false }
  flatRows.set(skill.key, row)
  return row
}

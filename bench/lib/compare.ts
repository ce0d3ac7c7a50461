/** What a loader says of one skill. `folder` is the name of the skill's folder below the root. */
export interface Listed {
  folder: string
  name: string
  description: string
}

export interface Comparison {
  /** Skills of `wanted` that were listed with the same name and description. */
  same: number
  /** Folders of `wanted` that are not listed. */
  missing: string[]
  /** One line for each that is listed with another name or description. */
  different: string[]
  /** Listed folders that are not in `wanted`. */
  extra: string[]
}

/**
 * Compares a listing with what is wanted, by folder. Space around and runs of white space inside a description don't
 * count: loaders differ in whether they fold them, and a catalogue folds them anyway (`format.md` 2.5, quirk 16).
 */
export function compareListings(wanted: readonly Listed[], listed: readonly Listed[]): Comparison {
  const found = new Map(listed.map((skill) => [skill.folder, skill]))
  const comparison: Comparison = { same: 0, missing: [], different: [], extra: [] }
  for (const want of wanted) {
    const have = found.get(want.folder)
    if (!have) comparison.missing.push(want.folder)
    else if (differs(want, have)) comparison.different.push(differenceOf(want, have))
    else comparison.same += 1
  }
  const known = new Set(wanted.map(({ folder }) => folder))
  comparison.extra = listed.filter(({ folder }) => !known.has(folder)).map(({ folder }) => folder)
  return comparison
}

/** Nothing missing and nothing different. Extra ones don't count: one side may list what the other calls broken. */
export function isSame({ missing, different }: Comparison): boolean {
  return missing.length === 0 && different.length === 0
}

/** One line: counts, and the first three of what differs. */
export function describeComparison({ same, missing, different, extra }: Comparison): string {
  const parts = [`${same} the same`]
  if (missing.length > 0) parts.push(`${missing.length} not listed (${firstOf(missing)})`)
  if (different.length > 0) parts.push(`${different.length} different (${firstOf(different)})`)
  if (extra.length > 0) parts.push(`${extra.length} more (${firstOf(extra)})`)
  return parts.join(', ')
}

function differs(a: Listed, b: Listed): boolean {
  return a.name !== b.name || folded(a.description) !== folded(b.description)
}

function differenceOf(want: Listed, have: Listed): string {
  if (want.name !== have.name) return `${want.folder}: name "${have.name}" for "${want.name}"`
  return `${want.folder}: description "${start(have.description)}" for "${start(want.description)}"`
}

function folded(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

function start(text: string): string {
  return folded(text).slice(0, 40)
}

function firstOf(items: readonly string[]): string {
  return items.slice(0, 3).join('; ') + (items.length > 3 ? '; …' : '')
}

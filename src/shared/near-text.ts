/** Longer texts are no slips of one, and would take long to compare. */
const MAX_LENGTH = 100

/**
 * The one of several texts that this one is a slip of: few letters added, left out, changed or swapped, case aside; one
 * in three of `letters`. Undefined where none is near, or two are equally so.
 */
export function nearestText(
  asked: string,
  among: readonly string[],
  letters = asked.length,
): string | undefined {
  if (asked.length > MAX_LENGTH) return undefined
  const folded = asked.toLowerCase()
  let best: { text: string; far: number } | null = null
  let isTied = false
  const most = Math.max(1, Math.floor(letters / 3))
  for (const text of among) {
    if (text.length > MAX_LENGTH || Math.abs(text.length - asked.length) > most) continue
    const far = distance(folded, text.toLowerCase())
    if (far > (best?.far ?? most)) continue
    isTied = best?.far === far
    best = { text, far }
  }
  return isTied ? undefined : best?.text
}

/** Edits of single letters from one text to the other; two neighbours swapped are one. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + same)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) least = Math.min(least, before[j - 2]! + 1)
      row.push(least)
    }
    before = above
    above = row
  }
  return above[b.length]!
}

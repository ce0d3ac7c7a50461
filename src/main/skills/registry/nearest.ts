import { MAX_NAME } from '@shared/skill-md/skill-name'
import { quickFold } from './quick-names'

/** How many names are proposed for one that does not exist (`runtime.md` 2). */
const MAX_NEAREST = 3
/** Longer texts are no slips of a name, and would take long to compare. */
const MAX_ASKED = 4 * MAX_NAME

interface Near {
  name: string
  far: number
}

/**
 * Of different names those closest to `asked` (in the form in which names are compared), best first, at most three:
 * those that hold it or lie in it, and those with up to `limit` letters changed, more for longer names. Under 20 ms for 10,000.
 */
export function nearestNames(
  asked: string,
  names: readonly string[],
  limit = Math.max(2, Math.floor(asked.length / 3)),
): string[] {
  if (asked.length > MAX_ASKED) return []
  const search = createSearch(asked)
  let best: Near[] = []
  for (const name of names) {
    // Once three are known, only one that is as near as the last of them counts.
    const most = best.length < MAX_NEAREST ? limit : best.at(-1)!.far
    const far = search.distance(quickFold(name), most)
    if (far <= most) best = [...best, { name, far }].sort(byDistance).slice(0, MAX_NEAREST)
  }
  return best.map(({ name }) => name)
}

function byDistance(a: Near, b: Near): number {
  return a.far - b.far || (a.name < b.name ? -1 : 1)
}

/** Distance of names from one; above `most` any larger number. Its tables are used again for each. */
function createSearch(asked: string): { distance(name: string, most: number): number } {
  const bag = bagOf(asked)
  const left = new Int32Array(BAG)
  const rows: Rows = { above: new Uint16Array(0), row: new Uint16Array(0) }
  return {
    distance(name, most) {
      if (isPart(asked, name)) return 1
      if (Math.abs(asked.length - name.length) > most) return most + 1
      if (bagDistance(bag, name, left) > most) return most + 1
      if (rows.row.length <= name.length) {
        rows.above = new Uint16Array(2 * name.length + 1)
        rows.row = new Uint16Array(2 * name.length + 1)
      }
      return editDistance(asked, name, { most, rows })
    },
  }
}

function isPart(a: string, b: string): boolean {
  return a !== '' && b !== '' && (b.includes(a) || a.includes(b))
}

const BAG = 64

/** Letters of which one has more than the other, whatever their order: never more than the edit distance. */
function bagDistance(asked: Bag, name: string, left: Int32Array): number {
  left.set(asked.counts)
  let extra = 0
  for (let at = 0; at < name.length; at++) {
    const letter = name.charCodeAt(at) % BAG
    if (left[letter]! <= 0) extra += 1
    left[letter]! -= 1
  }
  return Math.max(extra, asked.length - (name.length - extra))
}

interface Bag {
  length: number
  counts: Int32Array
}

function bagOf(text: string): Bag {
  const counts = new Int32Array(BAG)
  for (let at = 0; at < text.length; at++) counts[text.charCodeAt(at) % BAG]! += 1
  return { length: text.length, counts }
}

interface Rows {
  above: Uint16Array
  row: Uint16Array
}

/** Levenshtein distance; given up once no end can be nearer than `most`. */
function editDistance(a: string, b: string, { most, rows }: { most: number; rows: Rows }): number {
  let { above, row } = rows
  for (let j = 0; j <= b.length; j++) above[j] = j
  for (let i = 1; i <= a.length; i++) {
    if (nextRow({ above, row }, b, { letter: a.charCodeAt(i - 1), i }) > most) return most + 1
    ;[above, row] = [row, above]
  }
  return above[b.length]!
}

/** Fills one row of the table; gives its smallest number. */
function nextRow({ above, row }: Rows, b: string, { letter, i }: { letter: number; i: number }): number {
  row[0] = i
  let least = i
  let left = i
  for (let j = 1; j <= b.length; j++) {
    const change = above[j - 1]! + (letter === b.charCodeAt(j - 1) ? 0 : 1)
    left = Math.min(above[j]! + 1, left + 1, change)
    row[j] = left
    if (left < least) least = left
  }
  return least
}

import { seeded } from './seeded'
import { skillAt } from './tree'
import { topic, word } from './words'

/** What people type: two words, the start of a word as it is typed, one word. */
export interface Queries {
  /** Over names and descriptions. */
  meta: string[]
  /** Over bodies. */
  body: string[]
}

const EACH = 64

/** The same for the same seed. Every query is made of words of some skill of the tree, so all find something. */
export function queriesFor(seed: number, count: number): Queries {
  const random = seeded(seed + 77)
  const some = () => skillAt(seed, random.below(count))
  const named = () => some().folder.split('-')
  const typed = (text: string) => text.slice(0, 2 + random.below(Math.max(1, text.length - 2)))
  const times = (make: () => string) => Array.from({ length: EACH }, make)
  return {
    meta: [
      ...times(() => named().slice(0, 2).join(' ')),
      ...times(() => typed(named()[1]!)),
      ...times(() => topic(random).subject),
    ],
    body: [
      ...times(() => `${word(random)} ${word(random)}`),
      ...times(() => `${word(random)} ${topic(random).subject}`),
      ...times(() => word(random)),
    ],
  }
}

/** Names typed wrong, and the word that the person meant: letters swapped, doubled, left out, wrong. */
export const TYPOS: readonly (readonly [typed: string, meant: string])[] = [
  ['spreadhseet', 'spreadsheet'],
  ['invocie', 'invoice'],
  ['calender', 'calendar'],
  ['databse', 'database'],
  ['summarsie', 'summarise'],
  ['transalte', 'translate'],
  ['dahsboard', 'dashboard'],
  ['extarct pdf', 'extract'],
  ['recpie', 'recipe'],
  ['worklfow', 'workflow'],
  ['monitro traces', 'monitor'],
  ['podcats', 'podcast'],
]

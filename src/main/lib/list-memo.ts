/** How many items two lists have in common from their beginning on. */
export function commonStart<Item>(before: readonly Item[], now: readonly Item[]): number {
  const length = Math.min(before.length, now.length)
  let at = 0
  while (at < length && before[at] === now[at]) at += 1
  return at
}

/** Makes what stands for an item in the new list, from it and the items beside it. */
export type MakeItem<Item, Made> = (
  item: Item,
  before: Item | undefined,
  after: Item | undefined,
) => readonly Made[]

interface Known<Item, Made> {
  items: readonly Item[]
  made: readonly Made[]
  /** Where in `made` each item ends. */
  ends: readonly number[]
}

/**
 * Makes a list of another one, item by item. Lists that begin with the same object are taken for the same list at other
 * times: what was made of the start that both have is taken over, and where nothing changed the very list is. For lists
 * that grow at their end, of objects that nobody changes.
 */
export function listMemo<Item extends object, Made>(
  make: MakeItem<Item, Made>,
): (items: readonly Item[]) => readonly Made[] {
  const known = new WeakMap<Item, Known<Item, Made>>()
  return (items) => {
    const [first] = items
    if (!first) return []
    const last = known.get(first)
    const same = last ? commonStart(last.items, items) : 0
    if (last && same === items.length && same === last.items.length) return last.made
    const now = goOn(make, items, last && { ...last, same })
    known.set(first, now)
    return now.made
  }
}

/** The item before the first that differs has another one behind it now. */
function goOn<Item, Made>(
  make: MakeItem<Item, Made>,
  items: readonly Item[],
  last: (Known<Item, Made> & { same: number }) | undefined,
): Known<Item, Made> {
  const from = Math.max(0, (last?.same ?? 0) - 1)
  const ends = last ? last.ends.slice(0, from) : []
  const made = last ? last.made.slice(0, ends.at(-1) ?? 0) : []
  for (let at = from; at < items.length; at += 1) {
    made.push(...make(items[at]!, items[at - 1], items[at + 1]))
    ends.push(made.length)
  }
  return { items, made, ends }
}

import defended from './defended.json'

/** Which defences must all be off for an attack to succeed; or why it is not tried without one. */
export type Defended = readonly string[] | { notTried: string }

/** By the id of a case; where cases of one id differ, by "id title". Ids of the defences are in `defences.json`. */
const DEFENDED: Readonly<Record<string, Defended>> = defended

/** Throws for a case that names none. */
export function defenceOf({ id, title }: { id: string; title: string }): Defended {
  const found = DEFENDED[`${id} ${title}`] ?? DEFENDED[`${id} ${title.split(' ', 1)[0]}`] ?? DEFENDED[id]
  if (!found) throw new Error(`No defence is named for ${id} ${title}`)
  return found
}

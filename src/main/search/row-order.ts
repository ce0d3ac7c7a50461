/** What is searched on every key press: name, tags and the start of the description of one skill. */
export interface MetaRow {
  id: number
  key: string
  /** Words of name, tags and description, one line each (`metaText`). */
  text: string
}

/** The name comes first in the words of a row. Never by when a row came. */
export function byWords(a: MetaRow, b: MetaRow): number {
  if (a.text !== b.text) return a.text < b.text ? -1 : 1
  return a.key < b.key ? -1 : a.key > b.key ? 1 : 0
}

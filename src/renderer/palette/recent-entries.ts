const MOST = 20
let recent: readonly string[] = []

/** Ids of what was chosen in the palette, the last one first; for as long as the window lives. */
export function recentEntries(): readonly string[] {
  return recent
}

export function rememberEntry(id: string): void {
  recent = [id, ...recent.filter((other) => other !== id)].slice(0, MOST)
}

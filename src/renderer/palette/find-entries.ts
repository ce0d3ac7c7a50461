import type { Shortcut } from '../ui/keys'
import { fuzzyMatch } from './fuzzy'
import { words as strings } from './palette-strings'

export type EntryKind = 'command' | 'skill' | 'chat' | 'request' | 'setting'

/** What can be done with an entry; the first is what Enter does. */
export interface EntryAction {
  label: string
  keys?: Shortcut
  run: () => void
}

/** One thing that the palette finds (`ux.md` 2.5). */
export interface PaletteEntry {
  /** Stays the same while the thing does. */
  id: string
  kind: EntryKind
  name: string
  /** Where it lives, or what it is. */
  where: string
  /** At the right: a time, a state. */
  hint?: string
  shortcut?: Shortcut
  /** It exists and is not the one that is used. */
  dimmed?: boolean
  /** Why it does nothing now. */
  unavailable?: string
  actions: readonly EntryAction[]
}

export interface FoundEntry {
  entry: PaletteEntry
  /** Places of the letters that were found in its name. */
  at: readonly number[]
  /** The heading above it, where it is the first of its group. */
  heading?: string
}

/** The first character narrows to one kind. */
export const PREFIXES: Readonly<Record<string, EntryKind>> = {
  '>': 'command',
  '@': 'skill',
  '#': 'chat',
  '!': 'request',
  ':': 'setting',
}

/** More are only counted. */
export const MOST_SHOWN = 60
/** What an empty box offers of each kind. */
const FEW = 5
const RECENT_BONUS = 30

export interface Found {
  shown: FoundEntry[]
  count: number
}

/** Best match first; nothing typed: what was used last, then some of each kind under its heading. */
export function findEntries(
  entries: readonly PaletteEntry[],
  typed: string,
  recent: readonly string[],
): Found {
  const text = typed.trimStart()
  const kind = PREFIXES[text[0] ?? '']
  const words = (kind ? text.slice(1) : text).split(/\s+/).filter(Boolean)
  const fitting = kind ? entries.filter((entry) => entry.kind === kind) : entries
  if (words.length === 0) {
    if (!kind) return grouped(fitting, recent)
    return { shown: fitting.slice(0, MOST_SHOWN).map(plain), count: fitting.length }
  }
  return ranked(fitting, words, recent)
}

function ranked(
  entries: readonly PaletteEntry[],
  words: readonly string[],
  recent: readonly string[],
): Found {
  const bonus = new Map(recent.map((id, place) => [id, RECENT_BONUS - place]))
  const scored = entries.flatMap((entry) => {
    const match = fuzzyMatch(entry.name, entry.where, words)
    if (!match) return []
    const less = (entry.dimmed ? 15 : 0) + (entry.unavailable ? 5 : 0)
    return [{ entry, at: match.at, score: match.score + (bonus.get(entry.id) ?? 0) - less }]
  })
  scored.sort((a, b) => b.score - a.score || a.entry.name.length - b.entry.name.length)
  return { shown: scored.slice(0, MOST_SHOWN).map(({ entry, at }) => ({ entry, at })), count: scored.length }
}

const GROUPS: readonly (readonly [kind: EntryKind, heading: string])[] = [
  ['request', strings.findEntries.waitingForYou],
  ['chat', strings.findEntries.chats],
  ['skill', strings.findEntries.skills],
  ['command', strings.findEntries.commands],
  ['setting', strings.findEntries.settings],
]

function grouped(entries: readonly PaletteEntry[], recent: readonly string[]): Found {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const last = recent.flatMap((id) => byId.get(id) ?? []).slice(0, FEW)
  const seen = new Set(last.map(({ id }) => id))
  const shown = withHeading(last, strings.findEntries.usedLast)
  for (const [kind, heading] of GROUPS) {
    const most = kind === 'command' ? MOST_SHOWN : FEW
    const some = entries.filter((entry) => entry.kind === kind && !seen.has(entry.id)).slice(0, most)
    shown.push(...withHeading(some, heading))
  }
  return { shown: shown.slice(0, MOST_SHOWN), count: entries.length }
}

function withHeading(entries: readonly PaletteEntry[], heading: string): FoundEntry[] {
  return entries.map((entry, place) => (place === 0 ? { ...plain(entry), heading } : plain(entry)))
}

function plain(entry: PaletteEntry): FoundEntry {
  return { entry, at: [] }
}

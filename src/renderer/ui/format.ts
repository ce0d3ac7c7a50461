import { LANGUAGE } from '@shared/catalogue'
import { units } from './unit-strings'

// Numbers, days and plurals follow the language of the texts beside them, not that of the computer: "1.204" in an
// English sentence would be read as another number. Hours are of 24 (ux.md 5.8).
const NUMBER = new Intl.NumberFormat(LANGUAGE)
const CATEGORY = new Intl.PluralRules(LANGUAGE)
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const CLOCK_S = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const WEEKDAY = new Intl.DateTimeFormat(LANGUAGE, { weekday: 'short' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const DAY_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const FULL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY_MS = 24 * HOUR

/** `3180` → `3,180`. */
export function formatNumber(n: number): string {
  return NUMBER.format(n)
}

/** A word in each form that a language has for counts; `other` where it has none of its own. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** The form that goes with a count: `skill` for 1, `skills` for 1,204. */
export function formFor(n: number, forms: Forms): string {
  return forms[CATEGORY.select(n)] ?? forms.other
}

/** The count with its word: `1 skill`, `1,204 skills`. */
export function plural(n: number, forms: Forms): string {
  return `${formatNumber(n)} ${formFor(n, forms)}`
}

/** Token estimates are marked ≈ where a person may take them for exact. */
export function formatTokens(n: number): string {
  return plural(n, units.token)
}

/** An estimate, marked as one; nothing is nothing. */
export function formatEstimate(n: number): string {
  return n === 0 ? '0' : `≈${formatNumber(n)}`
}

/** `1.8 s`, `2 min 14 s`, `1 h 5 min`; under a tenth of a second `0.1 s`. Milliseconds in. */
export function formatDuration(ms: number): string {
  if (ms < 10_000) return units.seconds(Math.max(0.1, ms / 1000).toFixed(1))
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return units.seconds(String(seconds))
  if (seconds < 3600) return units.minutesAndSeconds(Math.floor(seconds / 60), seconds % 60)
  return units.hoursAndMinutes(Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60))
}

/** A running clock: `0:42`, `12:05`, `1:02:03`. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const two = (n: number) => String(n).padStart(2, '0')
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor((seconds % 3600) / 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** Relative under a day, then the weekday, then the date: `now`, `5 min`, `1 h`, `Thu`, `12 Nov`, `3 Sep 2023`. */
export function formatAgo(at: number, now: number): string {
  const ms = Math.max(0, now - at)
  if (ms < MINUTE) return units.now
  if (ms < HOUR) return units.minutes(Math.floor(ms / MINUTE))
  if (ms < DAY_MS) return units.hours(Math.floor(ms / HOUR))
  if (ms < 6 * DAY_MS) return WEEKDAY.format(at)
  return formatDay(at, now)
}

/** `12 Nov`, with the year when it is another one. */
export function formatDay(at: number, now: number): string {
  return (new Date(at).getFullYear() === new Date(now).getFullYear() ? DAY : DAY_YEAR).format(at)
}

/** `14:02`, 24 hours. */
export function formatClock(at: number): string {
  return CLOCK.format(at)
}

/** `14:02:36`. */
export function formatClockSeconds(at: number): string {
  return CLOCK_S.format(at)
}

/** The exact time, for tooltips. */
export function formatExact(at: number): string {
  return FULL.format(at)
}

/** `812 bytes`, `4.1 kB`, `2.0 MB`. */
export function formatBytes(n: number): string {
  if (n < 1000) return plural(n, units.byte)
  if (n < 1_000_000) return units.kilobytes((n / 1000).toFixed(1))
  return units.megabytes((n / 1_000_000).toFixed(1))
}

/** First and last groups of a sha256: `5be0 41d7 … 9a3c`. */
export function shortHash(hash: string): string {
  return hash.length < 16 ? hash : `${hash.slice(0, 4)} ${hash.slice(4, 8)} … ${hash.slice(-4)}`
}

/** Folders that have a shorter name on screen. */
export interface Places {
  homeDir: string
  dataDir: string
}

/** A path as a person reads it: from ~ on, and the folder that a chat without a project works in by its name. */
export function placeName(path: string, places: Places | undefined): string {
  if (!places) return path
  const own = below(path, `${places.dataDir}/workspaces`)
  if (own !== null) return units.ownFolder(own.replace(/^\/[^/]+/, ''))
  const inHome = below(path, places.homeDir)
  return inHome === null ? path : `~${inHome}`
}

/** What follows the folder in the path: "" for the folder itself, "/x" below it, null elsewhere. */
function below(path: string, folder: string): string | null {
  if (path === folder) return ''
  return path.startsWith(`${folder}/`) ? path.slice(folder.length) : null
}

/** Cuts the middle of a path, so that both ends stay readable. */
export function middleCut(path: string, max: number): string {
  if (path.length <= max) return path
  const head = Math.ceil((max - 1) / 2)
  return `${path.slice(0, head)}…${path.slice(path.length - (max - 1 - head))}`
}

import { createValueStage } from './redact-values'

/** A value that must not be seen. */
export interface HeldSecret {
  name: string
  value: string
}

/** Takes secrets out of a text that comes in pieces. What it gives is the same whatever the pieces are. */
export interface Redactor {
  /** What is certain by now; the rest is held until more comes. */
  push(text: string): string
  /** What was held. */
  end(): string
  /** Something is held: more text decides about it. */
  holds(): boolean
  /** Names of the secrets that were found, each once. */
  found(): string[]
}

/**
 * AP-7: exact values, also in base64, in quotes of shells and programs and as they stand in addresses, with codes between
 * their letters or not, as `[redacted:NAME]`; then what looks like a key
 * of a known kind. No other character is changed.
 */
export function createRedactor(secrets: readonly HeldSecret[]): Redactor {
  const names = new Set<string>()
  const values = createValueStage(secrets, names)
  const patterns = createStage(patternFinder, names)
  return {
    push: (text) => patterns.push(values ? values.push(text) : text, false),
    end: () => patterns.push(values ? values.push('', true) : '', true),
    holds: () => patterns.holds() || values?.holds() === true,
    found: () => [...names],
  }
}

/** The same for a text that is whole. */
export function redactText(secrets: readonly HeldSecret[], text: string): string {
  const redactor = createRedactor(secrets)
  return redactor.push(text) + redactor.end()
}

/** All texts of a value as JSON has it, names of fields too, without the values of secrets; keys of known kinds stay. */
export function withoutSecrets<T>(secrets: readonly HeldSecret[], value: T): T {
  return secrets.length === 0 ? value : (cleaned(secrets, value) as T)
}

function cleaned(secrets: readonly HeldSecret[], value: unknown): unknown {
  if (typeof value === 'string') return createValueStage(secrets, new Set())?.push(value, true) ?? value
  if (Array.isArray(value)) return value.map((item) => cleaned(secrets, item))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cleaned(secrets, key), cleaned(secrets, item)]),
  )
}

/** The first place from an index on where something begins: known, or open until more of the text is there. */
type Find = (text: string, from: number, isWhole: boolean) => Place | null
interface Place {
  at: number
  /** null: more text decides. */
  match: { length: number; name: string } | null
}

export interface Stage {
  push(text: string, isLast?: boolean): string
  holds(): boolean
}

function createStage(find: Find, names: Set<string>): Stage {
  /** The character before what is held: what begins within a word is no key. */
  let last = ''
  let held = ''
  return {
    holds: () => held !== '',
    push(text, isLast = false) {
      const all = last + held + text
      let out = ''
      let from = last.length
      for (;;) {
        const place = find(all, from, isLast)
        const end = place?.at ?? all.length
        out += all.slice(from, end)
        if (!place?.match) {
          last = end > 0 ? all.charAt(end - 1) : ''
          held = all.slice(end)
          return out
        }
        names.add(place.match.name)
        out += `[redacted:${place.match.name}]`
        from = end + place.match.length
      }
    },
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}

/** A key of a known kind: what it begins with, and what it is as a whole. */
const KINDS: readonly { starts: string[]; whole: RegExp; name: string }[] = [
  { starts: ['sk-'], whole: /^sk-[A-Za-z0-9_-]{20,}$/, name: 'api-key' },
  { starts: ['sk_live_', 'rk_live_'], whole: /^[sr]k_live_[A-Za-z0-9]{16,}$/, name: 'stripe-key' },
  {
    starts: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    whole: /^gh[pousr]_[A-Za-z0-9]{36,}$/,
    name: 'github-token',
  },
  { starts: ['github_pat_'], whole: /^github_pat_\w{36,}$/, name: 'github-token' },
  { starts: ['AKIA', 'ASIA'], whole: /^A[KS]IA[0-9A-Z]{16}$/, name: 'aws-key' },
  {
    starts: ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-'],
    whole: /^xox[abprs]-[A-Za-z0-9-]{10,}$/,
    name: 'slack-token',
  },
  { starts: ['AIza'], whole: /^AIza[\w-]{35}$/, name: 'google-key' },
  { starts: ['eyJ'], whole: /^eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}$/, name: 'jwt' },
]
const PEM_START = '-----BEGIN '
const STARTS = [...KINDS.flatMap(({ starts }) => starts), PEM_START]
const WORD = /[\w.-]+/y
const PEM = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]{0,16000}?-----END [A-Z ]{0,40}PRIVATE KEY-----/y
/** Longer words are no keys, longer parts between two lines of dashes neither. */
const MAX_WORD = 4096
const MAX_PEM = 16_200
const MAYBE = new RegExp(`(?<![A-Za-z0-9])(?:${STARTS.map(escaped).join('|')})`, 'g')

const patternFinder: Find = (text, from, isWhole) => {
  for (let at = from; ;) {
    MAYBE.lastIndex = at
    const start = MAYBE.exec(text)?.index ?? text.length
    const cut = isWhole ? null : cutStart(text, Math.max(at, text.length - 12), start)
    if (cut !== null) return { at: cut, match: null }
    if (start === text.length) return null
    const found = text.startsWith(PEM_START, start)
      ? pemAt(text, start, isWhole)
      : wordAt(text, start, isWhole)
    if (found) return found
    at = start + 1
  }
}

/** The end of the text may be the beginning of a key's beginning. */
function cutStart(text: string, from: number, to: number): number | null {
  for (let at = from; at < to; at += 1) {
    const rest = text.slice(at)
    const isInside = at > 0 && /[A-Za-z0-9]/.test(text[at - 1]!)
    if (!isInside && STARTS.some((start) => start.length > rest.length && start.startsWith(rest))) return at
  }
  return null
}

function wordAt(text: string, at: number, isWhole: boolean): Place | null {
  WORD.lastIndex = at
  const word = WORD.exec(text)?.[0] ?? ''
  if (word.length > MAX_WORD) return null
  if (!isWhole && at + word.length === text.length) return { at, match: null }
  // A full stop after a key belongs to the sentence.
  const bare = word.replace(/[.]+$/, '')
  const kind = KINDS.find(({ whole }) => whole.test(bare))
  return kind ? { at, match: { length: bare.length, name: kind.name } } : null
}

function pemAt(text: string, at: number, isWhole: boolean): Place | null {
  PEM.lastIndex = at
  const found = PEM.exec(text)?.[0]
  if (found !== undefined) return { at, match: { length: found.length, name: 'private-key' } }
  return !isWhole && text.length - at < MAX_PEM ? { at, match: null } : null
}

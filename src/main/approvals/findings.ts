import type { Finding } from '@shared/domain/approval'
import type { FindingsInput, Level, Rule, Test } from './findings/rule'
import { CODE_RULES } from './findings/rules-code'
import { FILE_RULES } from './findings/rules-files'
import { REACH_RULES } from './findings/rules-reach'
import type { Hits, Source } from './findings/scan'
import { findHits, MAX_LINES, prepareSource } from './findings/scan'

export type { FindingsInput } from './findings/rule'

const RULES: readonly Rule[] = [...REACH_RULES, ...FILE_RULES, ...CODE_RULES]

/** How many fixed rules look at a request; the review names this number. */
export const RULE_COUNT = RULES.length

/**
 * What the fixed rules find in a script, its arguments and the files it names, worst first, at most one per rule.
 * Pure, and linear in the size of the texts. An empty answer doesn't mean safe.
 */
export function findFindings(input: FindingsInput): Finding[] {
  const sources = readSources(input)
  const findings = RULES.map((rule) => findByRule(rule, input, sources)).filter((finding) => finding !== null)
  return findings.sort((a, b) => ORDER[a.level] - ORDER[b.level] || (a.line ?? NO_LINE) - (b.line ?? NO_LINE))
}

const ORDER: Readonly<Record<Level, number>> = { serious: 0, notable: 1, information: 2 }
const NO_LINE = Number.MAX_SAFE_INTEGER

interface Place {
  /** Empty for the script itself. */
  name: string
  source: Source
}

interface Hit extends Hits {
  test: Test
  place: string
}

function readSources(input: FindingsInput): Place[] {
  const places: Place[] = []
  if (input.scriptText !== null)
    places.push({ name: '', source: prepareSource(input.scriptPath, input.scriptText) })
  for (const file of input.otherFiles ?? []) {
    if (file.text !== null && isNamed(file.path, input)) {
      places.push({ name: file.path, source: prepareSource(file.path, file.text) })
    }
  }
  return places
}

const CODE_FILE = /\.(?:sh|bash|zsh|py|[cm]?js|[cm]?ts|rb|pl|pm|php)$/

/** True for another code file whose name stands in the script: it may be run or imported from there. */
function isNamed(path: string, input: FindingsInput): boolean {
  if (path === input.scriptPath || !CODE_FILE.test(path)) return false
  const base = path.slice(path.lastIndexOf('/') + 1).replace(CODE_FILE, '')
  return base.length > 1 && (input.scriptText ?? '').includes(base)
}

function findByRule(rule: Rule, input: FindingsInput, places: readonly Place[]): Finding | null {
  const checked = rule.check?.(input)
  if (checked) return { id: rule.id, level: rule.level, title: rule.title, ...checked }
  const hit = worstHit(rule, places) ?? (rule.args ? argumentHit(rule, input) : null)
  if (!hit) return null
  const level = hit.test.level ?? rule.level
  const adjusted = rule.adjust?.(input, level) ?? { level, note: '' }
  const text = [where(hit), hit.test.text ?? rule.text, adjusted.note].filter((part) => part !== '').join(' ')
  const finding: Finding = { id: rule.id, level: adjusted.level, title: rule.title, text }
  if (hit.place === '') finding.line = hit.line
  return finding
}

/** The first hit in the script, else in a file it names; a test with a graver level goes before the others. */
function worstHit(rule: Rule, places: readonly Place[]): Hit | null {
  for (const { name, source } of places) {
    const hits = (rule.tests ?? []).flatMap((test) => {
      if (test.only && !test.only.includes(source.language)) return []
      const found = findHits(source, test.pattern)
      return found ? [{ ...found, test, place: name }] : []
    })
    if (hits.length > 0) return merge(rule, hits)
  }
  return null
}

function merge(rule: Rule, hits: readonly Hit[]): Hit | null {
  const grave = Math.min(...hits.map((hit) => ORDER[hit.test.level ?? rule.level]))
  const same = hits.filter((hit) => ORDER[hit.test.level ?? rule.level] === grave)
  const first = same.reduce((a, b) => (b.line < a.line ? b : a))
  return { ...first, lines: Math.max(...same.map((hit) => hit.lines)) }
}

function argumentHit(rule: Rule, input: FindingsInput): Hit | null {
  const code = input.args.join('\n')
  for (const test of rule.tests ?? []) {
    const found = findHits({ code, text: code }, test.pattern)
    if (found) return { ...found, test, place: 'an argument' }
  }
  return null
}

function where(hit: Hit): string {
  const line = hit.place === 'an argument' ? 'In an argument' : `Line ${hit.line}`
  const place = hit.place === '' || hit.place === 'an argument' ? '' : ` of ${hit.place}`
  if (hit.lines <= 1) return `${line}${place}.`
  return `${line}${place}, ${hit.lines >= MAX_LINES ? `${MAX_LINES} or more` : hit.lines} lines.`
}

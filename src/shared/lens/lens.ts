import { CLIENTS } from './clients'
import type { LensClientId } from './clients'
import { lensFacts } from './facts'
import type { LensFacts, LensPlace, LensSkill } from './facts'
import { FIELD_RULES, TEXT_RULES } from './field-rules'
import { LOAD_RULES } from './rules'
import type { LensEffect, LensRule, Saying } from './rules'

/** One thing that a program does with this skill, and where the reason stands. */
export interface LensStatement extends Saying, LensPlace {
  rule: string
  /** What it is about. */
  title: string
  fix?: string
}

/** What another program would do with a skill (`management.md` 2.12, M11). */
export interface LensView {
  client: LensClientId
  label: string
  /** The gravest of the statements; `fine` without any. */
  verdict: LensEffect
  statements: LensStatement[]
  /** What it would list; null where it would not, or nobody knows. */
  listed: { name: string; description: string } | null
}

const GRAVEST: readonly LensEffect[] = ['unseen', 'rejected', 'unknown', 'loss', 'fine']

/** What this program would do with the skill, wherever it lies. Never throws, whatever the text is. */
export function lens(skill: LensSkill, client: LensClientId): LensView {
  const facts = lensFacts(skill)
  const loading = statements(LOAD_RULES, facts, client)
  const using = statements([...FIELD_RULES, ...TEXT_RULES], facts, client)
  const isLost = loading.some(({ effect }) => effect === 'rejected' || effect === 'unseen')
  const all = isLost ? loading : [...loading, ...using]
  // What becomes of a field may be unknown; that the skill is read is not.
  const effects = [...loading, ...(isLost ? [] : using.filter(({ effect }) => effect !== 'unknown'))].map(
    ({ effect }) => effect,
  )
  const verdict = GRAVEST.find((effect) => effects.includes(effect)) ?? 'fine'
  return {
    client,
    label: CLIENTS[client].label,
    verdict,
    statements: all.toSorted((a, b) => GRAVEST.indexOf(a.effect) - GRAVEST.indexOf(b.effect)),
    listed: verdict === 'fine' || verdict === 'loss' ? listed(facts, client) : null,
  }
}

/** The known folder of this program that the copy lies in; null: it lies in none of them. */
export function lensFolder(client: LensClientId, location: string): string | null {
  const { own, inProject } = CLIENTS[client]
  const [, ...below] = location.split('/')
  const path = below.join('/')
  const isOwn = location.startsWith('~/')
  if (isOwn) return own.find((dir) => location.startsWith(`${dir}/`)) ?? null
  return inProject.find((dir) => path.startsWith(`${dir}/`) || path.includes(`/${dir}/`)) ?? null
}

function statements(rules: readonly LensRule[], facts: LensFacts, client: LensClientId): LensStatement[] {
  return rules.flatMap(({ id, title, when, fix, says }) => {
    const place = when(facts)
    if (!place) return []
    const saying = says[client]
    const isWorse = saying.effect !== 'fine'
    return [{ rule: id, title, ...saying, ...place, ...(isWorse && fix !== undefined ? { fix } : {}) }]
  })
}

/** Longest entry in the list of Claude Code. */
const CLAUDE_LISTED = 1536

function listed(facts: LensFacts, client: LensClientId): LensView['listed'] {
  const { name, folder, description, parsed } = facts
  if (client === 'claude-code') {
    const when = parsed.frontmatter['when_to_use']
    const text = description.trim() === '' ? firstParagraph(parsed.body) : description
    const whole = typeof when === 'string' ? `${text.trim()} ${when}` : text
    return { name: folder, description: Array.from(whole.trim()).slice(0, CLAUDE_LISTED).join('') }
  }
  if (client === 'codex')
    return { name: name || folder, description: description.replace(/\s+/g, ' ').trim() }
  if (client === 'gemini-cli') return { name: name.replace(/[:\\/<>*?"|]/g, '-'), description }
  return { name, description }
}

function firstParagraph(body: string): string {
  const paragraphs = body.split(/\n[ \t]*\n/).map((text) => text.trim())
  return paragraphs.find((text) => text !== '' && !text.startsWith('#')) ?? ''
}

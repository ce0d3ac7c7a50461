import { matchesOperators, parseSkillQuery } from '@shared/skill-query'
import type { SkillQuery } from '@shared/skill-query'
import type { SkillHit } from '@shared/domain/skill'
import type { SkillEntry } from '../../main/skills/record'
import { summaryOf } from '../../main/skills/registry/summary'
import { wrongUse } from '../grammar/command'
import type { Given, Outcome } from '../grammar/command'
import { counted, cutTo, shown } from '../terminal/output'
import type { Style } from '../terminal/output'
import { queryText, unknownOperators, unknownFroms } from '../grammar/query'
import { noticesOf, noticeText, rowOf } from '../row'
import { findTexts } from '../here/skill-texts-index'
import { openSkillsHere } from '../here/skills'
import type { SkillsHere } from '../here/skills'
import { scopeWord, statusWord } from '../terminal/statuses'
import type { World } from '../world'

/** One skill that was found. `hit` is null where only operators were asked for. */
interface Match {
  entry: SkillEntry
  hit: SkillHit | null
}

const LIMIT = 20
const MAX_LIMIT = 1000

/** `satchel skills search`: best first, each with the text that was found. */
export async function run(given: Given, world: World): Promise<Outcome> {
  const limit = limitOf(given)
  const here = await openSkillsHere(given, world)
  try {
    const text = queryText(given.words)
    const query = parseSkillQuery(text)
    const all = matches(here, query, hasText(query) ? findTexts(here, world, text) : null)
    const found = all.slice(0, limit)
    const notices = [...unknownOperators(query), ...unknownFroms(query, here), ...noticesOf(here)]
    return {
      result: {
        query: text,
        total: all.length,
        skills: found.map((match) => matchRow(here, match)),
        notices,
      },
      text: (style, err) => ({
        out: [...found.map((match) => matchLines(match, style)), countLine(all.length, found.length)].join(
          '\n',
        ),
        err: noticeText(notices, err),
      }),
    }
  } finally {
    here.close()
  }
}

function limitOf({ values }: Given): number {
  const text = values.get('limit')
  if (text === undefined) return LIMIT
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit
  throw wrongUse(
    `--limit can't be "${text}". It is a number from 1 to ${MAX_LIMIT}.`,
    'satchel skills search --limit 50 <word ...>',
  )
}

function hasText({ words, phrases }: SkillQuery): boolean {
  return words.length + phrases.length > 0
}

function matches(here: SkillsHere, query: SkillQuery, hits: readonly SkillHit[] | null): Match[] {
  const entries = here.registry.list(here.projectDir)
  const fitting = entries.filter((entry) => matchesOperators(query, summaryOf(entry)))
  if (hits === null) return fitting.map((entry) => ({ entry, hit: null }))
  const byKey = new Map(fitting.map((entry) => [entry.record.key, entry]))
  return hits.flatMap((hit) => {
    const entry = byKey.get(hit.key)
    return entry ? [{ entry, hit }] : []
  })
}

function matchRow(here: SkillsHere, { entry, hit }: Match): Record<string, unknown> {
  if (!hit) return { ...rowOf(here, entry) }
  const { where, file, snippet } = hit
  return {
    ...rowOf(here, entry),
    where,
    ...(file === undefined ? {} : { file }),
    snippet: snippet.replace(MARKS, ''),
  }
}

/** The marks around found words. */
const MARKS = /[\ue000\ue001]/gu

function matchLines({ entry, hit }: Match, style: Style): string {
  const { record, status } = entry
  const { text, paint } = statusWord(entry)
  const state = status === 'effective' ? '' : `, ${style.paint(paint, text)}`
  const head = `${style.paint('strong', shown(record.name))}  ${shown(scopeWord(record))}${state}`
  // Only the best hundred have a snippet, and a body may hold nothing.
  if (!hit || hit.snippet === '') return `${head}\n  ${cutTo(shown(record.description), style.width - 2)}`
  const where = hit.file ?? (hit.where === 'body' ? 'SKILL.md' : hit.where)
  const room = style.width - where.length - 4
  return `${head}\n  ${style.paint('quiet', `${shown(where)}:`)} ${snippetText(hit.snippet, room, style)}`
}

/** Cut before it is painted, because codes of colours take no room. */
function snippetText(snippet: string, room: number, style: Style): string {
  const parts = snippet.split(/([\ue000\ue001])/u)
  const out: string[] = []
  let left = Math.max(20, room)
  let found = false
  for (const part of parts) {
    if (part === '\ue000' || part === '\ue001') {
      found = part === '\ue000'
      continue
    }
    const text = cutTo(shownPart(part), left)
    left -= text.length
    out.push(found ? style.paint('warn', text) : text)
    if (left <= 1) break
  }
  return out.join('')
}

/** Like `shown`, with the spaces at the ends that stand between two parts. */
function shownPart(part: string): string {
  const [start = ''] = /^\s*/.exec(part) ?? []
  const text = shown(part)
  if (text === '') return start === '' ? '' : ' '
  return `${start === '' ? '' : ' '}${text}${/\s$/.test(part) ? ' ' : ''}`
}

function countLine(total: number, listed: number): string {
  if (total === 0) return 'No skill was found.'
  const more = total > listed ? ` The best ${listed} are listed; --limit shows more.` : ''
  return `${counted(total, 'skill')} found.${more}`
}

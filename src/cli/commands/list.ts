import type { Scope } from '@shared/domain/skill'
import { foldText } from '@shared/fold-text'
import { matchesOperators, parseSkillQuery } from '@shared/skill-query'
import type { SkillQuery } from '@shared/skill-query'
import type { SkillEntry } from '../../main/skills/record'
import { summaryOf } from '../../main/skills/registry/summary'
import type { Given, Outcome } from '../grammar/command'
import { counted, shown } from '../terminal/output'
import type { Style } from '../terminal/output'
import { queryText, unknownOperators, unknownFroms } from '../grammar/query'
import { noticesOf, noticeText, rowOf, tokensWord } from '../row'
import { openSkillsHere } from '../here/skills'
import type { SkillsHere } from '../here/skills'
import { scopeWord, statusWord } from '../terminal/statuses'
import { table } from '../terminal/table'
import type { Cell, Column } from '../terminal/table'
import type { World } from '../world'

/** `satchel skills list`: without `--all`, one row for each name, and what is in the way of others. */
export async function run(given: Given, world: World): Promise<Outcome> {
  const here = await openSkillsHere(given, world)
  try {
    const query = parseSkillQuery(queryText(given.words))
    const fitting = fittingEntries(here, given, query)
    const shownOnes = given.flags.has('all') ? fitting : fitting.filter((entry) => !isSecondary(entry))
    const notices = [...unknownOperators(query), ...unknownFroms(query, here), ...noticesOf(here)]
    return {
      result: {
        project: here.projectDir,
        trusted: here.trusted,
        skills: shownOnes.map((entry) => rowOf(here, entry)),
        hidden: fitting.length - shownOnes.length,
        notices,
      },
      text: (out, err) => ({
        out: [...rows(shownOnes, out), countLine(shownOnes, fitting.length - shownOnes.length)].join('\n'),
        err: noticeText(notices, err),
      }),
    }
  } finally {
    here.close()
  }
}

const COLUMNS: readonly Column[] = [
  { title: 'NAME', shrinksTo: 20 },
  { title: 'SCOPE', shrinksTo: 10 },
  { title: 'STATUS' },
  { title: 'TOKENS', align: 'right' },
  { title: 'DESCRIPTION', shrinksTo: 12 },
]

function rows(entries: readonly SkillEntry[], style: Style): string[] {
  if (entries.length === 0) return []
  return [table(COLUMNS, entries.map(cells), style)]
}

/** The reason stands where the description would: it is what matters about a skill that is not used. */
function cells(entry: SkillEntry): Cell[] {
  const { record, status, statusReason } = entry
  const about = status === 'effective' || statusReason === '' ? record.description : statusReason
  return [
    { text: shown(record.name), paint: 'strong' },
    { text: shown(scopeWord(record)) },
    statusWord(entry),
    { text: tokensWord(record), paint: 'quiet' },
    { text: shown(about) },
  ]
}

function countLine(entries: readonly SkillEntry[], hidden: number): string {
  const more = hidden === 0 ? '' : ` ${counted(hidden, 'more copy', 'more copies')} with --all.`
  if (entries.length === 0) return `No skill.${more}`
  return `${counted(entries.length, 'skill')}.${more}`
}

/** Shadowed copies, and skills inside others: part of the picture only when all of it is asked for. */
function isSecondary({ record, status }: SkillEntry): boolean {
  return status === 'shadowed' || record.parent !== null
}

function fittingEntries(here: SkillsHere, given: Given, query: SkillQuery): SkillEntry[] {
  const scope = given.values.get('scope') as Scope | undefined
  return here.registry
    .list(here.projectDir)
    .filter(({ record }) => scope === undefined || record.scope === scope)
    .filter((entry) => matchesOperators(query, summaryOf(entry)) && holdsWords(entry, query))
}

/** Every word in name, description or tags; `search` looks into the rest. */
function holdsWords({ record }: SkillEntry, { words, phrases, excluded }: SkillQuery): boolean {
  if (words.length + phrases.length + excluded.length === 0) return true
  const text = foldText([record.name, record.label, record.description, ...record.tags].join('\n'))
  return (
    [...words, ...phrases].every((word) => text.includes(foldText(word))) &&
    !excluded.some((word) => text.includes(foldText(word)))
  )
}

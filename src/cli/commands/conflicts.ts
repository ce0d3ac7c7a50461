import { foldName } from '@shared/skill-md/skill-name'
import type { SkillEntry } from '../../main/skills/record'
import type { Given, Outcome } from '../grammar/command'
import { counted, shown, wrapped } from '../terminal/output'
import type { Style } from '../terminal/output'
import { noticesOf, noticeText, rowOf } from '../row'
import { openSkillsHere } from '../here/skills'
import type { SkillsHere } from '../here/skills'
import { scopeWord, statusWord } from '../terminal/statuses'
import { table } from '../terminal/table'
import type { World } from '../world'

/** `satchel skills conflicts`: every name with more than one copy. */
export async function run(given: Given, world: World): Promise<Outcome> {
  const here = await openSkillsHere(given, world)
  try {
    const groups = groupsOf(here.registry.list(here.projectDir))
    const notices = noticesOf(here)
    return {
      result: {
        conflicts: groups.map((copies) => ({
          name: copies[0]!.record.name,
          used: usedKey(here, copies),
          copies: copies.map((entry) => rowOf(here, entry)),
        })),
        notices,
      },
      text: (style, err) => ({
        out: [...groups.map((copies) => `${groupText(copies, style)}\n`), countLine(groups)].join('\n'),
        err: noticeText(notices, err),
      }),
    }
  } finally {
    here.close()
  }
}

function usedKey({ placeOf }: SkillsHere, copies: readonly SkillEntry[]): string | null {
  const used = copies.find(({ status }) => status === 'effective')
  return used ? placeOf(used.record).key : null
}

/** Skills inside others are called by both names, so they conflict with none. */
function groupsOf(entries: readonly SkillEntry[]): SkillEntry[][] {
  const groups = new Map<string, SkillEntry[]>()
  for (const entry of entries) {
    if (entry.record.parent !== null) continue
    const name = foldName(entry.record.name)
    const known = groups.get(name)
    if (known) known.push(entry)
    else groups.set(name, [entry])
  }
  return [...groups.values()].filter((copies) => copies.length > 1)
}

function groupText(copies: readonly SkillEntry[], style: Style): string {
  const { name } = copies[0]!.record
  const rows = copies.map((entry) => [
    { text: `  ${shown(scopeWord(entry.record))}` },
    statusWord(entry),
    { text: shown(entry.record.location) },
  ])
  const columns = [{ title: '  SCOPE' }, { title: 'STATUS' }, { title: 'WHERE', shrinksTo: 20 }]
  const [, ...lines] = table(columns, rows, style).split('\n')
  const why = copies.flatMap((entry) => reason(entry, style))
  return [style.paint('strong', shown(name)), ...lines, ...why].join('\n')
}

function reason({ record, status, statusReason, pinned }: SkillEntry, style: Style): string[] {
  const says = status === 'effective' && pinned ? 'You chose this copy for the project.' : statusReason
  if (says === '') return []
  const text = `${scopeWord(record)}, ${record.location}: ${says}`
  return [`    ${style.paint('quiet', wrapped(shown(text), style.width, 4))}`]
}

function countLine(groups: readonly unknown[]): string {
  if (groups.length === 0) return 'No name has more than one copy.'
  return `${counted(groups.length, 'name')} with more than one copy.`
}

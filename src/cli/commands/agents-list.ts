import { SCOPE_NAMES } from '@shared/scope-names'
import type { AgentEntry } from '../../main/agents/precedence'
import { summaryOf } from '../../main/agents/summary'
import { openAgentsHere } from '../here/agents'
import type { AgentsHere } from '../here/agents'
import type { Given, Outcome } from '../grammar/command'
import { counted, shown } from '../terminal/output'
import type { Style } from '../terminal/output'
import { isAtLeast } from '../check/problems'
import { noticeText } from '../row'
import { statusWord } from '../terminal/statuses'
import { table } from '../terminal/table'
import type { Cell, Column } from '../terminal/table'
import type { World } from '../world'

/** `satchel agents list`: without `--all`, one row for each name. */
export async function run(given: Given, world: World): Promise<Outcome> {
  const here = await openAgentsHere(given, world)
  try {
    const { projectDir, trusted } = here.skills
    const all = here.agents.list(projectDir)
    const listed = given.flags.has('all') ? all : all.filter(({ status }) => status !== 'shadowed')
    const rows = listed.map((entry) => ({ entry, problems: here.problemsOf(entry) }))
    return {
      result: {
        project: projectDir,
        trusted,
        agents: rows.map(({ entry, problems }) => ({ ...summaryOf(entry), path: entry.path, problems })),
        hidden: all.length - listed.length,
        notices: here.notices,
      },
      text: (out, err) => ({
        out: [
          ...(rows.length === 0 ? [] : [listText(here, listed, out)]),
          countLine(listed.length, all.length - listed.length),
        ].join('\n'),
        err: noticeText(here.notices, err),
      }),
    }
  } finally {
    here.close()
  }
}

const COLUMNS: readonly Column[] = [
  { title: 'NAME', shrinksTo: 20 },
  { title: 'SCOPE' },
  { title: 'STATUS' },
  { title: 'MODEL', shrinksTo: 12 },
  { title: 'SKILLS', align: 'right' },
  { title: 'TOKENS', align: 'right' },
  { title: 'DESCRIPTION', shrinksTo: 12 },
]

function listText(here: AgentsHere, entries: readonly AgentEntry[], style: Style): string {
  return table(
    COLUMNS,
    entries.map((entry) => cells(here, entry)),
    style,
  )
}

/** The reason stands where the description would; a problem is counted behind the status. */
function cells(here: AgentsHere, entry: AgentEntry): Cell[] {
  const { agent, scope, statusReason } = entry
  const problems = here.problemsOf(entry).filter((item) => isAtLeast(item, 'warning')).length
  const { text, paint } = statusWord(entry)
  const status =
    problems > 0 && entry.status === 'effective' ? `${text}, ${counted(problems, 'problem')}` : text
  return [
    { text: shown(agent.name), paint: 'strong' },
    { text: SCOPE_NAMES[scope] },
    { text: status, paint },
    { text: agent.model === null ? 'default' : shown(agent.model) },
    { text: String(agent.usesSkills.length), paint: 'quiet' },
    { text: `≈${summaryOf(entry).tokens.toLocaleString('en-US')}`, paint: 'quiet' },
    { text: shown(statusReason === '' ? agent.description : statusReason) },
  ]
}

function countLine(count: number, hidden: number): string {
  const more = hidden === 0 ? '' : ` ${counted(hidden, 'more file')} with --all.`
  return `${counted(count, 'agent')}.${more}`
}

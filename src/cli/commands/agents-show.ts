import { AppError } from '@shared/errors'
import type { Diagnostic } from '@shared/domain/skill'
import { SCOPE_NAMES } from '@shared/scope-names'
import { nearestNames } from '../../main/skills/registry/nearest'
import type { AgentEntry } from '../../main/agents/precedence'
import { summaryOf } from '../../main/agents/summary'
import { openAgentsHere } from '../here/agents'
import type { AgentsHere } from '../here/agents'
import type { Given, Outcome } from '../grammar/command'
import { counted, shown, shownLines, wrapped } from '../terminal/output'
import type { Style } from '../terminal/output'
import { displayPath } from '../here/places'
import { countSeverities, countsText, problemLines } from '../check/problems'
import { noticeText } from '../row'
import { statusWord } from '../terminal/statuses'
import type { World } from '../world'

/** `satchel agents show`. */
export async function run(given: Given, world: World): Promise<Outcome> {
  const here = await openAgentsHere(given, world)
  try {
    const entry = named(here, given.words[0]!)
    const { agent } = entry
    if (given.flags.has('role')) {
      return { result: { name: agent.name, role: agent.role }, text: () => ({ out: shownLines(agent.role) }) }
    }
    const problems = here.problemsOf(entry)
    return {
      result: {
        ...summaryOf(entry),
        path: entry.path,
        role: agent.role,
        overrides: agent.overrides,
        frontmatter: agent.frontmatter,
        problems,
        notices: here.notices,
      },
      text: (style, err) => ({
        out: showText({ entry, problems, where: displayPath(world, entry.path) }, style),
        err: noticeText(here.notices, err),
      }),
    }
  } finally {
    here.close()
  }
}

/** `name`, or `name@scope` for one that another replaces. The used one; without any, the first that has the name, which says what is wrong with it. */
function named({ agents, skills }: AgentsHere, asked: string): AgentEntry {
  const list = agents.list(skills.projectDir)
  const [wanted = '', scope] = asked.trim().toLowerCase().split('@')
  const found = list.find(
    (entry) => entry.agent.name.toLowerCase() === wanted && (scope === undefined || entry.scope === scope),
  )
  if (found) return found
  const near = nearestNames(
    wanted,
    list.map(({ agent }) => agent.name),
  )
  const hint = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : ''
  throw new AppError('not_found', `There is no agent "${asked}".${hint}`)
}

interface Shown {
  entry: AgentEntry
  problems: Diagnostic[]
  where: string
}

const LABEL = 13

function showText(seen: Shown, style: Style): string {
  const { agent } = seen.entry
  const title = countsText(countSeverities(seen.problems))
  return [
    style.paint('strong', shown(agent.label)),
    wrapped(shown(agent.description) || 'No description.', Math.min(100, style.width), 0),
    '',
    ...fields(seen)
      .filter(([, value]) => value !== '')
      .map(
        ([label, value]) =>
          `${style.paint('quiet', label.padEnd(LABEL))}${wrapped(shown(value), style.width, LABEL)}`,
      ),
    ...textBlock('Role', agent.role, style),
    ...textBlock('Sent last', agent.overrides, style),
    ...(seen.problems.length === 0 ? [] : ['', style.paint('strong', title)]),
    ...seen.problems.map((item) => problemLines('', { ...item, file: seen.where }, style)),
  ].join('\n')
}

function fields({ entry, where }: Shown): [string, string][] {
  const { agent, scope, digest, statusReason } = entry
  const tools = Object.entries(agent.tools).map(([tool, setting]) => `${tool} ${setting}`)
  return [
    ['Name', agent.name],
    ['Scope', SCOPE_NAMES[scope]],
    ['Status', [statusWord(entry).text, statusReason].filter(Boolean).join('. ')],
    ['Where', where],
    [
      'Model',
      [agent.model ?? 'the default', agent.fallback && `else ${agent.fallback}`].filter(Boolean).join(', '),
    ],
    ['Thinking', agent.thinking ?? ''],
    ['Style', agent.style ?? 'as set in Settings'],
    ['Always uses', agent.usesSkills.join(', ')],
    ['Sees', skillsText(agent.skills)],
    ['Tools', tools.join(', ')],
    ['Mode', agent.mode],
    ['Limits', limitsText(agent.limits)],
    ['Subagents', agent.subagents.join(', ')],
    ['Tokens', `≈${summaryOf(entry).tokens.toLocaleString('en-US')} in every call`],
    ['Digest', `sha256:${digest}`],
  ]
}

function skillsText({ only, tags, except }: AgentEntry['agent']['skills']): string {
  const parts = [
    only === null ? 'every skill' : only.length === 0 ? 'no skill' : only.join(', '),
    tags === null ? '' : `tagged ${tags.join(' or ')}`,
    except.length === 0 ? '' : `but not ${except.join(', ')}`,
  ]
  return parts.filter((part) => part !== '').join(' ')
}

function limitsText({ steps, minutes, tokens, activeSkills }: AgentEntry['agent']['limits']): string {
  const parts = [
    steps === null ? '' : counted(steps, 'step'),
    minutes === null ? '' : counted(minutes, 'minute'),
    tokens === null ? '' : `${tokens.toLocaleString('en-US')} tokens`,
    activeSkills === null ? '' : counted(activeSkills, 'active skill'),
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function textBlock(title: string, text: string, style: Style): string[] {
  return text === '' ? [] : ['', style.paint('strong', title), shownLines(text)]
}

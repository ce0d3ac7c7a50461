import type { Diagnostic } from '@shared/domain/skill'
import { agentUnknown } from '@shared/skill-check/agent-unknown'
import { fieldUse } from '@shared/skill-md/field-table'
import { createCheckEnvironment } from '../../main/skills/registry/check-environment'
import { agentNames } from '../../main/agents/registry'
import { readFull } from '../../main/skills/scan/facts'
import type { FullFacts } from '../../main/skills/scan/facts'
import { originOf } from '../../main/skills/sources/git-source'
import type { SkillEntry } from '../../main/skills/record'
import { agentsOf } from '../here/agents'
import { problemsBeside } from '../here/beside'
import type { Given, Outcome } from '../grammar/command'
import { counted, shown, shownLines, wrapped } from '../terminal/output'
import type { Style } from '../terminal/output'
import { displayPath } from '../here/places'
import { countSeverities, countsText, isAtLeast, problemLines, sortedProblems } from '../check/problems'
import { noticeText, rowOf } from '../row'
import { meansPath, skillInFolder, skillNamed } from '../here/skill-at'
import type { SkillAt } from '../here/skill-at'
import { openSkillsHere } from '../here/skills'
import type { SkillsHere } from '../here/skills'
import { scopeWord, statusWord } from '../terminal/statuses'
import { treeStateOf } from '../here/tree-state'
import type { TreeState } from '../here/tree-state'
import type { World } from '../world'

/** Everything that is shown of one skill. */
interface Shown {
  skill: SkillAt
  facts: FullFacts
  tree: TreeState | null
  /** Why there is no digest, where nothing else says it; else empty. */
  noTree: string
  copies: readonly SkillEntry[]
  diagnostics: Diagnostic[]
}

/** `satchel skills show`. */
export async function run(given: Given, world: World): Promise<Outcome> {
  const here = await openSkillsHere(given, world)
  try {
    const asked = given.words[0]!
    const skill = meansPath(world, asked)
      ? known(here, skillInFolder(world, asked))
      : skillNamed(here, world, asked)
    const facts = await factsOf(here, world, skill)
    if (given.flags.has('body')) {
      const { body } = facts.parsed
      return { result: { name: skill.name, body }, text: () => ({ out: shownLines(body) }) }
    }
    const shownSkill = await lookAt(here, skill, facts, namesOfAgents(here, world))
    return {
      result: { ...resultOf(here, shownSkill), notices: here.notes },
      text: (style, err) => ({ out: textOf(shownSkill, world, style), err: noticeText(here.notes, err) }),
    }
  } finally {
    here.close()
  }
}

/** The copy that a scope has of this folder, the used one first. */
function known({ registry, projectDir }: SkillsHere, skill: SkillAt): SkillAt {
  const entry = registry.list(projectDir).find(({ record }) => record.rootDir === skill.dir)
  return entry ? { ...skill, name: entry.record.name, entry } : skill
}

async function factsOf({ registry }: SkillsHere, world: World, skill: SkillAt): Promise<FullFacts> {
  const { entry, skillMd, dir, folder } = skill
  if (entry) return registry.facts(entry.record.key)
  const place = { skillMd, realDir: dir, folder, allowHardLinks: false }
  return readFull(place, createCheckEnvironment(world.env))
}

/** Of the agents that can be used here. */
function namesOfAgents(here: SkillsHere, world: World): string[] {
  const agents = agentsOf(here, world)
  try {
    return agentNames(agents, here.projectDir)
  } finally {
    agents.close()
  }
}

async function lookAt(
  here: SkillsHere,
  skill: SkillAt,
  facts: FullFacts,
  agents: readonly string[],
): Promise<Shown> {
  const record = skill.entry?.record
  const copies = record ? here.registry.copies(here.projectDir, record.name) : []
  const beside = record ? (problemsBeside(here).get(record.key) ?? []) : []
  const others = [...agentUnknown(facts.parsed, agents), ...beside]
  const seen = { skill, facts, copies, diagnostics: sortedProblems([...facts.diagnostics, ...others]) }
  // Its status says why.
  if (record?.unread) return { ...seen, tree: null, noTree: '' }
  try {
    return { ...seen, tree: await treeStateOf(skill), noTree: '' }
  } catch (error) {
    return { ...seen, tree: null, noTree: error instanceof Error ? error.message : String(error) }
  }
}

function resultOf(
  here: SkillsHere,
  { skill, facts, tree, copies, diagnostics }: Shown,
): Record<string, unknown> {
  const { parsed } = facts
  const origin = skill.entry && originOf(skill.entry.record.root)
  return {
    ...(skill.entry
      ? rowOf(here, skill.entry)
      : { name: skill.name, path: skill.dir, description: parsed.description }),
    problems: diagnostics.filter((item) => isAtLeast(item, 'warning')).length,
    frontmatter: parsed.frontmatter,
    fields: Object.keys(parsed.frontmatter).map((key) => ({ key, ...fieldUse(key) })),
    ...(origin === undefined ? {} : { origin }),
    digest: tree === null ? null : `sha256:${tree.digest}`,
    file_list: (tree?.files ?? []).map(({ path, size, executable }) => ({ path, size, executable })),
    ...(tree?.blocked ? { scripts_blocked: tree.blocked } : {}),
    copies: copies.map((entry) => rowOf(here, entry)),
    diagnostics,
  }
}

const LABEL = 13
/** Files that are listed by name. */
const MAX_FILES = 20

function textOf(seen: Shown, world: World, style: Style): string {
  const { skill, facts } = seen
  const lines = [
    style.paint('strong', shown(skill.name)),
    wrapped(shown(facts.parsed.description) || 'No description.', Math.min(100, style.width), 0),
    '',
    ...fieldLines(seen, world, style),
    ...headerLines(seen, style),
    ...copyLines(seen, style),
    ...fileLines(seen, style),
    ...problemsOf(seen, style),
  ]
  return lines.join('\n')
}

function fieldLines({ skill, facts, tree, noTree }: Shown, world: World, style: Style): string[] {
  const { entry } = skill
  const { parsed } = facts
  const fields: [string, string][] = [
    ['Scope', entry ? scopeWord(entry.record) : 'none: no scope reaches this folder'],
    [
      'Status',
      entry ? [statusWord(entry).text, entry.statusReason].filter(Boolean).join('. ') : 'not in use',
    ],
    ['Where', displayPath(world, skill.told)],
    ['Git', gitText(skill)],
    ['Tokens', entry && !entry.record.unread ? tokensText(entry.record.tokens) : ''],
    ['Called by', callers(parsed)],
    ['Tools', parsed.allowedTools.join(', ')],
    ['Tags', parsed.tags.join(', ')],
    ['Author', parsed.author ?? ''],
    ['License', parsed.license ?? ''],
    ['Digest', tree === null ? noTree && `none: ${noTree}` : `sha256:${tree.digest}`],
    ['Scripts', tree?.blocked ? `none can run: ${tree.blocked}` : ''],
  ]
  return fields
    .filter(([, value]) => value !== '')
    .map(
      ([label, value]) =>
        `${style.paint('quiet', label.padEnd(LABEL))}${wrapped(shown(value), style.width, LABEL)}`,
    )
}

function gitText({ entry }: SkillAt): string {
  return (entry && originOf(entry.record.root)) ?? ''
}

/** Every key of the header, and what Satchel does with it. */
function headerLines({ facts }: Shown, style: Style): string[] {
  const keys = Object.keys(facts.parsed.frontmatter)
  if (keys.length === 0) return []
  const width = Math.min(28, Math.max(...keys.map((key) => shown(key).length)))
  const lines = keys.map(
    (key) => `  ${shown(key).padEnd(width)}  ${style.paint('quiet', fieldUse(key).what)}`,
  )
  return ['', style.paint('strong', 'Header'), ...lines]
}

function callers(parsed: FullFacts['parsed']): string {
  if (parsed.disableModelInvocation)
    return parsed.userInvocable ? 'people only; hidden from agents' : 'nobody'
  return parsed.userInvocable ? '' : 'agents only'
}

function tokensText({ catalogue, body, files }: { catalogue: number; body: number; files: number }): string {
  const [a, b, c] = [catalogue, body, files].map((count) => `≈${count.toLocaleString('en-US')}`)
  return `${a} in the catalogue, ${b} when it is loaded, ${c} in its other files`
}

function copyLines({ copies }: Shown, style: Style): string[] {
  if (copies.length < 2) return []
  const lines = copies.map((entry) => {
    const { text, paint } = statusWord(entry)
    return `  ${shown(scopeWord(entry.record))}, ${style.paint(paint, text)}: ${shown(entry.record.location)}`
  })
  return ['', style.paint('strong', 'Copies'), ...lines]
}

function fileLines({ tree }: Shown, style: Style): string[] {
  if (tree === null) return []
  const { files } = tree
  const lines = files
    .slice(0, MAX_FILES)
    .map(
      ({ path, size, executable }) =>
        `  ${shown(path)}  ${style.paint('quiet', `${sizeText(size)}${executable ? ', executable' : ''}`)}`,
    )
  const more = files.length > MAX_FILES ? [`  and ${counted(files.length - MAX_FILES, 'more file')}`] : []
  return ['', style.paint('strong', counted(files.length, 'file')), ...lines, ...more]
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}

function problemsOf({ diagnostics }: Shown, style: Style): string[] {
  if (diagnostics.length === 0) return []
  const title = style.paint('strong', countsText(countSeverities(diagnostics)))
  return ['', title, ...diagnostics.map((item) => problemLines('', item, style))]
}

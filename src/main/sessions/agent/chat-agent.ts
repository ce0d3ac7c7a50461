import type { ChatAgent } from '@shared/domain/session'
import type { Diagnostic } from '@shared/domain/skill'
import { problem } from '@shared/skill-md/problem'
import { foldName } from '@shared/skill-md/skill-name'
import type { SessionRow } from '../../db/session-rows'
import { agentOf, GENERAL, limitsOf, type Agent } from './agent'
import { agentSkills } from './agent-skills'
import type { SessionDeps } from '../deps'
import { cutInstructions } from '../instructions/project-instructions'
import { subagentsOf } from './subagents'

/** Who a chat is with, for the page. */
export function chatAgent(deps: SessionDeps, session: SessionRow): ChatAgent {
  const agent = agentOf(deps, session)
  const { name, label, scope, digest, unconfirmed } = agent
  const file = fileState(deps, session, agent)
  const told = file === 'inert' ? [inertText(session)] : []
  const skills = skillProblems(deps, session, agent)
  const { problems: missing } = subagentsOf(deps, session, agent)
  return {
    name,
    label,
    scope,
    digest,
    file,
    ...(file === 'changed' ? otherFile(deps, session) : {}),
    problems: [...told, ...textsOf([...skills, ...missing], false)],
    notes: [...textsOf(skills, true), ...cutNotes(deps, session)],
    unconfirmed: [...unconfirmed],
  }
}

function fileState(
  { agents }: SessionDeps,
  { agent: name, agentScope, agentDigest, projectDir }: SessionRow,
  { standsIn }: Agent,
): ChatAgent['file'] {
  if (standsIn && agentScope === 'project') return 'inert'
  if (agentDigest === '') return 'same'
  const now = agents.find(projectDir, name)
  if (!now) return name === GENERAL ? 'same' : 'gone'
  return now.digest === agentDigest ? 'same' : 'changed'
}

function otherFile(
  { agents }: SessionDeps,
  { agent: name, agentScope, projectDir }: SessionRow,
): Pick<ChatAgent, 'otherFile'> {
  const now = agents.find(projectDir, name)
  if (!now || now.scope === agentScope) return {}
  return { otherFile: { scope: now.scope, location: now.location } }
}

function inertText({ agent }: SessionRow): string {
  return `The agent "${agent}" belongs to a project that is not trusted, so General answers. Trust the folder to use it.`
}

/** Skills that it should always use and does not, and which copy is used where there are several. */
function skillProblems(deps: SessionDeps, session: SessionRow, agent: Agent): Diagnostic[] {
  const { activeSkills: max } = limitsOf(deps, agent)
  const { name, usesSkills } = agent
  const { problems, records } = agentSkills(deps.registry, {
    projectDir: session.projectDir,
    agent: name,
    usesSkills,
    max,
  })
  const isActive = (skill: string) =>
    session.activeSkills.some((active) => foldName(active.name) === foldName(skill))
  return [
    ...problems,
    ...records.flatMap((record) => (isActive(record.name) ? [] : [notLoaded(record.name)])),
  ]
}

/** What the agent does not get of the project's instructions. */
function cutNotes({ isTrusted }: SessionDeps, { projectDir }: SessionRow): string[] {
  const cut = projectDir !== null && isTrusted(projectDir) ? cutInstructions(projectDir) : null
  return cut === null ? [] : [cut]
}

function notLoaded(name: string): Diagnostic {
  const message = `"${name}" is not loaded: it is too large, can't be read, or has a hook that a person must start.`
  return problem('warning', 'uses-skill-not-loaded', message, { fix: 'Add it yourself.' })
}

function textsOf(found: readonly Diagnostic[], notes: boolean): string[] {
  return found
    .filter(({ severity }) => (severity === 'info') === notes)
    .map(({ message, fix }) => [message, fix].filter(Boolean).join(' '))
}

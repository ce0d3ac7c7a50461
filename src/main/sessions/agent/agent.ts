import type { AgentLimits, AgentProfile, AgentScope, ToolSetting } from '@shared/domain/agent'
import type { DisclosureStyle } from '@shared/domain/settings'
import { PRACTICE_MODEL } from '@shared/domain/settings'
import { foldName } from '@shared/skill-md/skill-name'
import generalFile from '../../../../resources/agents/general.md?raw'
import { parseAgent } from '../../agents/parse'
import type { ParsedAgent } from '../../agents/parse'
import { agentFile, isAgentConfirmed } from '../../db/agent-rows'
import type { Connection } from '../../db/open'
import { getSession, type SessionRow } from '../../db/session-rows'
import { sha256 } from '../../lib/hash'
import type { SkillRecord } from '../../skills/record'
import type { SessionDeps } from '../deps'
import { isExempt, toolOf } from '../gate/gate'

/** What a chat's agent gives to every model call (`runtime.md` 5). */
export interface Agent extends Omit<AgentProfile, 'style'> {
  /** The body of its file. */
  role: string
  /** `instructions:` of its file, sent last; empty: none. */
  overrides: string
  style: DisclosureStyle
  scope: AgentScope
  digest: string
  /** Tools of a project's file that ask although it says "allow": the person did not confirm it. */
  unconfirmed: readonly string[]
  /** It stands in for the one of a project that is not trusted. */
  standsIn: boolean
  /** The agent that it works for: what that one may not, it may not either. */
  outer?: Agent
}

/** What is needed to know an agent. */
export type AgentDeps = Pick<SessionDeps, 'agents' | 'settings' | 'isTrusted' | 'givenStyle'> & {
  db: Pick<SessionDeps['db'], 'sql'>
}

type Known = Pick<Agent, 'scope' | 'digest' | 'unconfirmed' | 'standsIn'> & { file: ParsedAgent }

/**
 * The agent of a chat, by the file that the chat began with. One of a project counts only while the project is trusted:
 * else, or where its file is lost, the chat is with General.
 */
export function agentOf(deps: AgentDeps, session: SessionRow): Agent {
  const own = ownAgentOf(deps, session)
  const parent = session.fork ? getSession(deps.db.sql, session.fork.parentId) : null
  if (!session.fork || !parent) return own
  const outer = agentOf(deps, parent)
  const mode = MODES.find((other) => other === outer.mode || other === own.mode) ?? outer.mode
  const self = session.fork.kind === 'agent' ? own : roleOf(own, outer)
  return { ...self, mode, outer }
}

/** An agent that a skill names for its fork is a role of the agent that it works for, and what it may not itself. */
function roleOf({ name, label, role, overrides, tools }: Agent, outer: Agent): Agent {
  return { ...outer, name, label, role, overrides, tools, usesSkills: [] }
}

const MODES = ['never', 'every-time', 'ask'] as const

/** By its file alone, also in a fork. */
function ownAgentOf(deps: AgentDeps, session: SessionRow): Agent {
  const { file, ...known } = keptFile(deps, session)
  const { frontmatter: _all, diagnostics: _told, broken: _broken, style, ...profile } = file
  const tools = known.unconfirmed.length > 0 ? askingInstead(profile.tools) : profile.tools
  const mode = session.mode ?? profile.mode
  return {
    ...profile,
    ...known,
    mode,
    tools,
    style: deps.givenStyle ?? style ?? deps.settings().defaultStyle,
  }
}

/** What people call it in requests and notices; the practice agent is always called what it is. */
export function agentLabel(deps: AgentDeps, session: SessionRow): string {
  const { name, label } = agentOf(deps, session)
  return session.model === PRACTICE_MODEL && name === GENERAL ? 'Practice agent' : label
}

/** The agent that is always there. */
export const GENERAL = 'general'

const BUILT_IN: Known = {
  file: parseAgent(Buffer.from(generalFile), GENERAL),
  scope: 'bundled',
  digest: sha256(generalFile),
  unconfirmed: [],
  standsIn: false,
}
export const GENERAL_ROLE = BUILT_IN.file.role

/** General as it is now, whatever became of its file. */
export function generalNow({ agents }: Pick<SessionDeps, 'agents'>, projectDir: string | null): Known {
  const entry = agents.find(projectDir, GENERAL)
  if (!entry || entry.scope === 'project') return BUILT_IN
  const { agent: file, scope, digest } = entry
  return { ...BUILT_IN, file, scope, digest }
}

function keptFile(deps: AgentDeps, session: SessionRow): Known {
  const { agentScope: scope, agentDigest: digest, projectDir } = session
  if (digest === '') return generalNow(deps, projectDir)
  if (scope === 'project' && (projectDir === null || !deps.isTrusted(projectDir))) {
    return { ...generalNow(deps, projectDir), standsIn: true }
  }
  const file = parsedFile(deps, session)
  if (!file) return { ...generalNow(deps, projectDir), standsIn: true }
  const wishes = scope === 'project' ? allowed(file.tools) : []
  const isFree = wishes.length === 0 || isAgentConfirmed(deps.db.sql, projectDir ?? '', digest)
  return { file, scope, digest, unconfirmed: isFree ? [] : wishes, standsIn: false }
}

const REMEMBERED = 50
/** By name and digest: the same bytes always mean the same. */
const parsed = new Map<string, ParsedAgent>()

function parsedFile({ agents, db }: AgentDeps, session: SessionRow): ParsedAgent | null {
  const { agent: name, agentDigest: digest, projectDir } = session
  const key = `${name} ${digest}`
  const known = parsed.get(key)
  if (known) return known
  const now = agents.find(projectDir, name)
  const file = now?.digest === digest ? now.agent : keptText(db.sql, name, digest)
  if (!file) return null
  parsed.set(key, file)
  const oldest = parsed.keys().next().value
  if (parsed.size > REMEMBERED && oldest !== undefined) parsed.delete(oldest)
  return file
}

function keptText(sql: Connection, name: string, digest: string): ParsedAgent | null {
  const text = agentFile(sql, digest)
  return text === null ? null : parseAgent(Buffer.from(text), name)
}

function allowed(tools: AgentProfile['tools']): string[] {
  return Object.keys(tools).filter((tool) => tools[tool] === 'allow')
}

function askingInstead(tools: AgentProfile['tools']): AgentProfile['tools'] {
  const entries = Object.entries(tools).map(([tool, setting]) => [
    tool,
    setting === 'allow' ? 'ask' : setting,
  ])
  return Object.assign(Object.create(null), Object.fromEntries(entries)) as AgentProfile['tools']
}

/** Spellings in an agent's file that stand for a tool of another name. */
const ALIASES: Readonly<Record<string, string>> = {
  scripts: 'skills_run_script',
  script: 'skills_run_script',
}

/**
 * How the agent may use a tool, in any of its spellings: as the file says for it, for its MCP server, or for all others;
 * undefined where it says nothing. Scripts and commands are never `allow`. The stricter of it and of the agent that it
 * works for, where saying nothing is stricter than `allow`.
 */
export function toolSetting(agent: ToolRules, tool: string): ToolSetting | undefined {
  const own = ownSetting(agent, tool)
  if (!agent.outer) return own
  const both = [own, toolSetting(agent.outer, tool)]
  return STRICTEST_FIRST.find((setting) => both.includes(setting))
}

/** Of an agent that may never use a tool and those that it works for: the one whose file says so. */
export function forbiddingAgent(agent: Agent, tool: string): Agent {
  return agent.outer && ownSetting(agent, tool) !== 'never' ? forbiddingAgent(agent.outer, tool) : agent
}

type ToolRules = Pick<Agent, 'tools' | 'mode' | 'outer'>

const STRICTEST_FIRST = ['never', 'ask', undefined, 'allow'] as const

function ownSetting(agent: ToolRules, tool: string): ToolSetting | undefined {
  const wanted = toolOf(tool)
  const runs = wanted === 'bash' || wanted === 'skills_run_script'
  if (runs && agent.mode === 'never') return 'never'
  const settings = Object.entries(agent.tools).map(([name, set]) => [nameOf(name), set] as const)
  const of = (name: string) => strictest(settings.flatMap(([known, set]) => (known === name ? [set] : [])))
  const server = /^(mcp__.+?)__/.exec(wanted)?.[1]
  const others = isExempt(tool) ? undefined : of('*')
  const found = of(wanted) ?? (server === undefined ? undefined : of(server)) ?? others
  return runs && found === 'allow' ? 'ask' : found
}

function nameOf(written: string): string {
  const tool = toolOf(written.trim())
  return ALIASES[tool] ?? tool
}

/** One tool under two of its names: the stricter one holds. */
function strictest(settings: readonly ToolSetting[]): ToolSetting | undefined {
  return STRICTEST_FIRST.find((setting) => setting !== undefined && settings.includes(setting))
}

/** True for a skill that the agent may see and load by itself. */
export function seesSkill(
  { skills, usesSkills }: Pick<Agent, 'skills' | 'usesSkills'>,
  { name, tags }: Pick<SkillRecord, 'name' | 'tags'>,
): boolean {
  const { only, tags: wanted, except } = skills
  const isIn = (names: readonly string[]) => names.some((other) => withoutPlace(other) === foldName(name))
  if (isIn(usesSkills)) return true
  if (isIn(except) || (only !== null && !isIn(only))) return false
  return wanted === null || tags.some((tag) => wanted.some((other) => foldName(other) === foldName(tag)))
}

/** The name alone of `name@scope`, in the form in which names are compared. */
export function withoutPlace(name: string): string {
  const at = name.lastIndexOf('@')
  return foldName(at > 0 ? name.slice(0, at) : name)
}

/** Model calls of one turn, where an agent's file says nothing. */
const STEPS = 40

export type Limits = AgentLimits & { steps: number; activeSkills: number }

/** What holds for a turn. A project's file can only tighten what the person has. */
export function limitsOf({ settings }: Pick<SessionDeps, 'settings'>, { limits, scope }: Agent): Limits {
  const usual = { steps: STEPS, activeSkills: settings().maxActiveSkills }
  const pick = (asked: number | null, own: number) => {
    if (asked === null) return own
    return scope === 'project' ? Math.min(asked, own) : asked
  }
  return {
    ...limits,
    steps: pick(limits.steps, usual.steps),
    activeSkills: pick(limits.activeSkills, usual.activeSkills),
  }
}

import type { CallRow } from '../../db/call-rows'
import { getSession, type SessionRow } from '../../db/session-rows'
import { agentOf, forbiddingAgent, toolSetting, type Agent } from '../agent/agent'
import type { SessionDeps } from '../deps'
import { forbiddenBy, isExempt, needsFile, refusalText, toolOf, type Restriction } from './gate'
import type { Asked } from '../requests/new-request'
import type { GatedFile } from './path-pattern'
import { readSkillCommand } from '../styles/skill-command'
import { coreCallOf } from '../styles/styled-call'
import { fileTarget, isFolder, shownPath } from '../tools/file-target'

/**
 * Why the chat's agent or an active skill forbids this call; null when none does. Looked at before anything else (R10): a restriction holds
 * from the load on, also for later calls of the same answer. Runs of scripts are judged once their interpreter is known.
 */
export async function refusalOf(
  deps: SessionDeps,
  session: SessionRow,
  call: Pick<CallRow, 'name' | 'input'>,
): Promise<string | null> {
  const asked = coreCallOf({ deps, session }, call)
  const text = textOf(call)
  const isScript = asked?.tool === 'skills_run_script' || isScriptRun(asked, text)
  const agent = agentOf(deps, session)
  const names = namesOf(call.name, asked?.tool, isScript)
  const forbidden = names.find((name) => toolSetting(agent, name) === 'never')
  if (forbidden !== undefined) {
    const isRun = isScript || asked?.tool === 'Bash'
    return `${whyNever(agent, { forbidden, isRun, tool: call.name })} Go on without it, or tell the person what is needed.`
  }
  if (isExempt(call.name) || isScript) return null
  const input = asked?.input ?? call.input
  return refusalOfSkills({ deps, session }, { name: call.name, input, text })
}

async function refusalOfSkills(
  { deps, session }: Pick<Asked, 'deps' | 'session'>,
  call: Pick<CallRow, 'name' | 'input'> & { text: string | undefined },
): Promise<string | null> {
  const { text, input } = call
  const restrictions = await restrictionsOf(deps, session)
  const file = needsFile(restrictions, call.name)
    ? await fileOf({ deps, session }, { name: call.name, input })
    : undefined
  const skill = forbiddenBy(restrictions, { tool: call.name, text, file })
  return skill === null ? null : refusalText(call.name, skill)
}

/** Where the file tools look: `file_path`, or the `path` of a search, which is the project when left out. */
async function fileOf(
  asked: Pick<Asked, 'deps' | 'session'>,
  { name, input }: Pick<CallRow, 'name' | 'input'>,
): Promise<GatedFile> {
  const isSearch = ['glob', 'grep'].includes(toolOf(name))
  const path = isSearch ? (input['path'] ?? '.') : input['file_path']
  const target = await fileTarget(asked, typeof path === 'string' ? path : '')
  return { path: shownPath(target), isFolder: await isFolder(asked, target) }
}

/** All that an agent's file may call it. */
function namesOf(name: string, core: string | undefined, isScript: boolean): string[] {
  return [name, ...(core === undefined ? [] : [core]), ...(isScript ? ['skills_run_script'] : [])]
}

interface Never {
  /** The one of its names that the file forbids. */
  forbidden: string
  isRun: boolean
  tool: string
}

function whyNever(agent: Agent, { forbidden, isRun, tool }: Never): string {
  if (agent.mode === 'never' && isRun) return 'This chat is set to run no scripts.'
  const by = forbiddingAgent(agent, forbidden)
  const whose = by === agent ? '' : ', which this one works for,'
  return `The agent ${by.label}${whose} may not use ${tool}.`
}

function textOf({ input }: Pick<CallRow, 'input'>): string | undefined {
  return typeof input['command'] === 'string' ? input['command'] : undefined
}

/** A command that is nothing but the run of a script of a skill. */
function isScriptRun(asked: ReturnType<typeof coreCallOf>, text: string | undefined): boolean {
  return asked?.tool === 'Bash' && text !== undefined && readSkillCommand(text) !== null
}

/** The lists of the active skills, as they were loaded; in a fork those of the chat that began it too. */
export async function restrictionsOf(deps: SessionDeps, session: SessionRow): Promise<Restriction[]> {
  const lists = await Promise.all(
    session.activeSkills.map(async ({ name, digest }) => {
      const { allowedTools } = await deps.bodies.get(digest, name)
      return allowedTools === null ? [] : [{ skill: name, allowedTools }]
    }),
  )
  const parent = session.fork ? getSession(deps.db.sql, session.fork.parentId) : null
  return [...lists.flat(), ...(parent ? await restrictionsOf(deps, parent) : [])]
}

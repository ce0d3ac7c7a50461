import type { SessionDetail, SessionEvent } from '@shared/domain/session'
import { AppError } from '@shared/errors'
import type { App } from '../../main/app'
import { wrongUse } from '../grammar/command'
import type { Given } from '../grammar/command'
import { readKnownState } from '../here/known-state'
import { counted } from '../terminal/output'
import { projectFolder } from '../here/skills'
import type { World } from '../world'
import { wantedModel } from './choice'

type Snapshot = Extract<SessionEvent, { t: 'snapshot' }>

/** The chat that was named, or a new one. Throws wrong use, `not_found` and `busy`. */
export async function openChat(app: App, given: Given, world: World): Promise<SessionDetail> {
  const { handlers } = app
  const { providers } = await handlers['settings.get']({})
  const model = wantedModel(given, providers)
  const agent = given.values.get('agent')
  const sessionId = given.values.get('session')
  if (sessionId === undefined) {
    const projectDir = await projectHere(given, world)
    return handlers['sessions.create']({ projectDir, model, agent })
  }
  if (given.values.has('project')) {
    throw wrongUse('A chat keeps its project. Leave --project or --session out.', 'satchel chat --help')
  }
  if (agent !== undefined) await handlers['sessions.setAgent']({ sessionId, name: agent })
  if (model !== undefined) await handlers['sessions.setModel']({ sessionId, model })
  return detailOf(app, sessionId)
}

/** What somebody should know of the chat before it begins. */
export async function chatNotices(app: App, session: SessionDetail): Promise<string[]> {
  const { agent, projectDir, projectTrusted } = session
  const known = [...agent.problems, ...agent.notes]
  if (projectDir === null || projectTrusted) return known
  const project = (await app.handlers['projects.list']({})).find(({ dir }) => dir === projectDir)
  const { skills: count = 0, instructions } = project ?? {}
  const skills = count === 0 ? '' : `its ${counted(count, 'skill')}, `
  return [
    ...known,
    `You did not trust this project, so ${skills}its agents and its ${instructions ?? 'instructions'} are not in use. Open it in Satchel to look at it and decide.`,
  ]
}

/** Looked up before the core opens the data, by the same rule as in every other command. */
async function projectHere(given: Given, world: World): Promise<string | null> {
  const known = await readKnownState(world)
  try {
    const project = projectFolder(given, world, known)
    const named = given.values.get('project')
    if (project !== null || named === undefined) return project
    throw new AppError(
      'not_found',
      `There is no project in ${named}. Name a folder that holds .satchel, .agents or .git, or open it in Satchel first.`,
    )
  } finally {
    known.close()
  }
}

async function detailOf(app: App, sessionId: string): Promise<SessionDetail> {
  return (await snapshotOf(app, sessionId)).session
}

/** The chat as it is now. */
export async function snapshotOf({ handlers }: App, sessionId: string): Promise<Snapshot> {
  const looking = new AbortController()
  try {
    for await (const event of handlers['sessions.watch']({ sessionId }, looking.signal)) {
      if (event.t === 'snapshot') return event
    }
  } finally {
    looking.abort()
  }
  throw new Error('a chat told nothing')
}

import type { AppEvent } from '@shared/events'
import { api, messageOf } from '../api'
import { refreshAgents } from './agents'
import { refreshApprovals } from './approvals'
import { auditChanged } from './audit'
import { refreshAuthors } from './authors'
import { refreshDrafts } from './drafts'
import { mcpChanged } from './mcp'
import { refreshProjects } from './projects'
import { rulesChanged } from './rules'
import { refreshRun } from './runs'
import { refreshSessions } from './sessions'
import { refreshSettings } from './settings'
import { skillUseChanged } from './skill-use'
import { skillsChanged } from './skills'
import { addNotice } from './ui'

/** What the native menu may ask for, by name, and a notification for the request that it told of. */
export type Commands = Record<string, (requestId?: string) => void>

/** First load of everything that the window shows, then the one subscription that keeps it true. */
export async function startStores(commands: Commands): Promise<void> {
  api.stream(
    'events',
    {},
    {
      event: (event) => void routeEvent(event, commands).catch(report),
      end: (error) => error && addNotice('error', messageOf(error)),
    },
  )
  await Promise.all([
    refreshSettings(),
    refreshSessions(),
    refreshProjects(),
    refreshApprovals(),
    refreshDrafts(),
    refreshAuthors(),
  ])
}

/** Events that name nothing but what to fetch again; rows in main are the truth. */
const REFRESH = {
  'agents.changed': refreshAgents,
  'approvals.changed': refreshApprovals,
  'audit.changed': () => {
    skillUseChanged()
    return auditChanged()
  },
  'drafts.changed': refreshDrafts,
  'mcp.changed': mcpChanged,
  'projects.changed': refreshProjects,
  'rules.changed': () => Promise.all([rulesChanged(), refreshAuthors()]),
  'sessions.changed': refreshSessions,
  'settings.changed': refreshSettings,
  'skills.changed': skillsChanged,
} satisfies Partial<Record<AppEvent['t'], () => unknown>>

export async function routeEvent(event: AppEvent, commands: Commands): Promise<void> {
  if (event.t === 'runs.changed') await refreshRun(event.runId)
  else if (event.t === 'notice') addNotice(event.level, event.message, event.about, event.sessionId)
  else if (event.t === 'command') commands[event.name]?.(event.requestId)
  else await REFRESH[event.t]()
}

function report(error: unknown): void {
  addNotice('error', messageOf(error))
}

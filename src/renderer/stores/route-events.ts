import type { AppEvent } from '@shared/events'
import { api, messageOf } from '../api'
import { refreshAgents } from './agents'
import { refreshApprovals } from './approvals'
import { mcpChanged } from './mcp'
import { refreshProjects } from './projects'
import { refreshRun } from './runs'
import { refreshSessions } from './sessions'
import { refreshSettings } from './settings'
import { skillsChanged } from './skills'
import { addNotice } from './ui'

/** What the native menu may ask for, by name. */
export type Commands = Record<string, () => void>

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
  await Promise.all([refreshSettings(), refreshSessions(), refreshProjects(), refreshApprovals()])
}

/** Each event names what to fetch again; rows in main are the truth. */
export async function routeEvent(event: AppEvent, commands: Commands): Promise<void> {
  switch (event.t) {
    case 'skills.changed':
      return skillsChanged()
    case 'agents.changed':
      return refreshAgents()
    case 'sessions.changed':
      return refreshSessions()
    case 'approvals.changed':
      return refreshApprovals()
    case 'runs.changed':
      return refreshRun(event.runId)
    case 'settings.changed':
      return refreshSettings()
    case 'mcp.changed':
      return mcpChanged()
    case 'projects.changed':
      return refreshProjects()
    case 'notice':
      return addNotice(event.level, event.message, event.about)
    case 'command':
      return commands[event.name]?.()
  }
}

function report(error: unknown): void {
  addNotice('error', messageOf(error))
}

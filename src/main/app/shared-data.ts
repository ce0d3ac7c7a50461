import type { AppEvent } from '@shared/events'
import type { AppContract } from '@shared/ipc/contract'
import type { Handlers } from '@shared/ipc/define'
import { changedKeys, createChanges, type Changes, type Marks } from '../db/changes'
import type { Db } from '../db/open'
import type { Emitter } from '../lib/emitter'
import type { Log } from '../lib/log'
import { createPlaceWatch } from './place-watch'
import type { Sessions } from '../sessions/service'
import type { Choices } from '../skills/registry/choices'
import type { Registry } from '../skills/registry/registry'

export interface SharedDataDeps {
  db: Db
  events: Emitter<AppEvent>
  choices: Pick<Choices, 'reload'>
  registry: Pick<Registry, 'refresh' | 'decide'>
  /** A file that names tenant or environment changed since the last time this was asked. */
  placesMoved(): boolean
  /** Those files, whether they exist or not. */
  placeFiles(): string[]
  sessions: Pick<Sessions, 'changedElsewhere'>
  /** Chats of programs that have ended. */
  left(): string[]
  /** Settles what they left. */
  recoverLeft(): Promise<void>
  log: Log
}

/** While somebody listens to the events, they also tell what other programs on the same data changed, within 1 s. */
export function tellingOthersChanges(
  deps: SharedDataDeps,
  handlers: Handlers<AppContract>,
): Handlers<AppContract> {
  const now = { settling: false, telling: false }
  const decideWhereMoved = () => {
    if (deps.placesMoved()) void decideAgain(deps)
  }
  const places = createPlaceWatch({ files: deps.placeFiles, changed: decideWhereMoved })
  const changes = createChanges({
    sql: deps.db.sql,
    onChange(before, after) {
      now.telling = true
      tell(deps, before, after)
      now.telling = false
    },
    onLook() {
      settleLeft(deps, now)
      places.look()
      decideWhereMoved()
    },
  })
  deps.events.on((event) => {
    if (!now.telling) doubt(changes, event)
  })
  return {
    ...handlers,
    events(input, signal) {
      const events = handlers.events(input, signal)
      if (signal.aborted) return events
      for (const end of [changes.follow(), places.follow()]) {
        signal.addEventListener('abort', end, { once: true })
      }
      return events
    },
  }
}

function doubt(changes: Changes, event: AppEvent): void {
  if (event.t === 'sessions.changed') changes.doubt('sessions')
  else if (event.t === 'projects.changed') changes.doubt('projects')
  else if (event.t === 'skills.changed') changes.doubt('choices')
  else if (event.t === 'settings.changed') changes.doubt('settings')
  else if (event.t === 'approvals.changed') changes.doubt('requests', event.sessionId)
  else if (event.t === 'runs.changed') changes.doubt('runs', event.runId)
}

function tell(deps: SharedDataDeps, before: Marks, after: Marks): void {
  const { choices, registry, sessions } = deps
  const { emit } = deps.events
  const differs = (key: 'sessions' | 'projects' | 'settings' | 'choices' | 'audit') =>
    before[key] !== after[key]
  choices.reload()
  // Also when the choices were not asked for yet.
  if (differs('choices')) registry.decide()
  if (differs('projects') || differs('settings')) {
    registry.decide()
    registry.refresh().catch((error: unknown) => deps.log.error('skills could not be read again', error))
  }
  for (const sessionId of changedKeys(before.requests, after.requests))
    emit({ t: 'approvals.changed', sessionId })
  for (const runId of changedKeys(before.runs, after.runs)) emit({ t: 'runs.changed', runId })
  if (differs('projects')) emit({ t: 'projects.changed' })
  if (differs('projects') || differs('choices')) emit({ t: 'skills.changed' })
  if (differs('settings')) emit({ t: 'settings.changed' })
  if (differs('sessions')) emit({ t: 'sessions.changed' })
  if (differs('audit')) emit({ t: 'audit.changed' })
  sessions.changedElsewhere()
}

/** Project settings and the policy: files of their own, which the scanner does not read. */
async function decideAgain({ events, registry, log }: SharedDataDeps): Promise<void> {
  try {
    await registry.refresh()
    registry.decide()
    events.emit({ t: 'skills.changed' })
  } catch (error) {
    log.error('skills could not be decided again', error)
  }
}

/** The end of a program changes no row, so it is looked for. */
function settleLeft(deps: SharedDataDeps, now: { settling: boolean }): void {
  if (now.settling || deps.left().length === 0) return
  now.settling = true
  void settle(deps).finally(() => {
    now.settling = false
  })
}

async function settle({ events, log, recoverLeft, sessions }: SharedDataDeps): Promise<void> {
  try {
    await recoverLeft()
    sessions.changedElsewhere()
    events.emit({ t: 'sessions.changed' })
  } catch (error) {
    log.warn('what a program left could not be settled yet', { reason: String(error) })
  }
}

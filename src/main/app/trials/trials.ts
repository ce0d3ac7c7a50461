import type { TrialChat, TrialInput } from '@shared/domain/editing'
import { AppError } from '@shared/errors'
import type { Audit } from '../../audit/audit'
import type { Db } from '../../db/open'
import { getSession, listTrials, type SessionRow, type Trial } from '../../db/session-rows'
import { isVersionInUse, isVersionNoted } from '../../db/skill-version-rows'
import type { EditingService } from '../../editing/service'
import type { Log } from '../../lib/log'
import type { SkillBodies } from '../../sessions/instructions/skill-bodies'
import type { Sessions } from '../../sessions/service'
import type { Store } from '../../skills/store/store'
import type { TrialSkill, TrialSkills } from './trial-skills'

/** Chats in which the unsaved text of a skill is tried: in no list, and gone with all that was theirs when they are closed. */
export interface Trials {
  /** Throws `bad_input` with the reason why the text can't be tried. */
  start(input: TrialInput): Promise<TrialChat>
  list(): TrialChat[]
  /** Ends its runs and removes its folders. Throws `not_found` for what is no trial. */
  end(sessionId: string): Promise<void>
  /** At start: a crash left them, and nobody looks at them. */
  collect(): Promise<void>
}

export interface TrialDeps {
  db: Db
  audit: Audit
  bodies: SkillBodies
  log: Log
  sessions: Pick<Sessions, 'create' | 'loadSkill' | 'remove'>
  trialSkills: TrialSkills
  store: Pick<Store, 'remove'>
  editing: Pick<EditingService, 'open'>
}

type TrialRow = SessionRow & { trial: Trial }

export function createTrials(deps: TrialDeps): Trials {
  return {
    start: (input) => start(deps, input),
    list: () => listTrials(deps.db.sql).map(toChat),
    async end(sessionId) {
      const row = getSession(deps.db.sql, sessionId)
      if (!row?.trial) throw new AppError('not_found', 'This trial is closed already.')
      await end(deps, { ...row, trial: row.trial })
    },
    collect: () => collect(deps),
  }
}

function toChat({ id, trial }: TrialRow): TrialChat {
  return { sessionId: id, key: trial.of, name: trial.name }
}

async function start(deps: TrialDeps, input: TrialInput): Promise<TrialChat> {
  const whyNot = deps.editing.open(input.key).whyNot
  if (whyNot !== null) throw new AppError('bad_input', whyNot)
  for (const row of listTrials(deps.db.sql)) if (row.trial.of === input.key) await end(deps, row)
  const skill = await deps.trialSkills.create(input)
  try {
    return await begin(deps, skill, input)
  } catch (error) {
    await deps.trialSkills.remove(skill.dir)
    throw error
  }
}

async function begin(deps: TrialDeps, skill: TrialSkill, input: TrialInput): Promise<TrialChat> {
  const { record, digest, of, saved, dir } = skill
  const trial: Trial = { of, name: record.name, digest, saved }
  const { context } = await deps.bodies.get(digest, record.name)
  const { id } = deps.sessions.create({ projectDir: dir, trial })
  const unsaved = input.files.map(({ path }) => path)
  note(deps, id, { action: 'trial.began', trial, more: { saved, unsaved } })
  // One that works in a chat of its own begins with what it is asked.
  if (context !== 'fork') await load(deps, id, record.name)
  return { sessionId: id, key: of, name: record.name }
}

/** Why it could not be loaded stands in the chat. */
async function load({ sessions, log }: TrialDeps, sessionId: string, name: string): Promise<void> {
  try {
    await sessions.loadSkill(sessionId, name)
  } catch (error) {
    log.warn('a skill that is tried could not be loaded', { reason: String(error) })
  }
}

async function end(deps: TrialDeps, row: TrialRow): Promise<void> {
  const { id, projectDir, trial } = row
  // Its runs end before what they work on goes.
  await deps.sessions.remove(id)
  note(deps, id, { action: 'trial.ended', trial, more: {} })
  if (projectDir !== null) await deps.trialSkills.remove(projectDir)
  if (trial.digest !== trial.saved) await forget(deps, trial.digest)
}

/** What was asked for or run stays, as what was decided about is on record. */
async function forget({ db, store, log }: TrialDeps, digest: string): Promise<void> {
  if (isVersionNoted(db.sql, digest) || isVersionInUse(db.sql, digest)) return
  await store
    .remove(digest)
    .catch((error: unknown) => log.warn('a copy could not be removed', { reason: String(error) }))
}

async function collect(deps: TrialDeps): Promise<void> {
  for (const row of listTrials(deps.db.sql)) {
    await end(deps, row).catch((error: unknown) => deps.log.error('a trial could not be removed', error))
  }
  await deps.trialSkills.removeLeft()
}

interface Noted {
  action: 'trial.began' | 'trial.ended'
  trial: Trial
  more: Record<string, unknown>
}

function note({ audit }: TrialDeps, sessionId: string, { action, trial, more }: Noted): void {
  const { of: key, name: skill, digest } = trial
  audit.append({ actor: 'person', action, sessionId, target: skill, data: { key, skill, digest, ...more } })
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { RuleView } from '@shared/domain/rule'
import { AppError } from '@shared/errors'
import { createRules, sentenceOf, type Rules } from '../../main/approvals/rules/rules'
import { createAudit, type Audit } from '../../main/audit/audit'
import { openDb, type Db } from '../../main/db/open'
import { listProjects } from '../../main/db/project-rows'
import { dataFolder, userDataFolder } from '../../main/lib/data-folder'
import { policyInForce } from '../../main/policy/keeper'
import { policyDir } from '../../main/policy/policy'
import { policyGrounds } from '../../main/app/policy/gate'
import type { World } from '../world'

/** The rules of the app's own data, and those of its projects. */
export interface RulesHere {
  rules: Rules
  all: RuleView[]
  notes: string[]
  audit: Audit
}

/** Works with the rules; null is given where there is no data yet. Throws `newer_data`. */
export function withRules<T>(world: World, work: (here: RulesHere | null) => T): T {
  const opened = openRules(world)
  try {
    return work(opened?.here ?? null)
  } finally {
    opened?.db.close()
  }
}

function openRules(world: World): { db: Db; here: RulesHere } | null {
  const { env, now } = world
  const dataDir = dataFolder({ satchelHome: env['SATCHEL_HOME'], userData: userDataFolder(world) })
  const file = join(dataDir, 'satchel.db')
  if (!existsSync(file)) return null
  const db = openDb(file)
  try {
    const { policy } = policyInForce(policyDir(world), dataDir)
    const demands = policyGrounds(policy)
    const audit = createAudit({ db, now })
    const rules = createRules({ db, audit, now, policy: () => demands })
    const { rules: all, notes } = rules.list(listProjects(db.sql).map(({ dir }) => dir))
    return { db, here: { rules, all, notes, audit } }
  } catch (error) {
    db.close()
    throw error
  }
}

/** As `withRules`, for work that takes time. Throws `not_found` where there is no data yet. */
export async function needRules<T>(world: World, work: (here: RulesHere) => Promise<T>): Promise<T> {
  const opened = openRules(world)
  if (!opened) throw new AppError('not_found', 'There are no rules: Satchel has no data here yet.')
  try {
    return await work(opened.here)
  } finally {
    opened.db.close()
  }
}

/** The rule with this id, or the beginning of it. Throws `not_found`. */
export function ruleNamed(here: RulesHere | null, id: string): RuleView {
  const found = (here?.all ?? []).filter((rule) => rule.id === id || rule.id.startsWith(id))
  const [rule] = found
  if (rule && found.length === 1) return rule
  const why = found.length > 1 ? `${found.length} rules begin with "${id}".` : `There is no rule "${id}".`
  throw new AppError('not_found', `${why} satchel rules list shows their ids.`)
}

/** What is given to programs: everything but the whole request that it was made from. */
export function publicRule(rule: RuleView): Record<string, unknown> {
  const { example: _example, ...rest } = rule
  return { ...rest, text: sentenceOf(rule) }
}

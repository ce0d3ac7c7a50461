import { runPlanOf, type RequestDetail } from '@shared/domain/approval'
import type { ArgScope } from '@shared/domain/arg-scope'
import { AppError } from '@shared/errors'
import type { AppContract } from '@shared/ipc/contract'
import type { Handlers } from '@shared/ipc/define'
import { toDetail, toSummary } from '../approvals/request-view'
import { allowingRule, denyingRule, isLapsed, offersFor } from '../approvals/rules/offers'
import { sentenceOf } from '../approvals/rules/rules'
import { decidedRequests, type RequestRow } from '../db/request-rows'
import { getRule } from '../db/rule-rows'
import { getSession, rootIdOf } from '../db/session-rows'
import { endOfRequest, extendRequest } from '../app/follow-time'
import type { Parts } from '../handlers'
import { exportRules } from '../app/rule-export'
import type { Undo, UndoForecast } from '../undo/service'
import { isTrial } from '../sessions/requests/remember'
import { factsOf, groundsOf } from '../sessions/requests/rule-verdict'
import { secretWishes } from '../sessions/requests/secret-wishes'

type Keys = Extract<keyof AppContract, `approvals.${string}` | `rules.${string}`>

/** What waits, what was decided, and the rules of a person. */
export function approvalHandlers(parts: Parts): Pick<Handlers<AppContract>, Keys> {
  return { ...requestHandlers(parts), ...ruleHandlers(parts) }
}

/** Of one that waits since before this start nothing is known yet. */
function undoForecast(undo: Undo, { id, plan, status }: RequestRow): UndoForecast | null {
  const run = plan.kind === 'prepare' ? null : runPlanOf(plan)
  const forecast = run && undo.forecast(run)
  if (run && forecast?.kept === null && status === 'pending') undo.prepare({ id, plan: run })
  return forecast
}

type RequestKeys = Extract<Keys, `approvals.${string}`>

function requestHandlers(parts: Parts): Pick<Handlers<AppContract>, RequestKeys> {
  const { broker, db, sessions, skills } = parts
  const titleOf = (sessionId: string) => getSession(db.sql, sessionId)?.title ?? 'Deleted chat'
  // What a skill asks for in a fork stands in the chat of the person.
  const summaryOf = (row: RequestRow) => {
    const session = getSession(db.sql, row.sessionId)
    const sessionId = session ? rootIdOf(session) : row.sessionId
    const end = endOfRequest(parts, row)
    return {
      ...toSummary({ ...row, sessionId }, titleOf(sessionId)),
      ...(end === null ? {} : { endsAt: end }),
    }
  }
  return {
    'approvals.list': () => broker.pending().map(summaryOf),
    'approvals.history': ({ before, limit }) => decidedRequests(db.sql, before ?? null, limit).map(summaryOf),
    'approvals.get': async ({ requestId }) => {
      const row = broker.get(requestId)
      if (!row) throw new AppError('not_found', 'This request does not exist any more.')
      const { sessionId, sessionTitle, endsAt } = summaryOf(row)
      const remember = rememberOf(parts, row)
      const deps = { db, snapshots: skills.reader }
      const detail = await toDetail(deps, { ...row, sessionId }, { sessionTitle, remember })
      const skill = runPlanOf(row.plan)?.skill
      const wishes = skill ? await secretWishes(parts, skill) : []
      const asked = (skill && runPlanOf(row.plan)?.sandbox.hostsAsked) ?? []
      const hosts = skill ? parts.hosts.wishes(skill.key, skill.treeDigest, asked) : []
      const time = endsAt === undefined ? {} : { endsAt }
      return { ...detail, ...time, secrets: wishes, hosts, undo: undoForecast(parts.undo, row) }
    },
    'approvals.decide': async (decision) => {
      const row = await sessions.decide(decision)
      const isRule = ['chat', 'always', 'deny_always'].includes(decision.choice)
      if (isRule && row.status !== 'stale') {
        parts.events.emit({ t: 'rules.changed' })
        await sessions.settleByRules(true)
      }
      return summaryOf(row)
    },
    'approvals.extend': ({ requestId }) => {
      const endsAt = extendRequest({ ...parts, now: parts.deps.now }, requestId)
      parts.events.emit({ t: 'approvals.changed', sessionId: broker.get(requestId)?.sessionId ?? '' })
      return { endsAt }
    },
    'approvals.denyAll': async () => ({ denied: await sessions.denyAll('') }),
  }
}

function ruleHandlers({
  audit,
  db,
  deps,
  events,
  projects,
  sessionDeps: { rules },
  sessions,
}: Parts): Pick<Handlers<AppContract>, Exclude<Keys, RequestKeys>> {
  const changed = async () => {
    events.emit({ t: 'rules.changed' })
    await sessions.settleByRules(true)
  }
  return {
    'rules.list': () => rules.list(projects.list().map(({ dir }) => dir)),
    'rules.change': async (change) => {
      rules.change(change)
      await changed()
      return {}
    },
    'rules.create': async (input) => {
      const { id } = rules.create(input)
      await changed()
      return { id }
    },
    'rules.export': async () => {
      const day = new Date(deps.now()).toISOString().slice(0, 10)
      const path = await deps.desktop.pickNewFile(`satchel-rules-${day}.json`)
      return { path, count: path === null ? 0 : await exportRules({ rules, audit }, path) }
    },
    'rules.readFile': ({ text }) => rules.readFile(text),
    'rules.import': async ({ text, chosen }) => {
      const added = rules.importFile(text, chosen)
      await changed()
      return { added }
    },
    'rules.wouldMatch': ({ id }) => {
      const rule = getRule(db.sql, id)
      if (!rule) throw new AppError('not_found', 'This rule does not exist any more.')
      const { matched, of } = rules.wouldMatch(rule)
      return { matched: matched.length, of, requestIds: matched.map((row) => row.id) }
    },
  }
}

const NOTHING_TO_REMEMBER = {
  args: [],
  wouldMatch: { exact: 0, flags: 0, anyArgs: 0, of: 0 },
  canDenyAlways: false,
}

/** What the review offers to remember. */
function rememberOf(parts: Parts, row: RequestRow): RequestDetail['remember'] {
  const { db, sessionDeps } = parts
  const { rules } = sessionDeps
  const named = { agentLabel: row.agentName, projectDir: row.projectDir }
  const session = getSession(db.sql, row.sessionId)
  if (row.status !== 'pending' || !session) return { ...NOTHING_TO_REMEMBER, ...named, why: null }
  const facts = factsOf(sessionDeps, session, row)
  const grounds = groundsOf(sessionDeps, session)
  const { args, why } = offersFor(facts, grounds)
  const chatOnly = isTrial(sessionDeps, session)
  const lapsed = grounds.rules.find((rule) => isLapsed(rule, facts))
  const countOf = (scope: ArgScope) =>
    args.includes(scope) ? rules.wouldMatch(allowingRule(facts, scope, ALWAYS)).matched.length : 0
  const { of } = args.length > 0 ? rules.wouldMatch(allowingRule(facts, 'exact', ALWAYS)) : { of: 0 }
  return {
    ...named,
    args,
    why,
    wouldMatch: { exact: countOf('exact'), flags: countOf('flags'), anyArgs: countOf('anyArgs'), of },
    canDenyAlways: !chatOnly && denyingRule(facts) !== null,
    ...(chatOnly ? { chatOnly } : {}),
    ...(lapsed ? { lapsed: sentenceOf(lapsed) } : {}),
  }
}

const ALWAYS = { lifetime: 'always', expiresAt: null } as const

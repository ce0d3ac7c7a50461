import { z } from 'zod'
import type { ActiveSkill, Envelope } from '@shared/domain/session'
import { foldName } from '@shared/skill-md/skill-name'
import { getSession, updateSession } from '../../db/session-rows'
import type { SkillRecord } from '../../skills/record'
import { estimateTokens } from '@shared/tokens'
import { agentOf, limitsOf, seesSkill } from '../agent/agent'
import { chainRefusal, chainTo } from '../agent/chain'
import type { SessionDeps } from '../deps'
import { failed, succeeded } from '../turn/envelope'
import { plainLine } from '../instructions/escape'
import { isPersons } from '../turn/person-call'
import { skillDir } from '../instructions/prompt'
import { modelWishes, wishWords } from '../agent/skill-model'
import { skillText } from '../instructions/skill-text'
import { resolveHere } from '../instructions/usable-skills'
import { alwaysUsed } from './active'
import { begunFork, goOnWithFork, runFork } from './fork'
import { postHooks, prepareHookAgain, runHooks } from './hooks'
import { newerOnDisk, propertiesOf, receiptsOf } from './receipt'
import { isAnother, keptOf, otherCopyOfAlwaysOn, unique, withArgs } from './kept-skills'
import { anotherWords, hintsFor, newerWords, notSeenWords, overLimitWords, sizeWords } from './load-words'
import { defineTool, type Tool, type ToolContext, type ToolOutcome } from './tool'

const MAX_ARGS = 10_000

const Input = z
  .object({
    names: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(20)
      .describe('Names of skills, from the catalogue.'),
    mode: z
      .enum(['replace', 'add'])
      .default('replace')
      .describe('"replace" unloads the others first; "add" keeps them.'),
    args: z
      .string()
      .max(MAX_ARGS)
      .optional()
      .describe('Arguments for the skills, where their text has a place for them.'),
    location: z
      .string()
      .max(4096)
      .optional()
      .describe('Of several copies of one skill the one that lies there, as receipts name it.'),
  })
  .refine(({ names, location }) => location === undefined || names.length === 1, {
    message: 'A location names one skill: load the others in a call of their own',
  })

const loading = defineTool(
  {
    name: 'skills_load',
    description:
      'Loads skills: their instructions stand under <active_skills> from the next step on. Use it before you follow a skill.',
    input: Input,
  },
  load,
)
export const loadTool: Tool = { ...loading, prepare: prepareHookAgain }

interface Loaded {
  active: ActiveSkill
  record: SkillRecord
  body: string
  preHooks: string[]
  /** It wants a chat of its own, for this agent if it names one. */
  fork: { agent: string | null } | null
}

/** Also what a person's "Add skill" does. */
async function load(context: ToolContext, input: z.output<typeof Input>): Promise<ToolOutcome> {
  const { deps, session } = context
  const begun = begunFork(context)
  if (begun !== undefined) return goOnWithFork(context, begun)
  const agent = agentOf(deps, session)
  const resolved = input.names.map((name) => ({ name, found: resolve(context, name, input.location) }))
  for (const { name, found } of resolved) {
    if (!found.ok) return refused(name, found)
  }
  const records = resolved.flatMap(({ found }) => (found.ok ? [found.record] : []))
  const hidden = records.find((record) => record.disableModelInvocation)
  if (hidden && !isPersons(context.call)) {
    return result(
      failed('not_for_models', `Only a person can load "${hidden.name}". Ask them to add it to this chat.`),
    )
  }
  const left = records.find((record) => isLeftToPersons(context, record))
  if (left) {
    const why = 'Your organisation wants a person to allow each skill that is loaded.'
    return result(failed('not_for_models', `${why} Ask them to add "${left.name}" to this chat.`))
  }
  const unseen = records.find((record) => !seesSkill(agent, record))
  if (unseen && !isPersons(context.call)) return result(failed('not_found', notSeenWords(agent, unseen)))
  const another = otherCopyOfAlwaysOn(session.activeSkills, records)
  if (another) {
    return result(failed('bad_input', `${alwaysUsed(agent, another)} No other copy of it can be loaded.`))
  }
  const warnings = resolved.flatMap(({ found }) => (found.ok && found.warning ? [found.warning] : []))
  return loadThese(context, { records, input, warnings })
}

/** `skill-load` of the policy (ADR 0029): a person who adds a skill allows it, a model's call only asks for that. */
function isLeftToPersons({ deps, session, call }: ToolContext, { key }: SkillRecord): boolean {
  if (isPersons(call) || session.activeSkills.some((active) => active.key === key)) return false
  const required = deps.rules.grounds(session.projectDir).policy?.requireApprovalFor ?? []
  return required.includes('skill-load') || required.includes('everything')
}

/** All or nothing. */
async function loadThese(context: ToolContext, asked: Omit<Finished, 'loaded'>): Promise<ToolOutcome> {
  const { deps, session } = context
  const { records, input } = asked
  const kept = keptOf(session.activeSkills, records, input.mode)
  const wanted = unique(records).filter((record) => !kept.some((active) => active.key === record.key))
  const loaded: Loaded[] = []
  for (const record of wanted) loaded.push(await loadOne(context, record, input.args))
  const refusal = tooLarge(context, loaded) ?? roundInCircles(context, loaded)
  if (refusal) return result(refusal)
  const [only] = loaded
  if (only?.fork && records.length === 1) return startFork(context, only, input.args)
  const apart = loaded.find(({ fork }) => fork)
  if (apart) {
    const error = `"${apart.active.name}" works in a chat of its own. Load it alone; the others were not loaded.`
    return result(failed('bad_input', error))
  }
  if (kept.length + wanted.length > limitsOf(deps, agentOf(deps, session)).activeSkills) {
    return overLimit(context, kept.length + wanted.length, session.activeSkills)
  }
  return activate(context, { ...asked, loaded })
}

function tooLarge({ deps, session }: ToolContext, loaded: readonly Loaded[]): Envelope | null {
  const window = deps.llm.contextWindow(session.model)
  const large = loaded.find(({ body }) => estimateTokens(body) > window / 2)
  if (!large) return null
  const tokens = estimateTokens(large.body)
  const what = `"${large.active.name}" has about ${tokens} tokens, over half of the window.`
  const next = 'Use another skill, or ask the person to choose a model with a larger window.'
  return failed('too_large', `${what} ${next}`)
}

function roundInCircles({ session }: ToolContext, loaded: readonly Loaded[]): Envelope | null {
  const chains = loaded.map(({ active, fork }) => chainTo(session, active, fork !== null))
  return chains.map(chainRefusal).find((refusal) => refusal !== null) ?? null
}

/** The chat goes on with what it has; the skill works in another one. */
async function startFork(
  context: ToolContext,
  { active, record, preHooks, fork }: Loaded,
  args: string | undefined,
): Promise<ToolOutcome> {
  const failure = await runPreHooks(context, [{ record, preHooks }])
  if (failure) return failure
  const { deps, session } = context
  const named = fork?.agent ?? null
  const entry = named === null ? null : deps.agents.find(session.projectDir, named)
  return runFork(context, {
    kind: 'skill',
    chain: chainTo(session, active, true),
    text: args?.trim() || `Do what the skill "${plainLine(active.name)}" says.`,
    // Its text stands in the instructions there, whatever the style.
    activeSkills: [{ ...active, step: 0 }],
    model: session.model,
    agent: entry,
    missingAgent: entry ? undefined : (named ?? undefined),
    noted: { key: active.key, digest: active.digest },
  })
}

/** Null when all ended well. */
async function runPreHooks(
  context: ToolContext,
  loaded: readonly Pick<Loaded, 'record' | 'preHooks'>[],
): Promise<ToolOutcome | null> {
  const hooks = loaded.flatMap(({ record, preHooks }) =>
    preHooks.map((path) => ({ skill: record, path, phase: 'pre' as const })),
  )
  const began = await runHooks(context, hooks)
  if (began.kind === 'waiting') return began
  return began.failure === null ? null : result(failed('hook_failed', `Nothing was loaded. ${began.failure}`))
}

type Resolved = ReturnType<SessionDeps['registry']['resolve']>

/** What a person means may lack what an agent needs to choose it (`format.md` 2.5, quirks 13 and 22). */
function resolve(context: ToolContext, name: string, location: string | undefined): Resolved {
  const found = resolveThere(context, name, location)
  if (found.ok || !found.byHand || !isPersons(context.call)) return found
  return { ok: true, record: found.byHand }
}

/** The copy that a name means; with a location the one that lies there, if it may be used. */
function resolveThere({ deps, session }: ToolContext, name: string, location: string | undefined): Resolved {
  const { registry } = deps
  if (location === undefined) return resolveHere(deps, session, name)
  const bare = foldName(name.split('@')[0] ?? name)
  const copies = registry.list(session.projectDir).filter(({ record }) => foldName(record.name) === bare)
  const there = copies.find(({ record }) => record.location === location)
  const found = there && resolveHere(deps, session, `${there.record.name}@${there.record.scope}`)
  if (found && (!found.ok || found.record.key === there.record.key)) return found
  const places = copies.map(({ record }) => record.location).join(', ') || 'none'
  const message = `No copy of "${name}" that can be used lies there. Copies: ${places}.`
  return { ok: false, code: 'not_found', message, nearest: [] }
}

/** Hooks run before anything of the chat changes: those of the skills that come, then those of the skills that go. */
async function activate(context: ToolContext, found: Finished): Promise<ToolOutcome> {
  const failure = await runPreHooks(context, found.loaded)
  if (failure) return failure
  const going = nextSkills(context, found).unloaded.flatMap(postHooks)
  const ended = await runHooks(context, going)
  if (ended.kind === 'waiting') return ended
  const told = ended.failure === null ? [] : [ended.failure]
  return finish(context, { ...found, warnings: [...found.warnings, ...told] })
}

async function loadOne(
  { deps, call }: ToolContext,
  record: SkillRecord,
  args: string | undefined,
): Promise<Loaded> {
  const snapshot = await deps.store.snapshot(record)
  const { body, model, hooks, ...fields } = await deps.bodies.get(snapshot.digest, record.name)
  const fork = fields.context === 'fork' ? { agent: fields.agent ?? null } : null
  const active: ActiveSkill = {
    name: record.name,
    key: record.key,
    scope: record.scope,
    digest: snapshot.digest,
    tokens: estimateTokens(skillText(body, { dir: skillDir(record.name), args })),
    step: call.step,
    changedOnDisk: false,
    ...(args === undefined ? {} : { args }),
    ...(model === undefined ? {} : { model }),
    ...(hooks.post.length === 0 ? {} : { postHooks: hooks.post }),
  }
  return { active, record, body, preHooks: hooks.pre, fork }
}

interface Finished {
  records: readonly SkillRecord[]
  loaded: readonly Loaded[]
  input: z.output<typeof Input>
  /** What is to be told of the names that were asked for. */
  warnings: readonly string[]
}

/** Looks at the chat anew: a person may have loaded or unloaded a skill while the files were copied. */
function nextSkills({ deps, session }: ToolContext, { records, loaded, input }: Finished) {
  const current = getSession(deps.db.sql, session.id)?.activeSkills ?? []
  const fresh = loaded.map(({ active }) => active)
  const kept = keptOf(current, records, input.mode)
    .filter((old) => !fresh.some(({ key }) => key === old.key))
    .map((old) => (records.some(({ key }) => key === old.key) ? withArgs(old, input.args) : old))
  const next = [...kept, ...fresh]
  const unloaded = current.filter((old) => !next.some((active) => active.key === old.key))
  return { current, fresh, next, unloaded }
}

async function finish(context: ToolContext, found: Finished): Promise<ToolOutcome> {
  const { deps, session, call } = context
  const { loaded, warnings } = found
  const before = getSession(deps.db.sql, session.id)?.activeSkills ?? []
  const properties = await propertiesOf(deps, [...before, ...loaded.map(({ active }) => active)])
  const { current, fresh, next, unloaded } = nextSkills(context, found)
  if (next.length > limitsOf(deps, agentOf(deps, session)).activeSkills)
    return overLimit(context, next.length, current)
  const asked = next.filter(({ key }) => found.records.some((record) => record.key === key))
  const envelope = succeeded({
    active_skills: receiptsOf(deps, { projectDir: session.projectDir, active: next }, properties),
    unloaded: unloaded.map(({ name }) => name),
    hints: loaded.flatMap(({ record }) => hintsFor(record)),
    warnings: [
      ...warnings,
      ...loaded.flatMap(({ active }) => sizeWords(active)),
      ...newerOnDisk(deps, asked).map(newerWords),
      ...fresh.filter((skill) => isAnother(skill, current)).map(anotherWords),
      ...modelWishes(deps, { model: session.model, activeSkills: fresh }).flatMap(
        (wish) => wishWords(wish) ?? [],
      ),
    ],
  })
  const actor = isPersons(call) ? 'person' : 'agent'
  const note = (action: 'skill.loaded' | 'skill.unloaded', skill: ActiveSkill) =>
    deps.audit.append({
      actor,
      action,
      sessionId: session.id,
      target: skill.name,
      data: { key: skill.key, digest: skill.digest, step: call.step, tokens: skill.tokens },
    })
  return {
    kind: 'result',
    envelope,
    record: () => {
      updateSession(deps.db.sql, session.id, { activeSkills: next })
      for (const skill of unloaded) note('skill.unloaded', skill)
      for (const { active } of loaded) note('skill.loaded', active)
    },
  }
}

function refused(
  name: string,
  found: {
    code: 'not_found' | 'ambiguous' | 'not_trusted' | 'broken' | 'blocked_by_policy'
    message: string
    nearest: string[]
    byHand?: SkillRecord
  },
): ToolOutcome {
  if (found.byHand)
    return result(failed('not_for_models', `${found.message} Ask them to add it to this chat.`))
  const unknown = `There is no skill "${name}".`
  const message = found.message || unknown
  // Nothing like it was found either.
  const hint = message === unknown ? ' Use a name that the list of skills shows.' : ''
  return result(failed(found.code === 'broken' ? 'not_found' : found.code, `${message}${hint}`))
}

function overLimit(
  { deps, session }: ToolContext,
  total: number,
  active: readonly ActiveSkill[],
): ToolOutcome {
  const cap = limitsOf(deps, agentOf(deps, session)).activeSkills
  return result(failed('limit', overLimitWords(total, cap, active)))
}

function result(envelope: ReturnType<typeof failed>): ToolOutcome {
  return { kind: 'result', envelope }
}

import type { AgentProfile } from '@shared/domain/agent'
import type { ActiveSkill, ModelWish } from '@shared/domain/session'
import type { ModelRef } from '@shared/domain/settings'
import type { SessionRow } from '../db/session-rows'
import { priceOf } from '../llm/cost'
import type { SessionDeps } from './deps'

/**
 * The model that answers next (R11, ADR 0012): the one that the latest active skill prefers, as far as it may be used,
 * else the chat's. A skill never brings another provider, and a model that may be dearer only by the person's choice.
 */
export function nextModel(deps: Pick<SessionDeps, 'llm'>, session: ModelFacts): ModelRef {
  const known = modelWishes(deps, session).filter(({ ref }) => ref !== null)
  const last = known.at(-1)
  return last?.ref && last.state === 'used' ? last.ref : session.model
}

/**
 * The model of an agent that a chat's agent hands a task to: its own or its fallback where that is of the chat's
 * provider and costs no more, by the same rule; else the chat's. Nobody is asked.
 */
export function modelForTask(
  { llm }: Pick<SessionDeps, 'llm'>,
  base: ModelRef,
  { model, fallback }: Pick<AgentProfile, 'model' | 'fallback'>,
): ModelRef {
  const provider = base.slice(0, base.indexOf('/') + 1)
  const wanted = [model, fallback].filter((ref) => ref?.startsWith(provider) === true)
  const found = wanted.map((ref) => findModel(ref ?? '', base, llm.models()))
  return found.find((ref) => ref !== null && (llm.isLocal(ref) || !mayCostMore(base, ref))) ?? base
}

/** What the active skills prefer, in load order, and what became of it. Skills that prefer nothing are left out. */
export function modelWishes({ llm }: Pick<SessionDeps, 'llm'>, session: ModelFacts): ModelWish[] {
  const models = session.activeSkills.some(isWishing) ? llm.models() : []
  const wishOf = (active: ActiveSkill) => wishFor(active, session.model, models)
  return session.activeSkills
    .filter(isWishing)
    .map(wishOf)
    .map((wish) =>
      wish.state === 'asks' && wish.ref && llm.isLocal(wish.ref) ? { ...wish, state: 'used' } : wish,
    )
}

/** What is said of a preference in the receipt of a load; null where there is nothing to say. */
export function wishWords({ skill, wanted, ref, state }: ModelWish): string | null {
  const wish = `"${skill}" prefers the model "${wanted}"`
  if (state === 'used') return `${wish}: ${nameOf(ref ?? wanted)} answers while it is active.`
  if (state === 'unknown') return `${wish}, which the provider of this chat does not have: it is ignored.`
  if (state === 'asks') return `${wish}, which may cost more: it is used only if the person agrees.`
  return null
}

type ModelFacts = Pick<SessionRow, 'model' | 'activeSkills'>

/** `inherit` is the word of other tools for no preference. */
function isWishing({ model }: ActiveSkill): boolean {
  return model !== undefined && model.toLowerCase() !== 'inherit'
}

function wishFor(active: ActiveSkill, base: ModelRef, models: readonly ModelRef[]): ModelWish {
  const wanted = active.model ?? ''
  const ref = findModel(wanted, base, models)
  const wish = { skill: active.name, key: active.key, wanted, ref }
  if (ref === null) return { ...wish, state: 'unknown' }
  if (ref === base) return { ...wish, state: 'used' }
  if (active.modelChoice !== undefined) {
    return { ...wish, state: active.modelChoice === 'use' ? 'used' : 'kept' }
  }
  return { ...wish, state: mayCostMore(base, ref) ? 'asks' : 'used' }
}

/** Among the models of the chat's provider: by its name, without the day of its version, or by a family's name. */
function findModel(wanted: string, base: ModelRef, models: readonly ModelRef[]): ModelRef | null {
  const provider = `${base.slice(0, base.indexOf('/'))}/`
  const own = models.filter((model) => model.startsWith(provider))
  const plain = (name: string) => name.toLowerCase().replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '')
  const names = [wanted, wanted.startsWith(provider) ? wanted.slice(provider.length) : wanted]
  for (const name of names) {
    const exact = own.find((model) => model === `${provider}${name}`)
    const same = exact ?? own.find((model) => plain(nameOf(model)) === plain(name))
    if (same !== undefined) return same
  }
  if (!/^(?:opus|sonnet|haiku)$/i.test(wanted)) return null
  const family = own.filter((model) => nameOf(model).toLowerCase().includes(wanted.toLowerCase()))
  return family.length === 1 ? family[0]! : null
}

/** Also where a price is not known. */
function mayCostMore(base: ModelRef, other: ModelRef): boolean {
  const [now, then] = [priceOf(base), priceOf(other)]
  if (now === null || then === null) return true
  const write = (price: typeof now) => price.cacheWrite ?? price.input
  return (
    then.input > now.input ||
    then.output > now.output ||
    then.cacheRead > now.cacheRead ||
    write(then) > write(now)
  )
}

function nameOf(model: ModelRef): string {
  return model.slice(model.indexOf('/') + 1)
}

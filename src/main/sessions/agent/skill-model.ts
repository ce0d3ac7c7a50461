import type { ActiveSkill, ModelWish } from '@shared/domain/session'
import type { ModelRef } from '@shared/domain/settings'
import type { SessionRow } from '../../db/session-rows'
import type { SessionDeps } from '../deps'
import { findModel, modelName, needsConsent } from './find-model'

/**
 * The model that answers next (R11, ADR 0012 and 0023): the one that the latest active skill prefers, as far as it may
 * be used, else the chat's. A skill brings another provider, or a model that may be dearer, only by the person's choice.
 */
export function nextModel(deps: Pick<SessionDeps, 'llm'>, session: ModelFacts): ModelRef {
  const known = modelWishes(deps, session).filter(({ ref }) => ref !== null)
  const last = known.at(-1)
  return last?.ref && last.state === 'used' ? last.ref : session.model
}

/** What the active skills prefer, in load order, and what became of it. Skills that prefer nothing are left out. */
export function modelWishes({ llm }: Pick<SessionDeps, 'llm'>, session: ModelFacts): ModelWish[] {
  const wishing = session.activeSkills.filter(isWishing)
  const models = wishing.length > 0 ? llm.models() : []
  return wishing.map((active) => wishFor(llm, active, { base: session.model, models }))
}

/** What is said of a preference in the receipt of a load; null where there is nothing to say. */
export function wishWords({ name, wanted, ref, state, elsewhere }: ModelWish): string | null {
  const wish = `"${name}" prefers the model "${wanted}"`
  if (state === 'used') return `${wish}: ${modelName(ref ?? wanted)} answers while it is active.`
  if (state === 'unknown') {
    return `${wish}, which no provider here has, or more than one beside the chat's: it is ignored.`
  }
  if (state === 'kept') return null
  return elsewhere
    ? `${wish}, which is of another provider: it is used only if the person agrees.`
    : `${wish}, which may cost more: it is used only if the person agrees.`
}

type ModelFacts = Pick<SessionRow, 'model' | 'activeSkills'>

/** `inherit` is the word of other tools for no preference. */
function isWishing({ model }: ActiveSkill): boolean {
  return model !== undefined && model.toLowerCase() !== 'inherit'
}

function wishFor(
  llm: SessionDeps['llm'],
  active: ActiveSkill,
  { base, models }: { base: ModelRef; models: readonly ModelRef[] },
): ModelWish {
  const wanted = active.model ?? ''
  const found = findModel(wanted, base, models)
  const wish = { of: 'skill' as const, name: active.name, key: active.key, wanted }
  if (found === null) return { ...wish, ref: null, elsewhere: false, state: 'unknown' }
  const state = needsConsent(llm, base, found) ? 'asks' : 'used'
  return { ...wish, ...found, state: found.ref === base ? 'used' : (saidOf(active, found.ref) ?? state) }
}

/** A yes is for the model that the person saw; a no is for every one. */
function saidOf({ modelChoice, modelChosen }: ActiveSkill, ref: ModelRef): ModelWish['state'] | null {
  if (modelChoice === 'keep') return 'kept'
  return modelChoice === 'use' && modelChosen === ref ? 'used' : null
}

import type { ModelRef } from '@shared/domain/settings'
import { priceOf } from '../../llm/cost'
import type { Llm } from '../../llm/types'

/** A model that a file names, among those that are set up. */
export interface FoundModel {
  ref: ModelRef
  /** Another provider than the chat's would get the conversation. */
  elsewhere: boolean
}

/**
 * By its name, without the day of its version, or by a family's name: at the chat's provider, else where exactly one
 * other has it. Null: none that is meant without doubt.
 */
export function findModel(wanted: string, base: ModelRef, models: readonly ModelRef[]): FoundModel | null {
  const home = providerOf(base)
  const own = findAt(home, wanted, models)
  if (own !== null) return { ref: own, elsewhere: false }
  const others = [...new Set(models.map(providerOf))].filter((provider) => provider !== home)
  const named = others.filter((provider) => wanted.startsWith(provider))
  const found = (named.length > 0 ? named : others).flatMap((other) => findAt(other, wanted, models) ?? [])
  return found.length === 1 ? { ref: found[0]!, elsewhere: true } : null
}

/** What a file alone can't decide (R11, ADR 0023): another provider, or a price that may be higher. */
export function needsConsent(
  llm: Pick<Llm, 'isLocal'>,
  base: ModelRef,
  { ref, elsewhere }: FoundModel,
): boolean {
  if (ref === base) return false
  return elsewhere || (!llm.isLocal(ref) && mayCostMore(base, ref))
}

/** Without its provider. */
export function modelName(model: ModelRef): string {
  return model.slice(model.indexOf('/') + 1)
}

/** With the slash behind it. */
function providerOf(model: ModelRef): string {
  return model.slice(0, model.indexOf('/') + 1)
}

function findAt(provider: string, wanted: string, models: readonly ModelRef[]): ModelRef | null {
  const own = models.filter((model) => model.startsWith(provider))
  const plain = (name: string) => name.toLowerCase().replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '')
  const names = [wanted, wanted.startsWith(provider) ? wanted.slice(provider.length) : wanted]
  for (const name of names) {
    const exact = own.find((model) => model === `${provider}${name}`)
    const same = exact ?? own.find((model) => plain(modelName(model)) === plain(name))
    if (same !== undefined) return same
  }
  if (!/^(?:opus|sonnet|haiku)$/i.test(wanted)) return null
  const family = own.filter((model) => modelName(model).toLowerCase().includes(wanted.toLowerCase()))
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

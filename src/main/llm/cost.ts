import type { ModelRef } from '@shared/domain/settings'
import { PRICES, type Price } from './prices'
import type { ModelUsage } from './types'

const MILLION = 1_000_000

/**
 * What a call cost in US dollars, by the list price of its model; null for a model without one. The parts of the input
 * that went through the cache have prices of their own; where none were counted, all of it is at the full price.
 */
export function costOf(usage: ModelUsage, model: ModelRef): number | null {
  const price = priceOf(model)
  if (price === null) return null
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
  const plain = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens)
  const dollars =
    plain * price.input +
    cacheReadTokens * price.cacheRead +
    cacheWriteTokens * (price.cacheWrite ?? price.input) +
    outputTokens * price.output
  return dollars / MILLION
}

/** The price of a model by its name, whatever day its version is of; null when it is not known. */
export function priceOf(model: ModelRef): Price | null {
  const known = prices.get(model)
  if (known !== undefined) return known
  const price = findPrice(model)
  prices.set(model, price)
  return price
}

/** Asked for every answer of a long chat: by the models that were named since the start, which are few. */
const prices = new Map<ModelRef, Price | null>()

function findPrice(model: ModelRef): Price | null {
  const name = model.slice(model.indexOf('/') + 1)
  const plain = name.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '')
  return Object.hasOwn(PRICES, plain) ? (PRICES[plain] ?? null) : null
}

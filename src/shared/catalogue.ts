import { inPseudoLocale, isPseudoLocale } from './pseudo-locale'

/** What a person may read: a text, one with parameters, or these under names. Numbers and null are no texts. */
export type Words =
  | string
  | number
  | null
  | ((...values: never[]) => unknown)
  | readonly Words[]
  | { readonly [name: string]: Words }

/** The language of every text below, by whose rules words are counted and numbers written. */
export const LANGUAGE = 'en'

const areas = new Map<string, Words>()

/**
 * Puts the texts of one part of the window into the catalogue and gives them back. No text that a person reads stands
 * anywhere else in the window's code (test/unit/words.test.ts); in the pseudo-locale each comes back marked.
 */
export function defineStrings<T extends Words>(area: string, words: T): T {
  areas.set(area, words)
  return isPseudoLocale() ? inPseudoLocale(words) : words
}

/** Every text that was defined so far, by its area. */
export function catalogue(): ReadonlyMap<string, Words> {
  return areas
}

import type { CatalogueEntry } from './practice-view'

/** How well a skill fits a message. */
export interface Match {
  name: string
  score: number
  /** Words of the message that the skill's entry holds, as they were written. */
  words: string[]
}

const STOP = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by
  can could did do does doing don down during each few for from further get give go had has have having he her here
  hers him his how i if in into is it its itself just let like may me might more most much must my need no nor not now
  of off on once one only or other our out over own please same she should show so some such take tell than that the
  their them then there these they thing this those through to too under until up use used user uses using very want
  was way we were what when where which while who whom why will with work would you your yours skill skills run runs
  running hello hi hey thanks thank yes ok okay s t m re ve ll d`.split(/\s+/),
)

const NAME_WEIGHT = 2
const WHOLE_NAME = 100

/** Skills that share words with the message, best first; rarer words count more. Equal scores keep the given order. */
export function rankSkills(skills: readonly CatalogueEntry[], message: string): Match[] {
  const asked = contentWords(message)
  const entries = skills.map(({ name, description }) => ({
    name,
    inName: stems(name),
    inDescription: stems(description),
  }))
  const rarity = (stem: string) => {
    const holders = entries.filter(({ inName, inDescription }) => inName.has(stem) || inDescription.has(stem))
    return Math.log(1 + entries.length / Math.max(1, holders.length))
  }
  const weights = new Map([...asked.keys()].map((stem) => [stem, rarity(stem)]))
  const said = ` ${message.toLowerCase().replaceAll(/[^\p{L}\p{N}-]+/gu, ' ')} `
  return entries
    .map(({ name, inName, inDescription }): Match => {
      let score = said.includes(` ${name.toLowerCase()} `) ? WHOLE_NAME : 0
      const words: string[] = []
      for (const [stem, word] of asked) {
        const weight = inName.has(stem) ? NAME_WEIGHT : inDescription.has(stem) ? 1 : 0
        if (weight === 0) continue
        score += weight * (weights.get(stem) ?? 0)
        words.push(word)
      }
      return { name, score, words }
    })
    .filter((match) => match.score > 0)
    .sort((a, b) => b.score - a.score)
}

/** True when the message says its whole name. */
export function isNamed({ score }: Match): boolean {
  return score >= WHOLE_NAME
}

/** True when a message says nothing of its own, such as "again, please". */
export function saysNothing(message: string): boolean {
  return contentWords(message).size === 0
}

/** Stems of the words that carry meaning, each with its first spelling. */
function contentWords(text: string): Map<string, string> {
  const result = new Map<string, string>()
  for (const word of wordsOf(text)) {
    const stem = stemOf(word)
    if (!STOP.has(word) && !result.has(stem)) result.set(stem, word)
  }
  return result
}

function stems(text: string): Set<string> {
  return new Set(wordsOf(text).map(stemOf))
}

/** Lower-case words without accents; scripts that write without spaces are cut into pairs of characters. */
function wordsOf(text: string): string[] {
  const plain = text.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '')
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word)
      ? pairs(word)
      : [word],
  )
}

function pairs(word: string): string[] {
  const characters = Array.from(word)
  if (characters.length < 3) return [word]
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}

/** A little English: "counting", "counts" and "counted" meet in "count". */
function stemOf(word: string): string {
  if (word.length < 4) return word
  const base = word
    .replace(/ies$/, 'y')
    .replace(/(ss|x|z|ch|sh)es$/, '$1')
    .replace(/([^su])s$/, '$1')
    .replace(/([a-z]{3})(ing|ed)$/, '$1')
    .replace(/([b-df-hj-kmnp-rtv-y])\1$/, '$1')
  return base.length > 3 ? base.replace(/e$/, '') : base
}

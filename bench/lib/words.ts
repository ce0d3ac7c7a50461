import { seeded } from './seeded'
import type { Seeded } from './seeded'

/** Words in the order of how often they come; made once, so that every skill is written in one language. */
const VOCABULARY_SIZE = 6000

const COMMON = (
  'the a to of and in for with is on or use when this file that it from be as an are by run not if you can add set ' +
  'skill code data user create check make report page test name list read write each other all one only first'
).split(' ')

const SUBJECTS = (
  'pdf invoice spreadsheet slide image video audio calendar email contract release changelog schema database query ' +
  'docker cluster pipeline workflow issue review commit branch terminal browser scraper dashboard chart survey budget ' +
  'ledger payroll ticket incident log metric trace alert backup archive secret license package module component theme ' +
  'icon font palette layout form table index search cache queue stream socket webhook token session profile report ' +
  'weather travel recipe fitness music podcast lesson quiz translation glossary transcript notebook model prompt'
).split(' ')

const ACTIONS = (
  'build convert extract merge split format validate deploy monitor summarise translate plan draft review organise ' +
  'sync export import clean compare generate refactor migrate audit schedule track analyse debug publish collect'
).split(' ')

const ONSETS = 'b c d f g h l m n p r s t v br cr dr fl gr pl pr sc sh st th tr'.split(' ')
const VOWELS = 'a e i o u ea ou io'.split(' ')
const ENDS = ['', 'n', 'r', 's', 't', 'l', 'ct', 'nd', 'ment', 'tion', 'ing', 'er']

const vocabulary: readonly string[] = makeVocabulary()

/** A word of prose: few come often, most come seldom. */
export function word(random: Seeded): string {
  return vocabulary[Math.floor(VOCABULARY_SIZE ** random.next()) - 1]!
}

export function words(random: Seeded, count: number): string {
  return Array.from({ length: count }, () => word(random)).join(' ')
}

/** What a skill is about: its name is made of it, its description and body speak of it. */
export interface Topic {
  action: string
  subject: string
  other: string
}

export function topic(random: Seeded): Topic {
  return { action: random.pick(ACTIONS), subject: random.pick(SUBJECTS), other: random.pick(SUBJECTS) }
}

/** Sentences up to about this many characters, never cut inside a word; without quotes, colons and number signs. */
export function prose(random: Seeded, about: Topic, length: number): string {
  let text = capital(`${about.action} ${about.subject} and ${about.other} files`)
  while (text.length < length - 30) {
    const sentence = random.chance(0.2) ? `use when the user asks to ${about.action} ` : ''
    text += `. ${capital(sentence + words(random, 5 + random.below(9)))}`
  }
  return `${text.slice(0, Math.max(length, 20)).trim()}.`
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function makeVocabulary(): string[] {
  const random = seeded(20_260_101)
  const known = new Set([...COMMON, ...SUBJECTS, ...ACTIONS])
  while (known.size < VOCABULARY_SIZE) known.add(inventedWord(random))
  return [...known]
}

function inventedWord(random: Seeded): string {
  const syllables = 1 + random.below(3)
  const syllable = () => random.pick(ONSETS) + random.pick(VOWELS)
  return Array.from({ length: syllables }, syllable).join('') + random.pick(ENDS)
}

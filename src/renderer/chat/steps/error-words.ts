import { noteWords } from '../note-strings'

interface Advice {
  /** Which errors of the code it fits; left out: all. */
  when?: RegExp
  /** The error gives this advice already. */
  given: RegExp
  text: string
}

/** What a person can do, by the code of the result (`runtime.md` 3). */
const ADVICE: Partial<Record<string, Advice>> = {
  path_escape: {
    when: /\blink\b/,
    given: /\b(?:replace|copy)\b/i,
    text: noteWords.errorWords.replaceTheLinkBy,
  },
  not_found: {
    // Said of a skill's file; tools of the project look for files that are no skill's.
    when: /^"[^"]*" has no (?:script|file) /,
    given: /\b(?:add|correct|put|mean)\b/i,
    text: noteWords.errorWords.addTheFileTo,
  },
  sandbox_failed: { given: /\bSettings\b/, text: noteWords.errorWords.settingsSaysWhyUnder },
  internal: { when: /disk is full/, given: /\bfree\b/i, text: noteWords.errorWords.freeSomeSpaceThen },
  not_trusted: { given: /\btrust (?:it|the)\b/i, text: noteWords.errorWords.trustTheProjectTo },
}

/** Sentences that tell a model what to do next, which a person can't; not those that only name a tool in a reason. */
const FOR_MODEL = /^(?:Call )?skills_\w+ |"partial"|\b(?:Tell|Ask|ask) (?:the person|them)\b|^Load it again\./

/** The error of a step for a person: without what is meant for the model, with what can be done. */
export function errorWords(code: string, error: string): string {
  const sentences = error.split(/(?<=[.!?])\s+(?=\S)/).filter(Boolean)
  const kept = sentences.filter((sentence) => !FOR_MODEL.test(sentence))
  const words = (kept.length > 0 ? kept : sentences).join(' ')
  const advice = ADVICE[code]
  if (!advice || advice.given.test(words) || !fits(advice, words)) return words
  return [withStop(words), advice.text].filter(Boolean).join(' ')
}

function fits({ when }: Advice, words: string): boolean {
  return when?.test(words) ?? true
}

function withStop(words: string): string {
  return words === '' || /[.!?]$/.test(words) ? words : `${words}.`
}

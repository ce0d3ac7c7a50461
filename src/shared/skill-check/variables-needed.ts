/** Names of which one must be set. */
export type Alternatives = readonly string[]

const NAME = String.raw`[A-Z][A-Z0-9_]+(?![A-Za-z0-9])`
const ITEM = String.raw`["'\`]?(?<![A-Za-z0-9_])(?:\$\{?)?(?<![A-Za-z0-9_])${NAME}\}?["'\`]?`
/** `A_KEY`, `A_KEY or B_KEY`, `$A, $B and $C`. */
const LIST = new RegExp(`${ITEM}(?:(?: ?, ?(?:and |or )?| (?:and|or) | ?/ ?)${ITEM})*`, 'g')
const VARIABLE = String.raw`(?:env(?:ironment)?[ -]?(?:variable|var)(s?))`
const BEFORE = new RegExp(String.raw`\b${VARIABLE}(?: named| called| such as|:)? ?\(?$`, 'i')
const AFTER = new RegExp(String.raw`^(?: as an?)? \(?${VARIABLE}\b`, 'i')

const NEEDS =
  /\b(?:requires?|required|needs?|needed|depends on|must (?:have|be set|exist)|(?:has|have) to be set|prerequisites?)\b/i
const NOT_NEEDED = /\b(?:no|not|without|optional(?:ly)?|doesn't|recommended|if available|unless)\b/i

/**
 * The variables that a text says it needs: names in capitals beside "environment variable" or "env var", or after a `$`,
 * in a sentence that speaks of a need. Other words in capitals are not guessed at.
 */
export function variablesNeeded(text: string): Alternatives[] {
  const sentences = text.slice(0, 2000).split(/[.;](?:\s|$)|\n/)
  return sentences
    .map((sentence) => sentence.replace(/\s+/g, ' '))
    .filter((sentence) => NEEDS.test(sentence))
    .flatMap(inSentence)
}

function inSentence(sentence: string): Alternatives[] {
  return [...sentence.matchAll(LIST)].flatMap((match) => {
    const [list] = match
    const before = sentence.slice(0, match.index)
    const after = sentence.slice(match.index + list.length)
    if (NOT_NEEDED.test(clauseAround(before, after))) return []
    const names = namesIn(list, before, after)
    return / or |\//.test(list) ? (names.length > 0 ? [names] : []) : names.map((name) => [name])
  })
}

/** The rest of the part between commas that the list stands in. */
function clauseAround(before: string, after: string): string {
  const start = before.split(/[,:;+&(]|\band\b|\bbut\b/i).at(-1) ?? ''
  const [end = ''] = after.split(/[,;+&]|\band\b|\bbut\b/i)
  return `${start} ${end}`
}

/** "the AWS environment variables" are those of AWS: before the word only what can't be a name of something else. */
function namesIn(list: string, before: string, after: string): string[] {
  const all = [...list.matchAll(new RegExp(NAME, 'g'))].map(([name]) => name)
  if (BEFORE.test(before)) return all
  const [called, plural] = AFTER.exec(after) ?? []
  if (called !== undefined) {
    const isOne = plural === '' && all.length === 1 && /\bthe ["'`]?$/i.test(before)
    return isOne ? all : all.filter((name) => name.includes('_') || list.includes('$'))
  }
  return [...list.matchAll(new RegExp(String.raw`\$\{?(${NAME})`, 'g'))].map(([, name]) => name!)
}

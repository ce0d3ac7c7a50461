import { closeSafely, plainLine } from './escape'

/** What the text of a skill is loaded with. */
export interface LoadedWith {
  /** Where the skill's files are. */
  dir: string
  /** Left out: none were given, so that `$1` in a shell example stays what it is. */
  args?: string | undefined
}

/**
 * The text of a skill as the model gets it (`runtime.md` 6, Invocation): `{baseDir}`, `${CLAUDE_SKILL_DIR}` and
 * `${SKILL_DIR}` always, `$ARGUMENTS` and `$1` to `$9` for arguments that were given. Arguments that the text has no
 * place for stand at its end. `` !`cmd` `` stays text. Tags of ours are harmless afterwards, wherever their pieces
 * came from, and arguments are one line: they can't begin a block of their own.
 */
export function skillText(body: string, { dir, args }: LoadedWith): string {
  const given = args === undefined ? null : plainLine(args)
  const words = given === null ? [] : splitWords(given)
  let isPlaced = false
  const place = (value: string): string => {
    isPlaced = true
    return value
  }
  // One pass: what arguments say is never a placeholder again.
  const text = body.replace(PLACES, (written, dirPlace: string | undefined, number: string | undefined) => {
    if (dirPlace !== undefined) return dir
    if (number === undefined) return given === null ? written : place(given)
    const word = words[Number(number) - 1]
    return word === undefined ? written : place(word)
  })
  const rest = given === null || given === '' || isPlaced ? '' : `\n\nArguments: ${given}`
  return closeSafely(`${text.trim()}${rest}`)
}

const PLACES = /(\{baseDir\}|\$\{(?:CLAUDE_)?SKILL_DIR\})|\$ARGUMENTS(?![A-Za-z0-9_])|\$([1-9])(?![0-9])/g

/** Words as a shell would see them: what stands in quotes is one. A quote that is never closed is a character. */
function splitWords(line: string): string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|[^\s])+/g) ?? []
  return words.map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_all, a?: string, b?: string) => a ?? b ?? ''),
  )
}

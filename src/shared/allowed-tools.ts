/**
 * The tokens of `allowed-tools` in order, each once: `Bash(git add *)`, `Read`. Takes every spelling that is in use,
 * a text split at commas and white space, or a list of such texts; separators inside parentheses belong to the token
 * (`format.md` 2.5, quirk 25). Anything else gives no tokens.
 */
export function parseAllowedTools(value: unknown): string[] {
  const texts = Array.isArray(value) ? (value as unknown[]) : [value]
  const tokens = texts.filter((item) => typeof item === 'string').flatMap(splitTokens)
  return [...new Set(tokens)]
}

/** An opening parenthesis that is never closed runs to the end of the text. */
function splitTokens(text: string): string[] {
  const tokens: string[] = []
  let depth = 0
  let token = ''
  for (const char of text) {
    if (char === '(') depth += 1
    if (char === ')' && depth > 0) depth -= 1
    if (depth === 0 && (char === ',' || /\s/.test(char))) {
      tokens.push(token)
      token = ''
    } else token += char
  }
  tokens.push(token)
  return tokens.map((item) => item.trim()).filter((item) => item !== '')
}

import { AppError } from '@shared/errors'

const MAX_PATTERN = 500
const MAX_ALTERNATIVES = 64

/**
 * A test for paths with /: `*` and `?` stay in one part, `**` stands for any number of parts, `{a,b}` for one of them,
 * `[ab]` for one character. Time is bounded whatever the pattern is. Throws `bad_input`.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  if (pattern.length > MAX_PATTERN)
    throw new AppError('bad_input', `The pattern is longer than ${MAX_PATTERN} characters.`)
  const patterns = expandBraces(pattern).map((one) =>
    one
      .replace(/^(?:\.\/)+/, '')
      .split('/')
      .filter(Boolean),
  )
  return (path) => {
    const parts = path.split('/')
    return patterns.some((wanted) => matchesParts(wanted, parts))
  }
}

function expandBraces(pattern: string): string[] {
  const done: string[] = []
  const open = [pattern]
  while (open.length > 0) {
    const next = open.pop()!
    const group = /\{([^{}]*,[^{}]*)\}/.exec(next)
    if (!group) done.push(next)
    else
      for (const choice of group[1]!.split(','))
        open.push(next.slice(0, group.index) + choice + next.slice(group.index + group[0].length))
    if (done.length + open.length > MAX_ALTERNATIVES) {
      throw new AppError(
        'bad_input',
        `The pattern stands for more than ${MAX_ALTERNATIVES} patterns. Use fewer braces.`,
      )
    }
  }
  return done
}

/** Which parts of the pattern can end at each part of the path: no backtracking. */
function matchesParts(wanted: readonly string[], parts: readonly string[]): boolean {
  let reached = skipStars(wanted, new Set([0]))
  for (const part of parts) {
    const next = new Set<number>()
    for (const at of reached) {
      const pattern = wanted[at]
      if (pattern === '**') next.add(at)
      else if (pattern !== undefined && matchesName(pattern, part)) next.add(at + 1)
    }
    reached = skipStars(wanted, next)
  }
  return reached.has(wanted.length)
}

/** `**` may stand for nothing. */
function skipStars(wanted: readonly string[], at: ReadonlySet<number>): Set<number> {
  const all = new Set(at)
  for (let index = 0; index < wanted.length; index += 1) {
    if (all.has(index) && wanted[index] === '**') all.add(index + 1)
  }
  return all
}

/** The usual two-pointer match: after a failure only the last star takes one character more. */
function matchesName(pattern: string, name: string): boolean {
  const tokens = pattern.match(/\[[^\]]+\]|./gsu) ?? []
  const chars = Array.from(name)
  let [token, char, star, mark] = [0, 0, -1, 0]
  while (char < chars.length) {
    if (tokens[token] === '*') {
      star = token
      token += 1
      mark = char
    } else if (token < tokens.length && matchesChar(tokens[token]!, chars[char]!)) {
      token += 1
      char += 1
    } else if (star >= 0) {
      token = star + 1
      mark += 1
      char = mark
    } else return false
  }
  return tokens.slice(token).every((rest) => rest === '*')
}

function matchesChar(token: string, char: string): boolean {
  if (token === '?' || token === char) return true
  if (token.length < 3 || !token.startsWith('[')) return false
  const not = /^\[[!^]/.test(token)
  const set = token.slice(not ? 2 : 1, -1)
  const ranges = set.match(/.-.|./gsu) ?? []
  const isIn = ranges.some((range) =>
    range.length > 2 ? char >= range[0]! && char <= range.at(-1)! : range === char,
  )
  return isIn !== not
}

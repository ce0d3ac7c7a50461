import { AppError } from './errors'

const MAX_PATH = 4096

/**
 * A path that a model or a file names inside a skill, normalised: no `./`, no empty segments. Everything that could
 * lead out on any platform is refused with `path_escape` and the reason, also where it would come back in
 * (`a/../b`): absolute paths, `~`, `..`, backslashes, percent-encoded dots and slashes, control characters, drive
 * letters and alternate streams (`security.md` A40, A41). Links are not its business: `tree.ts` follows those.
 */
export function containRelative(path: string): string {
  const reason = whyRefused(path)
  if (reason) throw refused(path, reason)
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  if (segments.length === 0) throw refused(path, 'it names no file')
  return segments.join('/')
}

/** A pattern that no path may fit, with what to say of one that does. */
export type PathRule = readonly [pattern: RegExp, reason: string]

/** What is refused in every path that a model or a skill names. */
export const PATH_RULES = {
  // oxlint-disable-next-line no-control-regex -- control characters are what this rule is about
  control: [/[\u0000-\u001f\u007f]/, 'it holds a control character'],
  home: [/^~/, 'it starts at a home folder'],
  backslash: [/\\/, 'it holds a backslash; use /'],
  up: [/(?:^|\/)\.\.(?:\/|$)/, 'it holds ".."'],
} as const satisfies Record<string, PathRule>

const RULES: readonly PathRule[] = [
  PATH_RULES.control,
  [/^\//, 'it is absolute'],
  PATH_RULES.home,
  PATH_RULES.backslash,
  [/%(?:2e|2f|5c|00)/i, 'it is percent-encoded'],
  PATH_RULES.up,
  [/:/, 'it holds a colon, which names a drive or a stream'],
  [/[. ](?:\/|$)/, 'a part of it ends with a dot or a space'],
]

function whyRefused(path: string): string | undefined {
  if (path.length > MAX_PATH) return `it is longer than ${MAX_PATH} characters`
  // "." as a segment is dropped later, it is no name that ends with a dot.
  const named = path.replace(/^(?:\.\/+)+/, '').replace(/(^|\/)\.(?=\/|$)/g, '$1x')
  return RULES.find(([pattern]) => pattern.test(named))?.[1]
}

function refused(path: string, reason: string): AppError {
  const shown = JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path)
  return new AppError(
    'path_escape',
    `The path ${shown} is refused: ${reason}. Give a path relative to the skill, such as "references/guide.md".`,
  )
}

/**
 * SB-5: what the app, git, editors, shells and other agents trust in a project, relative to it. No script and no tool
 * writes there, whether it exists or not.
 */
export const PROTECTED_PATHS = [
  '.git/hooks',
  '.git/config',
  '.vscode',
  '.idea',
  '.mcp.json',
  '.claude',
  '.cursor',
  '.satchel',
  '.agents',
  '.envrc',
  '.bashrc',
  '.bash_profile',
  '.profile',
  '.zshrc',
  '.zprofile',
] as const

/**
 * True for a path of a project that no tool may write: a protected name at any depth, in any spelling that some file
 * system takes for it (`security.md` A40), and all that belongs to git.
 */
export function isProtected(path: string): boolean {
  return path.split('/').some((part) => NAMES.has(fold(part)) || /^git~\d+$/.test(fold(part)))
}

const NAMES: ReadonlySet<string> = new Set(PROTECTED_PATHS.map((path) => path.split('/')[0]!))

/** Case, compatible and ignored characters, streams, and what Windows drops at the end. */
function fold(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase()
}

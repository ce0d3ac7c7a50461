/**
 * SB-5: what the app, git, editors, shells and other agents trust, by name and at any depth. No script and no tool
 * writes there, whether it exists or not (ADR 0034). Of git all of `.git`: `commondir`, `config.worktree`, `modules`,
 * `worktrees` and `info` lead to programs as its settings and hooks do.
 */
const PROTECTED_NAMES = [
  '.git',
  '.vscode',
  '.idea',
  '.mcp.json',
  '.claude',
  '.cursor',
  '.codex',
  '.gemini',
  '.opencode',
  '.windsurf',
  '.roo',
  '.kiro',
  '.continue',
  '.amazonq',
  '.clinerules',
  '.zed',
  '.satchel',
  '.agents',
  '.husky',
  '.envrc',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.profile',
  '.zshenv',
  '.zshrc',
  '.zprofile',
  '.zlogin',
  '.zlogout',
] as const

/**
 * The same for scripts, and files of a project that tell agents what to do or programs what to start. These a tool may
 * write: a person sees each change before it is made.
 */
export const PROTECTED_PATHS = [
  ...PROTECTED_NAMES,
  'AGENTS.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  'GEMINI.md',
  '.cursorrules',
  'opencode.json',
  '.devcontainer',
  '.mise.toml',
  '.pre-commit-config.yaml',
  '.exrc',
  '.nvim.lua',
  '.dir-locals.el',
] as const

/**
 * True for a path of a project that no tool may write: a protected name at any depth, in any spelling that some file
 * system takes for it (`security.md` A40).
 */
export function isProtected(path: string): boolean {
  return path.split('/').some((part) => isOneOf(NAMES, part))
}

/** True for a name that no script may make, at any depth, in any spelling. */
export function isProtectedName(name: string): boolean {
  return isOneOf(SCRIPT_NAMES, name)
}

const NAMES: ReadonlySet<string> = new Set(PROTECTED_NAMES)
const SCRIPT_NAMES: ReadonlySet<string> = new Set(PROTECTED_PATHS.map(fold))

function isOneOf(names: ReadonlySet<string>, name: string): boolean {
  const folded = fold(name)
  return names.has(folded) || /^git~\d+$/.test(folded)
}

/** Case, compatible and ignored characters, streams, and what Windows drops at the end. */
function fold(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase()
}

import type { Diagnostic, Scope, TokenCosts } from '@shared/domain/skill'

/** What the registry knows of one copy of a skill on disk. Resolution (which copy is used) is not part of it. */
export interface SkillRecord {
  /** `scope:realpath`. */
  key: string
  /** Handle: the frontmatter's name where it is a legal one, else a slug of the folder's name. */
  name: string
  description: string
  scope: Scope
  /** Real path of the folder. */
  rootDir: string
  /** Path of SKILL.md as it was found. */
  skillMd: string
  /** For display: starts at ~ or at the project's name. */
  location: string
  /** Set for Project scope and shared folders inside a project: the project's real path. */
  projectDir: string | null
  /** A shared folder of other tools, ranked right after the scope it lies in. */
  sharedIn: 'personal' | 'project' | null
  frontmatter: Record<string, unknown>
  allowedTools: string[]
  license: string | undefined
  requires: string[]
  disableModelInvocation: boolean
  userInvocable: boolean
  priority: number
  tokens: TokenCosts
  scripts: number
  files: number
  changedAt: number
  diagnostics: Diagnostic[]
  /** Parsed so badly that it is never in a catalogue. */
  broken: boolean
}

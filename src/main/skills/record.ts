import type { Diagnostic, Scope, SkillStatus, TokenCosts } from '@shared/domain/skill'

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
  /** Name of the folder as it was found. */
  folder: string
  /** Path of SKILL.md as it was found. */
  skillMd: string
  /** For display: starts at ~ or at the project's name. */
  location: string
  /** Set for Project scope and shared folders inside a project: the project's folder as it was opened. */
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
  /** Milliseconds since 1970 of SKILL.md. */
  changedAt: number
  /** Changes whenever SKILL.md or the list of files may have changed. */
  stamp: string
  diagnostics: Diagnostic[]
  /** Parsed so badly that it is never in a catalogue. */
  broken: boolean
  /** Nothing of it was read, nor may be: a link that leads nowhere or out of the project, an unreadable folder. */
  unread: boolean
}

/** One copy as seen from a project (or from none). */
export interface SkillEntry {
  record: SkillRecord
  status: SkillStatus
  /** One sentence; empty when effective. */
  statusReason: string
  shadowedBy?: Scope
}

/** A folder that is searched for skills. */
export interface RootSpec {
  dir: string
  scope: Scope
  sharedIn: SkillRecord['sharedIn']
  projectDir: string | null
  /** Real folder that links below `dir` must not leave; null: anywhere. */
  containIn: string | null
  /** How `dir` is shown. */
  label: string
}

import type { Scope, SkillStatus, TokenCosts } from '@shared/domain/skill'

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
  /** The root it was found through. */
  root: RootSpec
  /** Path of SKILL.md as it was found. */
  skillMd: string
  /** For display: starts at ~ or at the project's name. */
  location: string
  /** Set for Project scope and shared folders inside a project: the project's folder as it was opened. */
  projectDir: string | null
  /** A shared folder of other tools, ranked right after the scope it lies in. */
  sharedIn: 'personal' | 'project' | null
  /** As the frontmatter writes the name, where that differs from the handle; else empty. */
  label: string
  tags: string[]
  allowedTools: string[]
  author: string | undefined
  license: string | undefined
  requires: string[]
  disableModelInvocation: boolean
  userInvocable: boolean
  priority: number
  /** `scope.*` of the frontmatter; null: everywhere. */
  availableTo: Availability | null
  /** Key of the skill whose folder it lies in; null for all others. */
  parent: string | null
  tokens: TokenCosts
  scripts: number
  files: number
  /** Milliseconds since 1970 of SKILL.md. */
  changedAt: number
  /** Changes whenever SKILL.md or the list of files may have changed. */
  stamp: string
  /** Warnings and errors of SKILL.md and its folder; of a broken one errors. All diagnostics are read again when somebody looks (`detail.ts`). */
  problems: number
  /** The first error in one or two sentences, when it is broken; else empty. */
  brokenReason: string
  /** Parsed so badly that it is never in a catalogue. */
  broken: boolean
  /** Broken, and yet a person may call it: it lacks nothing but its frontmatter or a description. */
  byHand: boolean
  /** Nothing of it was read, nor may be: a link that leads nowhere or out of the project, an unreadable folder. */
  unread: boolean
}

/** Lists of names a skill is for (`runtime.md` 6, F5); null: no limit of that kind. */
export interface Availability {
  agents: string[] | null
  tenants: string[] | null
  environments: string[] | null
}

/** One copy as seen from a project (or from none). */
export interface SkillEntry {
  record: SkillRecord
  status: SkillStatus
  /** One sentence; empty when effective. */
  statusReason: string
  /** It is the organisation's policy that makes it unavailable. */
  byPolicy?: true
  /** Broken for agents; a person who names it here means this copy. */
  byHand?: true
  shadowedBy?: Scope
  /** The person chose this copy for the project. */
  pinned: boolean
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
  /** Order among the roots of one scope: a project's own folder before those above it. Smaller first. */
  nearness: number
  readOnly: boolean
  /** The tool whose folder it is: its id in `agent-folders.json` and its name. Null for Satchel's own. */
  tool: { id: string; name: string } | null
  /** The plugin it belongs to; of two with the same skill the last installed wins. */
  plugin: { name: string; installedAt: number } | null
  /** `dir` is one skill, called by this name (a mounted source); null: `dir` holds skills. */
  mountedAs: string | null
}

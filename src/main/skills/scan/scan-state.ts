import type { Diagnostic } from '@shared/domain/skill'
import type { SkillFacts } from './facts'
import type { RootSpec, SkillRecord } from '../record'
import type { Sig } from './stat-sig'

/** What the scanner remembers of one root between two looks. */
export interface RootScan {
  spec: RootSpec
  state: 'found' | 'missing' | 'empty' | 'unreadable'
  /** What was left out, or why it can't be read; else empty. */
  note: string
  /** The root itself; null while it can't be looked at. */
  top: Entry | null
  /** It lies on another machine: the system does not tell what changes there. */
  remote: boolean
  skills: Set<Skill>
  /** Folders that are no skills in the last look. */
  folders: Set<Folder>
}

/** One name in a folder: a folder or a link. Lives as long as the name does. */
export interface Entry {
  /** As it was found below the root. */
  dir: string
  /** Without links; of a link: unknown until it is followed. */
  real: string
  link: boolean
  /** Levels below the root. */
  depth: number
  /** The skill in whose folder it lies. */
  parent: Skill | null
  is: Skill | Folder | null
}

/** A folder that is no skill, and what was in it when its times were `sig`. */
export interface Folder {
  kind: 'folder'
  real: string
  sig: Sig
  /** It was changed just before it was read: it is read once more. */
  fresh: boolean
  entries: Entry[]
  /** It has more entries than are looked at. */
  cut: boolean
  /** It lies as deep as is searched, and has folders. */
  deep: boolean
}

/** A folder that is a skill, or would be one if it could be read. */
export interface Skill {
  kind: 'skill'
  root: RootScan
  entry: Entry
  /** As it was found below the root. */
  dir: string
  /** The skill's own folder without links: where a linked SKILL.md really lies (`format.md` 2.5, quirk 20). */
  realDir: string
  /** Folder below the root without links. */
  foundReal: string
  /** Path of SKILL.md below `dir`; null when nothing may be read. */
  skillMd: string | null
  /** SKILL.md itself is a link: it is followed anew at every look. */
  linked: boolean
  /** Of SKILL.md as it was last read; null for what can't be read. */
  sig: Sig | null
  fresh: boolean
  /** It was there before and is another file now: its folder may be another one too. */
  replaced: boolean
  /** Why nothing may be read. */
  problem: Diagnostic | null
  depth: number
  /** The skill in whose folder it lies. */
  parent: Skill | null
  /** Skills inside it. */
  children: Entry[]
  facts: SkillFacts | null
  /** What was last made of the facts. */
  record: SkillRecord | null
  /** What the registry knows of it; null while it was not told, or was told of another copy with the same key. */
  toldAs: SkillRecord | null
  /**
   * How much of the facts holds: nothing; the frontmatter; all, unless its folders changed since an earlier start; all,
   * unless a file was changed by what an event told of; all.
   */
  known: 'nothing' | 'front' | 'unchecked' | 'suspect' | 'all'
  /** Number of the look that saw it last. */
  seenIn: number
}

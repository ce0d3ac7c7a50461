import type { ScriptKind } from '../script-kind'
import type { ParsedSkill } from '../skill-md'

/** A file of a skill, as the checks need it. */
export interface CheckedFile {
  /** Relative to the skill, with /. */
  path: string
  /** Bytes. */
  size: number
  executable: boolean
  /** The first 256 bytes as text; null when it is binary. */
  head: string | null
  /** The whole text of Markdown and scripts up to 256 kB; SKILL.md among them. */
  text?: string
}

/** A symbolic link inside a skill. */
export interface CheckedLink {
  path: string
  /** As it stands in the link. */
  target: string
  /** It leads out of the skill. */
  leaves: boolean
  /** It leads nowhere, or to itself. */
  broken: boolean
}

/** What is there on this machine. */
export interface CheckEnvironment {
  hasProgram(name: string): boolean
  hasVariable(name: string): boolean
  interpreterFor(kind: ScriptKind): boolean
  /** As Node names it: linux, darwin, win32. */
  os: string
  /** Names that `allowed-tools` may hold, other than `mcp__…`. */
  knownTools: readonly string[]
}

export interface FolderInput {
  skill: ParsedSkill
  /** Name of the folder as it was found. */
  folderName: string
  /** With SKILL.md and its text: the lines of its fields are looked up there. */
  files: readonly CheckedFile[]
  /** True when there are more files than were listed: then nothing is said to be missing. */
  filesCut?: boolean
  links: readonly CheckedLink[]
  environment: CheckEnvironment
}

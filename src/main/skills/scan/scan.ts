import { isUtf8 } from 'node:buffer'
import { dirname, join, sep } from 'node:path'
import type { CheckEnvironment } from '@shared/skill-check/folder-input'
import { parseWithoutBody } from '@shared/skill-md'
import { readFront } from '@shared/skill-md/front'
import { QUICK_TEXT, quickFront } from '@shared/skill-md/quick-front'
import { slugOf } from '@shared/skill-md/skill-name'
import type { Probe } from './probe'
import { MAX_DEPTH } from './discover'
import { countedTree, dirMark, factsOfFront, frontOf, readFacts, readSkillMd, treeMark } from './facts'
import type { Front, SkillFacts, SkillPlace } from './facts'
import type { RootSpec, SkillRecord } from '../record'
import type { Entry, RootScan, Skill } from './scan-state'
import { sentencesOf } from './unread'

type Found = Extract<Probe, { is: 'skill' }>

export function newRootScan(spec: RootSpec, remote: boolean): RootScan {
  return { spec, state: 'missing', note: '', top: null, remote, skills: new Set(), folders: new Set() }
}

/**
 * The first stage: what the first bytes of SKILL.md tell. Everything else of an earlier look stays until the second
 * one. A file whose frontmatter is odd or long is read whole at once.
 */
export function readFrontFacts(skill: Skill, found: Found): void {
  const before = skill.facts
  const front = plainFront(skill, found) ?? fullFront(skill)
  skill.known = 'front'
  if (before && hasFront(before, front)) return
  skill.facts = before ? { ...before, ...front } : factsOfFront({ ...NO_FRONT, ...front }, found.sig[1])
  skill.record = null
}

/** The second stage: everything. True when it tells more or other than before. */
export function readAllFacts(skill: Skill, environment: CheckEnvironment): boolean {
  const before = skill.facts
  const facts = readFacts(placeOf(skill), environment)
  // Saved again with the same content: not a change.
  if (before && before.hash === facts.hash) facts.changedAt = before.changedAt
  skill.known = 'all'
  const same = before?.hash === facts.hash && sameFacts(before, facts)
  skill.facts = same ? before : facts
  setChildren(skill, facts.inside)
  if (!same) skill.record = null
  return !same
}

/** True when the folders of the skill, or with `deep` its files, are not as they were when they were read. */
export function hasMoved(skill: Skill, deep: boolean): boolean {
  const { facts, realDir, problem } = skill
  if (problem || !facts) return false
  if (!deep) return dirMark(realDir, facts.dirs) !== facts.dirMark
  return treeMark(countedTree(placeOf(skill))) !== facts.tree
}

/** Facts of an earlier start; whether its folders are as they were then is still to be looked at. */
export function recallFacts(skill: Skill, facts: SkillFacts): void {
  skill.facts = facts
  skill.known = 'unchecked'
  setChildren(skill, facts.inside)
}

/** What the registry is told of a skill. Made once for the same facts. */
export function recordOf(skill: Skill): SkillRecord {
  skill.record ??= skill.problem || !skill.facts ? unreadRecord(skill) : readRecord(skill, skill.facts)
  return skill.record
}

export function keyOf({ root, realDir }: Skill): string {
  return `${root.spec.scope}:${realDir}`
}

/** What is known of a skill before its fields were read. */
export const NO_FRONT: Front = {
  name: '',
  label: '',
  description: '',
  tags: [],
  allowedTools: [],
  author: undefined,
  license: undefined,
  requires: [],
  disableModelInvocation: false,
  userInvocable: true,
  priority: 0,
  availableTo: null,
  broken: false,
  byHand: false,
  brokenReason: '',
}

type PlainFront = Omit<Front, 'tags' | 'allowedTools' | 'author' | 'license' | 'requires'>

/** Null where only the full parser can tell. */
function plainFront(skill: Skill, { head, length, complete }: Found): PlainFront | null {
  if (!head) return null
  const folderName = folderOf(skill)
  const front =
    (!complete || isText(head.subarray(0, length))
      ? quickFront(head.toString('utf8', 0, Math.min(length, QUICK_TEXT)), folderName)
      : null) ?? readFront(head.subarray(0, length), { folderName, complete })
  if (typeof front === 'string' || front.broken) return null
  return {
    name: front.name,
    label: front.label === front.name ? '' : front.label,
    description: front.description,
    disableModelInvocation: front.disableModelInvocation,
    userInvocable: front.userInvocable,
    priority: front.priority,
    availableTo: null,
    broken: false,
    byHand: false,
    brokenReason: '',
  }
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0)
}

function fullFront(skill: Skill): Front {
  const parsed = readSkillMd(skill.skillMd!, folderOf(skill), parseWithoutBody)
  return frontOf(parsed, parsed.diagnostics)
}

function folderOf({ dir, root }: Skill): string {
  return root.spec.mountedAs ?? nameOf(dir)
}

function placeOf(skill: Skill): SkillPlace {
  return {
    skillMd: skill.skillMd!,
    realDir: skill.realDir,
    folder: folderOf(skill),
    allowHardLinks: skill.root.spec.scope === 'bundled',
  }
}

/** In the order of their names: facts that were kept in the index may have another order than those just made. */
const FACT_KEYS = (
  'name label description tags allowedTools author license requires disableModelInvocation userInvocable priority ' +
  'availableTo agents tenants environments broken byHand brokenReason tokens catalogue body files scripts problems hash tree ' +
  'dirs dirMark inside needs changedAt'
).split(' ')

function hasFront(facts: SkillFacts, front: Partial<Front>): boolean {
  const keys = Object.keys(front) as (keyof Front)[]
  return keys.every((key) => JSON.stringify(facts[key]) === JSON.stringify(front[key]))
}

function sameFacts(a: SkillFacts, b: SkillFacts): boolean {
  return JSON.stringify(a, FACT_KEYS) === JSON.stringify(b, FACT_KEYS)
}

/** Skills inside: entries of their own, the nearest outer one as parent, the same as before where they were there. */
function setChildren(skill: Skill, inside: readonly string[]): void {
  const before = new Map(skill.children.map((entry) => [entry.dir, entry]))
  const dirs = inside.map((path) => dirname(path)).sort()
  const nearest = dirs.filter((dir, at) => !dirs.slice(0, at).some((above) => dir.startsWith(`${above}/`)))
  skill.children = nearest.flatMap((path) => {
    const depth = skill.depth + path.split('/').length
    if (depth > MAX_DEPTH || skill.root.spec.mountedAs !== null) return []
    return [before.get(join(skill.dir, path)) ?? childEntry(skill, path, depth)]
  })
  for (const entry of before.values()) {
    if (!skill.children.includes(entry)) dropAll(entry)
  }
}

/** They are found no more: the next sweep takes them back. */
function dropAll({ is }: Entry): void {
  if (is?.kind !== 'skill') return
  is.seenIn = -1
  is.children.forEach(dropAll)
}

function childEntry(skill: Skill, path: string, depth: number): Entry {
  return {
    dir: join(skill.dir, path),
    // Followed anew each time: what lies on the way may be a link.
    real: '',
    link: true,
    depth,
    parent: skill,
    is: null,
  }
}

type Placed = Pick<SkillRecord, 'folder' | 'location' | 'parent' | 'key' | 'skillMd'>

function placed(skill: Skill): Placed {
  const { spec } = skill.root
  const below = skill.dir.slice(spec.dir.length)
  return {
    key: keyOf(skill),
    folder: nameOf(skill.dir),
    location: `${spec.label}${sep === '/' ? below : below.replaceAll(sep, '/')}`,
    parent: skill.parent ? keyOf(skill.parent) : null,
    skillMd: skill.skillMd ?? skill.dir,
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf(sep) + 1)
}

/** Written out: this is made thousands of times. */
function readRecord(skill: Skill, facts: SkillFacts): SkillRecord {
  const { spec } = skill.root
  const { key, folder, location, parent, skillMd } = placed(skill)
  return {
    key,
    name: spec.mountedAs ?? facts.name,
    description: facts.description,
    scope: spec.scope,
    rootDir: skill.realDir,
    folder,
    root: spec,
    skillMd,
    location,
    projectDir: spec.projectDir,
    sharedIn: spec.sharedIn,
    label: facts.label,
    tags: facts.tags,
    allowedTools: facts.allowedTools,
    author: facts.author,
    license: facts.license,
    requires: facts.requires,
    disableModelInvocation: facts.disableModelInvocation,
    userInvocable: facts.userInvocable,
    priority: facts.priority,
    availableTo: facts.availableTo,
    parent,
    tokens: facts.tokens,
    scripts: facts.scripts,
    files: facts.files,
    changedAt: facts.changedAt,
    stamp: `${facts.hash}.${facts.tree}`,
    problems: facts.problems,
    brokenReason: facts.brokenReason,
    broken: facts.broken,
    byHand: facts.byHand,
    unread: false,
  }
}

function unreadRecord(skill: Skill): SkillRecord {
  const facts = factsOfFront({ ...NO_FRONT, name: slugOf(nameOf(skill.dir)), broken: true }, 0)
  return {
    ...readRecord(skill, facts),
    tokens: { catalogue: 0, body: 0, files: 0 },
    stamp: skill.problem?.code ?? '',
    brokenReason: skill.problem ? sentencesOf(skill.problem) : '',
    unread: true,
  }
}

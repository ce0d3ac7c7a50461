import type { RootReport, ScanDelta } from '../scan/scan-contract'
import { recordOf } from '../scan/scan'
import type { Skill } from '../scan/scan-state'
import type { SkillRecord } from '../record'
import type { RootNote } from '../sources/sources'

/** What the registry was told, so that only differences are told, in parts of bounded size. */
export interface Told {
  /** Tells of a skill, unless it was told so or another root has the same copy. */
  skill(skill: Skill): void
  /** Takes back what the look with this number did not find. */
  sweep(look: number): void
  roots(roots: RootReport[], notes: RootNote[]): void
  /** Sends what is left. */
  finish(how: { listed: boolean; complete: boolean; scanMs: number }): void
  /** Number of the last part. */
  seq(): number
}

interface State {
  send(delta: ScanDelta): void
  known: Map<string, Known>
  seq: number
  upsert: SkillRecord[]
  remove: string[]
  roots: RootReport[] | null
  rootsText: string
  notes: RootNote[]
  size: number
  /** The last part said that nothing was open. */
  complete: boolean
}

const MAX_RECORDS = 200
/** Characters of text in one part: with everything around them it stays below 256 kB. */
const MAX_TEXT = 100_000

export function createTold(send: (delta: ScanDelta) => void): Told {
  const state: State = {
    send,
    known: new Map(),
    seq: 0,
    upsert: [],
    remove: [],
    roots: null,
    rootsText: '',
    notes: [],
    size: 0,
    complete: false,
  }
  return {
    skill: (skill) => tell(state, skill),
    sweep(look) {
      for (const [key, { record, skill }] of state.known) {
        if (skill.seenIn === look && (skill.record === record || recordOf(skill).key === key)) continue
        state.known.delete(key)
        takeBack({ record, skill })
        state.remove.push(key)
      }
    },
    roots(roots, notes) {
      const text = JSON.stringify([roots, notes])
      if (text === state.rootsText) return
      Object.assign(state, { rootsText: text, roots, notes })
    },
    finish(how) {
      flush(state, how)
    },
    seq: () => state.seq,
  }
}

function tell(state: State, skill: Skill): void {
  const record = recordOf(skill)
  // Nearly always: looking up its key takes as long as half of all that is done about an unchanged skill.
  if (skill.toldAs === record) return
  const known = state.known.get(record.key)
  if (known && isOther(known, { record, skill })) return
  if (known?.skill === skill && sameRecord(known.record, record)) {
    skill.record = skill.toldAs = known.record
    return
  }
  if (known) takeBack(known)
  state.known.set(record.key, { record, skill })
  skill.toldAs = record
  state.upsert.push(record)
  if (state.remove.length > 0) state.remove = state.remove.filter((key) => key !== record.key)
  state.size += sizeOf(record)
  if (state.upsert.length >= MAX_RECORDS || state.size >= MAX_TEXT) {
    flush(state, { listed: false, complete: false, scanMs: 0 })
  }
}

/** The texts that can be long. */
function sizeOf({ description, tags, allowedTools, requires }: SkillRecord): number {
  return description.length + lengthOf(tags) + lengthOf(allowedTools) + lengthOf(requires)
}

interface Known {
  record: SkillRecord
  skill: Skill
}

/** It stands for its key no more. */
function takeBack({ record, skill }: Known): void {
  if (skill.toldAs === record) skill.toldAs = null
}

/** The same folder by two ways: the first root, but rather a skill of its own than one inside another. */
function isOther(known: Known, found: Known): boolean {
  if (known.skill === found.skill || known.skill.seenIn !== found.skill.seenIn) return false
  return known.record.parent === null || found.record.parent !== null
}

function lengthOf(texts: readonly string[]): number {
  return texts.length === 0 ? 0 : texts.join('').length
}

function sameRecord(a: SkillRecord, b: SkillRecord): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Says nothing where there is nothing new. */
function flush(state: State, how: { listed: boolean; complete: boolean; scanMs: number }): void {
  const { upsert, remove, roots, notes } = state
  const empty = upsert.length === 0 && remove.length === 0 && roots === null
  if (empty && state.complete) return
  state.complete = how.complete
  Object.assign(state, { upsert: [], remove: [], roots: null, notes: [], size: 0 })
  state.seq += 1
  state.send({ seq: state.seq, anew: state.seq === 1, roots, notes, upsert, remove, ...how })
}

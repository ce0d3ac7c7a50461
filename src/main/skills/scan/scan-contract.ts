import { z } from 'zod'
import { call, stream } from '@shared/ipc/define'
import type { RootSpec, SkillRecord } from '../record'
import type { ScanInput } from '../roots/roots'
import type { RootNote } from '../sources/sources'

/** How a root was found. */
export interface RootReport {
  spec: RootSpec
  state: 'found' | 'missing' | 'empty' | 'unreadable'
  /** What was left out, or why it can't be read; else empty. */
  note: string
  /** How its changes are seen: by regular looks alone where the system allows no more watches or tells of nothing. */
  live: 'events' | 'limited' | 'remote' | 'off'
  /** False when the folder of its project is gone. */
  projectThere: boolean
}

/** What a look found. At most 200 records and about 200 kB each; in order. */
export interface ScanDelta {
  /** Rises by one. */
  seq: number
  /** Everything comes anew from here on: what does not come again until `listed` is gone. */
  anew: boolean
  /** All roots, when one of them changed. */
  roots: RootReport[] | null
  /** What could not be used besides the roots; with `roots`. */
  notes: RootNote[]
  upsert: SkillRecord[]
  remove: string[]
  /** Milliseconds of the look so far. */
  scanMs: number
  /** Every skill is there with its name, description and flags. */
  listed: boolean
  /** Nothing of the look is open any more: counts, problems and skills inside others are there too. */
  complete: boolean
}

/** Finds skills and says what changed. */
export interface Scanner {
  /** Looks at these folders from now on; the first look starts with it. */
  configure(input: ScanInput): void
  /** Looks at everything once more; done when everything that was found has been told. */
  refresh(): Promise<void>
  /** Changes of any file of these skills, at most 64, are to be seen within half a second. */
  deepen(keys: readonly string[]): void
  close(): void
}

const Nothing = z.object({})

/** What main asks of the scanner in the worker thread. Both sides are one program, so shapes are not checked. */
export const scanContract = {
  'scan.configure': call(z.custom<ScanInput>(), Nothing),
  /** Number of the last delta that belongs to the look. */
  'scan.refresh': call(Nothing, z.object({ seq: z.number() })),
  'scan.deepen': call(z.object({ keys: z.array(z.string()) }), Nothing),
  'scan.deltas': stream(Nothing, z.custom<ScanDelta>()),
}

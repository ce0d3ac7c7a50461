import { join } from 'node:path'
import { createCheckEnvironment } from '../../../../src/main/skills/registry/check-environment'
import { readFull } from '../../../../src/main/skills/scan/facts'
import type { RootSpec, SkillRecord } from '../../../../src/main/skills/record'
import type { ScanInput } from '../../../../src/main/skills/roots/roots'
import type { ScanDelta, Scanner } from '../../../../src/main/skills/scan/scan-contract'
import { createScanner } from '../../../../src/main/skills/scan/scanner'
import type { ScannerDeps } from '../../../../src/main/skills/scan/scanner-state'
import { later, rootFor, silentLog } from './support'

const NOTHING: ScanInput = {
  homeDir: '',
  resourcesDir: '',
  dataDir: '',
  policyDir: null,
  env: {},
  projects: [],
  writableTools: [],
  sources: [],
}

/** A scanner of these roots, and what it told so far. */
export interface Scanned {
  scanner: Scanner
  deltas: ScanDelta[]
  /** What a listener has put together, in path order. */
  records(): SkillRecord[]
  /** The root of this folder, or the only one. */
  root(dir?: string): { state: string; note: string; live: string }
  /** Parts of the last `refresh`. */
  look(): Promise<ScanDelta[]>
}

/** Looks only when it is asked to, unless `change` says otherwise. Nothing counts as written just now. */
export function scannerOf(specs: readonly RootSpec[], change: Partial<ScannerDeps> = {}): Scanned {
  const deltas: ScanDelta[] = []
  const records = new Map<string, SkillRecord>()
  const scanner = createScanner({
    indexFile: null,
    watch: false,
    log: silentLog,
    now: () => Date.now() + 5000,
    roots: () => ({ specs: [...specs], notes: [] }),
    ...change,
    onDelta(delta) {
      deltas.push(delta)
      for (const record of delta.upsert) records.set(record.key, record)
      for (const key of delta.remove) records.delete(key)
      change.onDelta?.(delta)
    },
  })
  scanner.configure(NOTHING)
  later(() => scanner.close())
  const roots = () => deltas.findLast((delta) => delta.roots !== null)!.roots!
  return {
    scanner,
    deltas,
    records: () => [...records.values()].sort((a, b) => (a.location < b.location ? -1 : 1)),
    root: (dir) => roots().find(({ spec }) => dir === undefined || spec.dir === dir)!,
    async look() {
      const from = deltas.length
      await scanner.refresh()
      return deltas.slice(from)
    },
  }
}

/** A root of personal skills. */
export const personal = (dir: string): RootSpec => rootFor(dir)

/** A root in a project, out of which no link may lead. */
export function project(dir: string): RootSpec {
  return rootFor(join(dir, 'skills'), {
    scope: 'project',
    projectDir: dir,
    containIn: dir,
    label: 'work/skills',
  })
}

export interface Result {
  state: string
  note: string
  records: SkillRecord[]
}

/** One look at one root. */
export async function scan(spec: RootSpec): Promise<Result> {
  const scanned = scannerOf([spec])
  await scanned.look()
  const { state, note } = scanned.root()
  return { state, note, records: scanned.records() }
}

export const names = ({ records }: Result) => records.map(({ name }) => name)
/** What a person would be told of it. */
export const diagnosticsOf = (record: SkillRecord) => {
  const { skillMd, rootDir, folder, scope, unread, stamp, brokenReason } = record
  if (unread) return [{ code: stamp, message: brokenReason }]
  const place = { skillMd, realDir: rootDir, folder, allowHardLinks: scope === 'bundled' }
  const { diagnostics } = readFull(place, createCheckEnvironment({ PATH: process.env['PATH'] }))
  // The descriptions of these skills are for no model.
  return diagnostics.filter(({ code }) => !code.startsWith('description-'))
}
export const codes = ({ records }: Result) => records.flatMap((r) => diagnosticsOf(r).map(({ code }) => code))

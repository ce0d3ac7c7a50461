import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../src/main/lib/log'
import type { SkillRecord } from '../../src/main/skills/record'
import type { ScanInput } from '../../src/main/skills/roots/roots'
import type { ScanDelta } from '../../src/main/skills/scan/scan-contract'
import type { Listed } from './compare'

/** Says what went wrong where a benchmark would otherwise measure nothing. */
export const benchLog: Log = {
  info: () => undefined,
  warn: (message, data) => void process.stderr.write(`${message} ${JSON.stringify(data ?? {})}\n`),
  error: (message, error) => void process.stderr.write(`${message}: ${String(error)}\n`),
}

/** Only the personal skills of this home folder; `scratch` is an empty folder for everything else. */
export function inputFor(home: string, scratch: string): ScanInput {
  mkdirSync(join(scratch, 'resources', 'skills'), { recursive: true })
  return {
    homeDir: home,
    resourcesDir: join(scratch, 'resources'),
    dataDir: join(scratch, 'data'),
    policyDir: null,
    env: {},
    projects: [],
    writableTools: [],
    sources: [],
  }
}

/** What the deltas of a scanner add up to. */
export interface Collected {
  records: Map<string, SkillRecord>
  /** When every skill had its name and description, and when nothing was open any more; 0 before. */
  listedAt: number
  completeAt: number
  /** Processor time of the process when every skill had its name and description, in milliseconds; 0 before. */
  listedCpu: number
  /** The same of this thread alone. */
  listedThread: number
  /** When the next look that told something was complete. */
  nextComplete(): Promise<number>
  onDelta(delta: ScanDelta): void
}

export function collectDeltas(): Collected {
  let tell = (_at: number) => {}
  const collected: Collected = {
    records: new Map(),
    listedAt: 0,
    completeAt: 0,
    listedCpu: 0,
    listedThread: 0,
    nextComplete: () => new Promise((resolve) => (tell = resolve)),
    onDelta({ upsert, remove, listed, complete }) {
      for (const record of upsert) collected.records.set(record.key, record)
      for (const key of remove) collected.records.delete(key)
      if (listed) collected.listedThread ||= threadMs()
      if (listed) collected.listedAt ||= performance.now()
      if (listed) collected.listedCpu ||= cpuMs()
      if (!complete) return
      collected.completeAt = performance.now()
      tell(collected.completeAt)
    },
  }
  return collected
}

/** Processor time of this process so far, in milliseconds: waiting for other programs is not part of it. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Processor time of this thread so far, in milliseconds: neither what other programs take from it is part of it nor what
 * the engine compiles and collects in threads of its own.
 */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Skills that can be used, as the comparison wants them. */
export function listedOf(records: Iterable<SkillRecord>): Listed[] {
  return [...records]
    .filter(({ broken, parent }) => !broken && parent === null)
    .map(({ folder, label, name, description }) => ({
      folder,
      name: label === '' ? name : label,
      description,
    }))
}

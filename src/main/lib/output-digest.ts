import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** SHA-256 of the kept output of a run, over its files in their order; null: nothing of it is there. */
export type OutputDigests = (runId: string) => string | null

/** The digests of what the folder of runs holds. It is listed once, each file is read when it is asked for. */
export function outputDigests(folder: string): OutputDigests {
  const files = new Map<string, { name: string; part: number }[]>()
  for (const name of namesIn(folder)) {
    const [, runId, part = '0'] = /^([^.]+)(?:\.(\d+))?\.log$/.exec(name) ?? []
    if (runId === undefined) continue
    files.set(runId, [...(files.get(runId) ?? []), { name, part: Number(part) }])
  }
  return (runId) => {
    const own = files.get(runId)
    if (!own) return null
    const hash = createHash('sha256')
    for (const { name } of own.toSorted((a, b) => a.part - b.part))
      hash.update(readFileSync(join(folder, name)))
    return hash.digest('hex')
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return [] // nothing ever ran
  }
}

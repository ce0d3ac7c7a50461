import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { ChainPoint } from './chain'

const Anchor = z.object({ seq: z.number().int().positive(), hash: z.string() })

/**
 * The end of the record, noted in a file beside the database: a record that is shorter, or another one, is told by
 * `verifyInSlices`. Whoever may write the data folder can write this file too: it shows what happened to the
 * database alone. A file of the organisation (`audit.write_to`) shows the rest.
 */
export function anchorFile(dataDir: string): string {
  return join(dataDir, 'audit-head.json')
}

/** Null: there is none, or it can't be understood. */
export function readAnchor(dataDir: string): ChainPoint | null {
  try {
    return Anchor.parse(JSON.parse(readFileSync(anchorFile(dataDir), 'utf8')))
  } catch {
    return null // of a fresh start, or damaged: the record itself is still verified
  }
}

export function writeAnchor(dataDir: string, point: ChainPoint): void {
  const file = anchorFile(dataDir)
  const beside = `${file}.${process.pid}.part`
  writeFileSync(beside, `${JSON.stringify(point)}\n`, { mode: 0o600 })
  renameSync(beside, file)
}

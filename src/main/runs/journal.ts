import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { Guard, guardsOf, settleGuards } from './sandbox/protected'

const Journal = z.object({ workspace: z.string(), guards: z.array(Guard) })

/** Notes in the run's folder which protected paths must not exist after it, so that a crash can't lose that. */
export function writeJournal(dir: string, workspace: string): void {
  const journal: z.infer<typeof Journal> = { workspace, guards: guardsOf(workspace) }
  writeFileSync(join(dir, 'journal.json'), JSON.stringify(journal), { mode: 0o600 })
}

/** Settles what `writeJournal` noted, once no process of the run is left. Gives the paths that were moved away. */
export function settleJournal(dir: string, quarantine: string): string[] {
  let text: string
  try {
    text = readFileSync(join(dir, 'journal.json'), 'utf8')
  } catch {
    // The crash came before the journal, and so before the script.
    return []
  }
  const journal = Journal.safeParse(tryJson(text))
  return journal.success ? settleGuards(journal.data.workspace, journal.data.guards, quarantine) : []
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Torn by the crash: the script had not started.
    return null
  }
}

import type { Finding, RunPlan } from '@shared/domain/approval'
import { declaredNeeds } from '../approvals/needs'
import { plainName, pythonPackages } from '../runs/installed'
import type { Snapshot } from '../skills/store'
import type { SessionDeps } from './deps'

/** Names of files that say what a script needs; larger ones are not looked at. */
const NEEDS_FILE = /(?:^|\/)(?:requirements\.txt|package\.json)$/
const MOST_BYTES = 200_000
const SHOWN = 10

/**
 * What the script says that it needs and a run would not find, before anybody is asked (issue 5, declared needs).
 * Packages are looked for where the run could see them; nothing is started and nothing installed.
 */
export async function needFindings(
  { store }: Pick<SessionDeps, 'store'>,
  plan: RunPlan,
  snapshot: Snapshot,
  scriptText: string | null,
): Promise<Finding[]> {
  const declaring = snapshot.files.filter(({ path, size }) => NEEDS_FILE.test(path) && size <= MOST_BYTES)
  const files = await Promise.all(
    declaring.map(async ({ path }) => ({
      path,
      text: Buffer.from(await store.read(snapshot.digest, path)).toString('utf8'),
    })),
  )
  const scriptPath = plan.script?.path ?? ''
  const needs = declaredNeeds({ scriptPath, scriptText, files })
  if (!needs) return []
  const missing = missingOf(needs.packages, plan, snapshot)
  if (missing.length === 0) return []
  const more = missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : ''
  const names = `${missing.slice(0, SHOWN).join(', ')}${more}`
  return [
    {
      id: 'needs-missing',
      level: 'notable',
      title: 'Needs what is not installed',
      text: `Named in ${needs.source}, and not found for ${plan.interpreter.path}: ${names}. Nothing is installed by itself: install it where the run can see it, then ask again.`,
    },
  ]
}

function missingOf(packages: readonly string[], plan: RunPlan, { files }: Snapshot): string[] {
  if (plan.interpreter.name.startsWith('python')) {
    const known = pythonPackages(plan.interpreter)
    return packages.filter((name) => !known.has(plainName(name)))
  }
  // A script sees the modules of its own skill alone: the project's folder is not above it.
  return packages.filter(
    (name) => !files.some(({ path }) => path.endsWith(`node_modules/${name}/package.json`)),
  )
}

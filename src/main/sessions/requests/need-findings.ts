import type { Finding, RunPlan } from '@shared/domain/approval'
import { declaredNeeds, type DeclaredNeeds } from '../../approvals/needs'
import { plainName, pythonPackages } from '../../runs/installed'
import type { Snapshot } from '../../skills/store/store'
import type { SessionDeps } from '../deps'
import { canBePrepared, keyOf } from './prepared'

/** Names of files that say what a script needs; larger ones are not looked at. */
const NEEDS_FILE = /(?:^|\/)(?:requirements\.txt|package\.json)$/
const MOST_BYTES = 200_000
const SHOWN = 10

/** What a script of a snapshot says that it needs; null: nothing. */
export async function needsOf(
  { store }: Pick<SessionDeps, 'store'>,
  scriptPath: string,
  snapshot: Snapshot,
  scriptText: string | null,
): Promise<DeclaredNeeds | null> {
  const declaring = snapshot.files.filter(({ path, size }) => NEEDS_FILE.test(path) && size <= MOST_BYTES)
  const files = await Promise.all(
    declaring.map(async ({ path }) => ({
      path,
      text: Buffer.from(await store.read(snapshot.digest, path)).toString('utf8'),
    })),
  )
  return declaredNeeds({ scriptPath, scriptText, files })
}

/**
 * What the script says that it needs and a run would not find, before anybody is asked (issue 5, declared needs).
 * Packages are looked for where the run could see them; nothing is started and nothing installed.
 */
export function needFindings(
  { environments }: { environments: Pick<SessionDeps['environments'], 'isKnown'> },
  plan: RunPlan,
  snapshot: Pick<Snapshot, 'files'>,
  needs: DeclaredNeeds | null,
): Finding[] {
  if (!needs) return []
  if (plan.environment) return [preparedFinding(plan.environment)]
  const missing = missingOf(needs.packages, plan, snapshot)
  if (missing.length === 0) return []
  const more = missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : ''
  const names = `${missing.slice(0, SHOWN).join(', ')}${more}`
  const canPrepare = plan.kind === 'script' && canBePrepared(needs, plan)
  const isLost = canPrepare && environments.isKnown(keyOf(plan, needs))
  const lost = isLost ? ' What was prepared for it was changed on disk, so it is not used.' : ''
  const way = canPrepare
    ? 'Prepare them, or install them where the run can see them and ask again.'
    : 'Install it where the run can see it, then ask again.'
  return [
    {
      id: canPrepare ? 'needs-missing' : 'needs-by-hand',
      level: 'notable',
      title: 'Needs what is not installed',
      text: `Named in ${needs.source}, and not found for ${plan.interpreter.path}: ${names}.${lost} Nothing is installed by itself. ${way}`,
    },
  ]
}

function preparedFinding({ packages, digest }: NonNullable<RunPlan['environment']>): Finding {
  const more = packages.length > SHOWN ? ` and ${packages.length - SHOWN} more` : ''
  return {
    id: 'prepared-packages',
    level: 'information',
    title: 'Gets the packages that you let be prepared',
    text: `${packages.slice(0, SHOWN).join(', ')}${more}; read-only, with the digest ${digest.slice(0, 12)}.`,
  }
}

function missingOf(packages: readonly string[], plan: RunPlan, { files }: Pick<Snapshot, 'files'>): string[] {
  if (plan.interpreter.name.startsWith('python')) {
    const known = pythonPackages(plan.interpreter)
    return packages.filter((name) => !known.has(plainName(name)))
  }
  // A script sees the modules of its own skill alone: the project's folder is not above it.
  return packages.filter(
    (name) => !files.some(({ path }) => path.endsWith(`node_modules/${name}/package.json`)),
  )
}

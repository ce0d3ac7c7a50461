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

/** True for a file of a skill that may say what its scripts need. */
export function saysNeeds({ path, size }: { path: string; size: number }): boolean {
  return NEEDS_FILE.test(path) && size <= MOST_BYTES
}

/** What a script of a snapshot says that it needs; null: nothing. */
export async function needsOf(
  { store }: Pick<SessionDeps, 'store'>,
  scriptPath: string,
  snapshot: Snapshot,
  scriptText: string | null,
): Promise<DeclaredNeeds | null> {
  const declaring = snapshot.files.filter(saysNeeds)
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
  const canPrepare = plan.kind === 'script' && canBePrepared(needs, plan)
  const isLost = canPrepare && environments.isKnown(keyOf(plan, needs))
  const way = canPrepare
    ? 'Prepare them, or install them where the run can see them and ask again.'
    : 'Install it where the run can see it, then ask again.'
  return missingFindings(needs, {
    interpreter: plan.interpreter,
    files: snapshot.files,
    canPrepare,
    say: `${isLost ? 'What was prepared for it was changed on disk, so it is not used. ' : ''}Nothing is installed by itself. ${way}`,
  })
}

/** The same before anybody wants to run it: on the page of its skill, where no request stands that it is prepared for. */
export function needFindingsBefore(
  needs: DeclaredNeeds | null,
  interpreter: Program,
  files: readonly { path: string }[],
): Finding[] {
  if (!needs) return []
  const canPrepare = canBePrepared(needs, { interpreter })
  const way = canPrepare
    ? 'Prepare them in the review when a run is asked for, or install them where a run can see them.'
    : 'Install it where a run can see it.'
  return missingFindings(needs, {
    interpreter,
    files,
    canPrepare,
    say: `Nothing is installed by itself. ${way}`,
  })
}

/** Who would run it. */
type Program = Pick<RunPlan['interpreter'], 'name' | 'path' | 'prefixes'>

interface Where {
  interpreter: Program
  /** Of the skill. */
  files: readonly { path: string }[]
  canPrepare: boolean
  /** What can be done. */
  say: string
}

function missingFindings(needs: DeclaredNeeds, { interpreter, files, canPrepare, say }: Where): Finding[] {
  const missing = missingOf(needs.packages, interpreter, files)
  if (missing.length === 0) return []
  const more = missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : ''
  const names = `${missing.slice(0, SHOWN).join(', ')}${more}`
  return [
    {
      id: canPrepare ? 'needs-missing' : 'needs-by-hand',
      level: 'notable',
      title: 'Needs what is not installed',
      text: `Named in ${needs.source}, and not found for ${interpreter.path}: ${names}. ${say}`,
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

function missingOf(
  packages: readonly string[],
  interpreter: Program,
  files: readonly { path: string }[],
): string[] {
  if (interpreter.name.startsWith('python')) {
    const known = pythonPackages(interpreter)
    return packages.filter((name) => !known.has(plainName(name)))
  }
  // A script sees the modules of its own skill alone: the project's folder is not above it.
  return packages.filter(
    (name) => !files.some(({ path }) => path.endsWith(`node_modules/${name}/package.json`)),
  )
}

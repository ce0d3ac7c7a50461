import type { Finding, RunPlan } from '@shared/domain/approval'
import type { DeclaredNeeds } from '../../approvals/needs'
import type { NewRequest } from '../../approvals/broker'
import { AppError } from '@shared/errors'
import { environmentKey, withEnvironment, type PrepareInput } from '../../runs/environments/plan'
import type { Snapshot } from '../../skills/store/store'
import type { SessionDeps } from '../deps'
import { newRequest, type Asked } from './new-request'
import { networkFindings } from './secret-wishes'

/** What a script declares can be prepared: it names packages of a registry, for a program that Satchel knows it of. */
export function canBePrepared(
  { kind, packages, byHand }: DeclaredNeeds,
  { interpreter }: { interpreter: Pick<RunPlan['interpreter'], 'name'> },
): boolean {
  const isKnown = kind === 'python' ? interpreter.name.startsWith('python') : interpreter.name === 'node'
  return isKnown && byHand === null && packages.length > 0
}

/** The plan with the packages that were prepared for exactly this; without, when there are none or they changed. */
export async function withPrepared(
  { environments }: Pick<SessionDeps, 'environments'>,
  plan: RunPlan,
  needs: DeclaredNeeds | null,
): Promise<RunPlan> {
  if (!needs || !canBePrepared(needs, plan)) return plan
  const found = await environments.find(keyOf(plan, needs))
  return found ? withEnvironment(plan, found) : plan
}

/** Under which a run with these needs finds its packages. */
export function keyOf(plan: RunPlan, { kind, specs, file }: DeclaredNeeds): string {
  return environmentKey({ kind, packages: specs, file, of: plan })
}

/**
 * The request to prepare what a script lacks: a run of its own, looked at and allowed like every other (issue 5). `of`
 * is the run that was asked for. Throws `bad_input` where it can't be prepared, and as `planPreparation`.
 */
export async function preparationRequest(
  asked: Asked,
  of: RunPlan,
  needs: DeclaredNeeds | null,
  snapshot: Snapshot,
): Promise<NewRequest> {
  const { deps, call } = asked
  if (!needs || !canBePrepared(needs, of)) {
    throw new AppError(
      'bad_input',
      `These packages can’t be prepared. ${needs?.byHand ?? 'Nothing is named that could be.'} Install them where the run can see them.`,
    )
  }
  const { kind, source, specs, file } = needs
  const input: PrepareInput = {
    kind,
    source,
    packages: specs,
    file,
    lock: kind === 'node' ? lockBeside(file ?? '', snapshot) : null,
    of,
    folder: deps.environments.folderFor(keyOf(of, needs), call.id),
    from: deps.environments.from,
  }
  const plan = await deps.runs.planPreparation(input)
  return newRequest(asked, {
    plan,
    findings: [...networkFindings(plan), packagesFinding(plan)],
    askReason: 'You want the packages that a script names to be prepared.',
    reviewRequired: true,
  })
}

function lockBeside(file: string, { files }: Snapshot): string | null {
  const path = file.replace(/package\.json$/, 'package-lock.json')
  return files.some((other) => other.path === path) ? path : null
}

const SHOWN = 20

function packagesFinding({ prepares }: RunPlan): Finding {
  const { packages = [], source = '' } = prepares ?? {}
  const more = packages.length > SHOWN ? ` and ${packages.length - SHOWN} more` : ''
  const names = `${packages.slice(0, SHOWN).join(', ')}${more}`
  return {
    id: 'fetches-packages',
    level: 'notable',
    title: 'Fetches code of others',
    text: `Named in ${source}: ${names}; and whatever these need. Nobody looked at it. None of it runs now; the script runs it when you allow the script.`,
  }
}

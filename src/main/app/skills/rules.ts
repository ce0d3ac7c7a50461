import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '@shared/domain/settings'
import type { AppDeps } from '../deps'
import type { Db } from '../../db/open'
import { listPins, listSwitches } from '../../db/skill-choice-rows'
import { joinedPath } from '../../lib/joined-path'
import { currentPlace } from '../../policy/place'
import type { PolicyKeeper } from '../../policy/keeper'
import { lockedProjectOverPersonal, POLICY_FILES } from '../../policy/policy'
import type { Policy } from '../../policy/policy-file'
import { whyNotThisSkill } from '../../policy/skill-policy'
import type { PolicySkill } from '../../policy/skill-policy'
import { readProjectSettings } from '../../projects/project-settings'
import type { KnownLogin } from './programs'
import type { Choices } from '../../skills/registry/choices'
import type { RegistryDeps } from '../../skills/registry/registry'
import type { ProjectFolder, ScanInput } from '../../skills/roots/roots'

type Rules = Required<
  Pick<RegistryDeps, 'projectOverPersonal' | 'offReason' | 'pinOf' | 'placeOf' | 'chosen' | 'blocked'>
>

export interface SkillRulesDeps {
  db: Db
  deps: Pick<AppDeps, 'policyDir' | 'env' | 'homeDir' | 'resourcesDir' | 'dataDir'>
  choices: Pick<Choices, 'offReason' | 'pinOf'>
  settings: { get(): Pick<Settings, 'projectOverPersonal' | 'writableTools' | 'interpreters'> }
  /** Null: the login shell is not asked. */
  loginPath: Pick<KnownLogin, 'now'> | null
  isTrusted(projectDir: string): boolean
  policy: PolicyKeeper
}

/** What decides about skills, gathered from settings, choices, policy and project files; and where skills are. */
export function createSkillRules({
  db,
  deps,
  choices,
  settings,
  isTrusted,
  loginPath,
  policy,
}: SkillRulesDeps): Rules & {
  /** Holds the policy, Enterprise skills and agents; null: there is none. */
  policyDir: string | null
  /** True when a file that names tenant or environment is another one than at the last look. */
  placesMoved(projects: readonly ProjectFolder[]): boolean
  /** Files that name tenant or environment, whether they exist or not. */
  placeFiles(projects: readonly ProjectFolder[]): string[]
  /** Reads the policy again. */
  input(projects: readonly ProjectFolder[]): ScanInput
} {
  const { dir } = policy.now()
  const state = { marks: '' }
  return {
    policyDir: dir,
    projectOverPersonal: () =>
      lockedProjectOverPersonal(policy.now().policy) ?? settings.get().projectOverPersonal,
    offReason: choices.offReason,
    blocked: blockedBy(policy),
    pinOf: choices.pinOf,
    chosen: () => new Set([...listSwitches(db.sql), ...listPins(db.sql)].map(({ name }) => name)),
    placeOf(projectDir, agent) {
      const trusted = projectDir !== null && isTrusted(projectDir)
      const project = trusted ? readProjectSettings(projectDir).settings : null
      return { ...currentPlace({ policy: policy.now().policy, env: deps.env, project }), agent }
    },
    placeFiles: (projects) => placeFiles(dir, projects),
    placesMoved(projects) {
      const before = state.marks
      state.marks = placeFiles(dir, projects).map(markOf).join()
      return before !== '' && before !== state.marks
    },
    input(projects) {
      policy.refresh()
      return {
        homeDir: deps.homeDir,
        resourcesDir: deps.resourcesDir,
        dataDir: deps.dataDir,
        policyDir: dir,
        env: deps.env,
        programs: {
          path: joinedPath(deps.env['PATH'] ?? deps.env['Path'] ?? '', loginPath?.now() ?? null),
          chosen: settings.get().interpreters,
        },
        projects: projects.map((project) => ({ dir: project.dir, trusted: project.trusted })),
        writableTools: settings.get().writableTools,
        sources: [],
      }
    },
  }
}

/** The same function as long as the same policy is in force. */
function blockedBy(policy: PolicyKeeper): Rules['blocked'] {
  let known: { policy: Policy | null; blocked: ReturnType<Rules['blocked']> } | null = null
  return () => {
    const { policy: now } = policy.now()
    if (known?.policy !== now || !known) {
      const blocked = now?.skills ? (record: PolicySkill) => whyNotThisSkill(now, record) : null
      known = { policy: now, blocked }
    }
    return known.blocked
  }
}

function placeFiles(policy: string | null, projects: readonly ProjectFolder[]): string[] {
  const trusted = projects.filter(({ trusted }) => trusted)
  return [
    ...(policy === null ? [] : POLICY_FILES.map((name) => join(policy, name))),
    ...trusted.map(({ dir }) => join(dir, '.satchel', 'settings.json')),
  ]
}

function markOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeNs}` : 'none'
}

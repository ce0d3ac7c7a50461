import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@shared/errors'
import { isInside } from '../../main/lib/contain'
import { currentPlace } from '../../main/policy/place'
import { policyInForce } from '../../main/policy/keeper'
import { lockedProjectOverPersonal, policyDir } from '../../main/policy/policy'
import type { PolicyState } from '../../main/policy/policy'
import { whyNotThisSkill } from '../../main/policy/skill-policy'
import { readProjectSettings } from '../../main/projects/project-settings'
import type { ProjectSettings } from '../../main/projects/project-settings'
import type { SkillRecord } from '../../main/skills/record'
import { createRegistry } from '../../main/skills/registry/registry'
import type { Registry } from '../../main/skills/registry/registry'
import type { ScanInput } from '../../main/skills/roots/roots'
import { createScanner } from '../../main/skills/scan/scanner'
import type { Given } from '../grammar/command'
import { readKnownState } from './known-state'
import type { KnownState } from './known-state'
import { displayPath, isFolder, projectOf, realOr, typedPath } from './places'
import { startProgress } from '../terminal/progress'
import { makeScratch, placeTeller, removeScratch } from './unpacked'
import type { ToldPlace } from './unpacked'
import type { World } from '../world'

/** The skills as seen from a folder, looked at once. */
export interface SkillsHere {
  registry: Registry
  /** Null: the folder belongs to no project. */
  projectDir: string | null
  trusted: boolean
  dataDir: string | null
  /** What the data folder tells: settings, chats. */
  state: KnownState
  /** What else a person should know: data that could not be read, a policy that is not used. */
  notes: string[]
  /** Where a skill is, as it is told. */
  placeOf(record: SkillRecord): ToldPlace
  close(): void
}

/**
 * Finds the skills as the app would in the project of `--project` or of the current folder, without its window, its
 * worker thread and its locks. Throws `newer_data`, and `not_found` for a folder that is not there.
 */
export async function openSkillsHere(given: Given, world: World): Promise<SkillsHere> {
  const state = await readKnownState(world)
  const scratch = state.dataDir === null ? makeScratch(world) : null
  const close = () => {
    state.close()
    if (scratch !== null) removeScratch(scratch)
  }
  try {
    const projectDir = projectFolder(given, world, state)
    const known: Known = { state, projectDir, trusted: isTrusted(state, projectDir), scratch }
    const policy = policyInForce(policyDir(world), state.dataDir)
    const project = projectDir !== null && known.trusted ? readProjectSettings(projectDir) : null
    const registry = await lookedAt(world, known, { policy, project: project?.settings ?? null })
    const notes = [state.note, ...policy.notes, settingsNote(project?.note ?? null)].filter(
      (note) => note !== '',
    )
    return {
      registry,
      projectDir,
      trusted: known.trusted,
      dataDir: state.dataDir,
      state,
      notes,
      placeOf: placeTeller(scratch, world),
      close() {
        registry.close()
        close()
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

interface Known {
  state: KnownState
  projectDir: string | null
  trusted: boolean
  /** A folder of this run, for archives, where there is no data folder. */
  scratch: string | null
}

/** The nearest folder that the person opened as a project counts before what a folder looks like. */
export function projectFolder(
  given: Given,
  world: World,
  { projects }: Pick<KnownState, 'projects'>,
): string | null {
  const named = given.values.get('project')
  const start = realOr(named === undefined ? world.cwd : typedPath(world, named))
  if (named !== undefined && !isFolder(start)) {
    throw new AppError(
      'not_found',
      `There is no folder ${displayPath(world, start)}. Name one that is there.`,
    )
  }
  const looks = projectOf(world, start)
  const opened = projects
    .map(({ dir }) => dir)
    .filter((dir) => isInside(dir, start) && (looks === null || isInside(looks, dir)))
    .sort((a, b) => b.length - a.length)[0]
  return opened ?? looks
}

function isTrusted({ projects }: KnownState, projectDir: string | null): boolean {
  return projects.some(({ dir, trusted }) => dir === projectDir && trusted)
}

interface Deciding {
  policy: PolicyState
  /** Of a trusted project. */
  project: ProjectSettings | null
}

function settingsNote(note: string | null): string {
  return note === null ? '' : `.satchel/settings.json of this project: ${note}`
}

async function lookedAt(world: World, known: Known, deciding: Deciding): Promise<Registry> {
  const { state } = known
  const { project } = deciding
  const { policy } = deciding.policy
  const place = currentPlace({ policy, env: world.env, project })
  const progress = startProgress(world, 'Looking at skills')
  const failures: string[] = []
  /** Keys: a skill is told twice, by its name first and then with the rest. */
  const found = new Set<string>()
  const registry = createRegistry({
    scanner: (onDelta) =>
      createScanner({
        indexFile: scanFile(state),
        watch: false,
        onDelta(delta) {
          for (const { key } of delta.upsert) found.add(key)
          progress.tick(found.size)
          onDelta(delta)
        },
        log: {
          info() {},
          warn() {},
          error: (message, error) => failures.push(`${message}: ${String(error)}`),
        },
      }),
    input: () => scanInput(world, known),
    projectOverPersonal: () => lockedProjectOverPersonal(policy) ?? state.settings.projectOverPersonal,
    ...(policy?.skills ? { blocked: () => (record) => whyNotThisSkill(policy, record) } : {}),
    offReason: state.choices.offReason,
    pinOf: state.choices.pinOf,
    placeOf: (_dir, agent) => ({ ...place, agent }),
    onChange() {},
  })
  await registry.refresh()
  progress.end()
  if (failures.length === 0) return registry
  registry.close()
  throw new AppError('internal', `The skills could not be looked at: ${failures.join('; ')}`)
}

/** What an earlier look kept is used where it is there; nothing is made. */
function scanFile({ dataDir }: KnownState): string | null {
  const file = dataDir === null ? null : join(dataDir, 'scan.db')
  return file !== null && existsSync(file) ? file : null
}

function scanInput(world: World, known: Known): ScanInput {
  const { root, homeDir, env } = world
  const { state, projectDir, trusted, scratch } = known
  return {
    homeDir,
    resourcesDir: join(root, 'resources'),
    dataDir: state.dataDir ?? scratch ?? join(homeDir, '.satchel'),
    policyDir: policyDir(world),
    env,
    programs: { path: env['PATH'] ?? env['Path'] ?? '', chosen: state.settings.interpreters },
    projects: projectDir === null ? [] : [{ dir: projectDir, trusted }],
    writableTools: state.settings.writableTools,
    sources: [],
  }
}

import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings, WindowState } from '@shared/domain/settings'
import type { AppEvent } from '@shared/events'
import type { AppContract } from '@shared/ipc/contract'
import type { Handlers } from '@shared/ipc/define'
import type { Agents } from './agents/registry'
import { createAgentFiles } from './app/agents/files'
import { createBase, databaseFile, type Base } from './app/base'
import type { AppDeps } from './app/deps'
import { createAppArranging } from './app/arranging/service'
import type { Arranging } from './arranging/service'
import { createOwnChanges } from './app/arranging/record'
import { createBroker } from './approvals/broker'
import { createRules } from './approvals/rules/rules'
import { refuseWhenClosing } from './app/closing'
import { openOrStartFresh, type OpenedDb } from './db/damage'
import { takeLease } from './db/lease'
import { SCHEMA_VERSION } from './db/migrate'
import { livingPrograms, registerProgram, type Program } from './db/programs'
import { refuseNewer } from './db/version'
import { followRequestTime } from './app/follow-time'
import { createSkillEditing } from './app/editor/parts'
import { createHandlers, type Parts } from './handlers'
import { moveAnchor, verifyAtStart } from './app/record'
import { makeDataFolder } from './lib/data-folder'
import { faultPoint } from './lib/fault-point'
import { createPractice } from './llm/practice'
import { isModelReady } from './llm/models'
import { createNetworkFetch } from './llm/network-fetch'
import { createLlm } from './llm/stream'
import { blockedBytes, guardedStore, policyGrounds } from './app/policy/gate'
import { allowedProviders } from './app/policy/providers'
import { createMcpServers } from './app/mcp-servers'
import { createProjects } from './projects/projects'
import { allowedHosts, createAroundRuns } from './app/runs/parts'
import { createRuns } from './runs/service'
import type { SessionDeps } from './sessions/deps'
import { createLive } from './sessions/history/live'
import { createOwner } from './sessions/turn/owner'
import { recoverLeft } from './sessions/turn/recover'
import { createSessions, type Sessions } from './sessions/service'
import { createSkillBodies } from './sessions/instructions/skill-bodies'
import { createWorkspaces } from './sessions/workspace'
import { runChoices } from './app/runs/choices'
import { tellingOthersChanges } from './app/shared-data'
import { noticesOfStart } from './app/start-notices'
import { followSkills } from './app/skills/record-changes'
import { createVersionKeeper } from './app/skill-page/versions'
import { createSkillState } from './app/skills/state'
import { createTrials } from './app/trials/trials'
import { createTrialSkills } from './app/trials/trial-skills'
import { scannerInWorker } from './app/skills/scan'
import { followLogin } from './app/skills/programs'
import { createSkillRules } from './app/skills/rules'
import { problemsBeside } from './app/skills/together'
import { createChoices } from './skills/registry/choices'
import { createRegistry } from './skills/registry/registry'
import type { Registry } from './skills/registry/registry'
import type { Undo } from './undo/service'

/** The whole app without a window: Electron, the tests and the command are windows onto it. */
export interface App {
  handlers: Handlers<AppContract>
  /** Sends an event to every open window. */
  emit(event: AppEvent): void
  /** What a quit would end. */
  running(): { runs: number; sessions: number }
  /** Ends a request that nobody is there to answer; no page can do that. */
  expireRequest(requestId: string, why: string): Promise<void>
  windowState: { get(): WindowState | null; set(state: WindowState): void }
  themePreference(): Settings['theme']
  /** Stops runs and turns, keeps what waits, closes the database. */
  close(): Promise<void>
}

/** Opens the data, brings back what an earlier end left behind, and wires everything. Nothing is run by itself. */
export async function createApp(deps: AppDeps): Promise<App> {
  refuseNewer(databaseFile(deps), SCHEMA_VERSION)
  makeDataFolder(deps.dataDir)
  const lease = deps.ownsData ? takeLease(join(deps.dataDir, 'window.lock')) : null
  let opened: OpenedDb | undefined
  let program: Program | undefined
  const end = () => {
    program?.release()
    lease?.release()
  }
  try {
    const programs = join(deps.dataDir, 'programs')
    opened = openOrStartFresh(databaseFile(deps), deps.now, () => livingPrograms(programs).length === 0)
    faultPoint('start.data-open')
    program = registerProgram(programs, deps.ownsData ? 'window' : 'command')
    const app = await build(deps, opened, program)
    return { ...app, close: () => app.close().finally(end) }
  } catch (error) {
    opened?.db.close()
    end()
    throw error
  }
}

async function build(deps: AppDeps, { db, movedTo }: OpenedDb, program: Program): Promise<App> {
  if (movedTo !== null) moveAnchor(deps, movedTo)
  const base = { ...createBase(deps, db), owner: createOwner({ db, program, now: deps.now, log: deps.log }) }
  const skills = createSkills(base)
  const agents = createAgentFiles(base, skills)
  const runs = createScriptRuns(base)
  const around = createAroundRuns({ ...base, program }, runs)
  const providers = allowedProviders(base)
  const { mcp, mcpKeys } = createMcpServers(base)
  const sessionDeps = createSessionDeps(base, { ...skills, ...around, agents, providers, mcp })
  await recoverAtStart(sessionDeps, around.undo, skills.arranging)
  const sessions = createSessions(sessionDeps)
  const trials = createTrials({ ...sessionDeps, ...skills, sessions })
  if (deps.ownsData) await trials.collect()
  followEvents(base, sessions, agents)
  await Promise.all([firstLook(base, skills.registry), runs.probe()])
  const parts: Parts = {
    ...base,
    ...skills,
    ...around,
    agents,
    providers,
    mcp,
    mcpKeys,
    sessions,
    trials,
    broker: sessionDeps.broker,
    sessionDeps,
    startNotices: noticesOfStart(deps, { movedTo, rules: sessionDeps.rules }),
  }
  const shared = {
    ...parts,
    placesMoved: skills.placesMoved,
    placeFiles: skills.placeFiles,
    log: deps.log,
    left: base.owner.left,
    recoverLeft: () => recoverLeft(sessionDeps),
  }
  if (deps.ownsData) void verifyAtStart(base.worker, deps, base.events.emit)
  const { broker } = sessionDeps
  const endTime = followRequestTime({ ...base, ...deps, broker, expire: sessions.expire })
  const closing = { yes: false }
  return {
    handlers: refuseWhenClosing(tellingOthersChanges(shared, createHandlers(parts)), closing),
    emit: base.events.emit,
    running: () => ({ runs: runs.running(), sessions: sessions.running() }),
    expireRequest: sessions.expire,
    windowState: base.settings.windowState,
    themePreference: () => base.settings.get().theme,
    close() {
      closing.yes = true
      endTime()
      return close({ ...parts, keeper: base.keeper })
    },
  }
}

function followEvents({ deps, events }: Base, sessions: Sessions, agents: Agents): void {
  const notSettled = (error: unknown) => deps.log.error('what waits was not held against the rules', error)
  events.on((event) => {
    if (event.t === 'skills.changed') sessions.skillsChanged()
    if (event.t === 'agents.changed') sessions.agentsChanged()
    if (event.t === 'projects.changed') agents.refresh()
    // Another policy may deny what waits; none allows it.
    if (event.t === 'settings.changed') void sessions.settleByRules(false).catch(notSettled)
  })
}

/** What runs changed that an earlier start did not see the end of is found out while the window opens. */
async function recoverAtStart(sessionDeps: SessionDeps, undo: Undo, arranging: Arranging): Promise<void> {
  faultPoint('start.before-recovery')
  await recoverLeft(sessionDeps)
  await arranging.recover()
  await sessionDeps.environments.sweep(sessionDeps.owner.isAlone())
  faultPoint('start.after-recovery')
  void undo.recover()
}

/** Names and descriptions; what takes longer goes on in the worker. */
async function firstLook(base: Base, registry: Registry): Promise<void> {
  void registry.refresh()
  await registry.listed()
  void followLogin(base, registry)
}

/** Registry and projects know each other: trust decides what counts, and what is found tells what trust means. */
function createSkills(base: Omit<Base, 'owner'>) {
  const { deps, db, audit, events, policy, store, worker } = base
  const choices = createChoices({ db, audit, changed: () => registry.decide() })
  const rules = createSkillRules({ ...base, choices, isTrusted: (dir) => projects.isTrusted(dir) })
  const registry = createRegistry({
    ...rules,
    scanner: (onDelta) => scannerInWorker(worker, onDelta),
    projects: () => projects.rows(),
    input: () => rules.input(projects.rows()),
    onChange() {
      together.changed()
      skills.changed()
      skillChanges.soon()
      // What a project brings, and whether its folder is there.
      events.emit({ t: 'projects.changed' })
    },
  })
  const projects = createProjects({
    db,
    audit,
    homeDir: deps.homeDir,
    dataDir: deps.dataDir,
    skillsOf: (dir) => registry.list(dir).filter(({ record }) => record.projectDir === dir).length,
    changed: () => lookAgain(registry, events),
    now: deps.now,
  })
  const trialSkills = createTrialSkills({ dataDir: deps.dataDir, registry, store })
  const skills = createSkillState({
    ...base,
    registry: trialSkills.seenBy(registry),
    ...deps,
    emit: events.emit,
  })
  const together = problemsBeside({ worker, registry })
  const own = createOwnChanges()
  const editor = createSkillEditing({ ...base, registry, isTrusted: projects.isTrusted })
  const arranging = createAppArranging({ ...editor, deps, audit, registry, projects, policy, events, own })
  const versions = createVersionKeeper({ db, store, now: deps.now })
  const follow = { ...base, log: deps.log, registry, takeOwn: own.take, versions }
  const skillChanges = followSkills({ ...follow, on: deps.ownsData === true })
  return {
    registry,
    projects,
    skills,
    choices,
    ...editor,
    trialSkills,
    arranging,
    beside: together.of,
    placesMoved: () => rules.placesMoved(projects.rows()),
    placeFiles: () => rules.placeFiles(projects.rows()),
    agentRules: rules,
  }
}

/** Another project, or another trust in one. */
async function lookAgain(registry: Registry, events: Pick<Base['events'], 'emit'>): Promise<void> {
  await registry.refresh()
  events.emit({ t: 'projects.changed' })
  events.emit({ t: 'skills.changed' })
}

function createScriptRuns(base: Base) {
  const { deps, db, audit, events, loginPath, owner, policy, settings, store, secrets } = base
  return createRuns({
    db,
    dataDir: deps.dataDir,
    env: deps.env,
    ...(loginPath ? { loginPath: loginPath.ask, gitEnv: loginPath.git } : {}),
    ...runChoices(settings),
    allowedHosts: () => allowedHosts(policy),
    snapshotDir: store.dir,
    verifySnapshot: store.verify,
    secretValues: secrets.values,
    heldSecrets: secrets.held,
    audit: audit.append,
    now: deps.now,
    log: deps.log,
    changed: (runId) => events.emit({ t: 'runs.changed', runId }),
    notice: (message) => events.emit({ t: 'notice', level: 'warning', message }),
    usedElsewhere: owner.isElsewhere,
    runAsRoot: process.getuid?.() === 0,
  })
}

type SkillParts = ReturnType<typeof createSkills> &
  Pick<Parts, 'agents' | 'environments' | 'mcp' | 'runs' | 'undo' | 'hosts' | 'providers'>

function createSessionDeps(base: Base, parts: SkillParts): SessionDeps {
  const { deps, db, audit, events, policy, settings, store } = base
  const whyBlocked = blockedBytes(policy)
  const { log, now } = deps
  const network = createNetworkFetch({ fetch: deps.fetch, env: deps.env, choices: settings.get })
  const practice = createPractice({
    log,
    ...(deps.practiceDir === undefined ? {} : { dir: deps.practiceDir }),
  })
  return {
    db,
    audit,
    agents: parts.agents,
    broker: createBroker({ db, audit, now }),
    rules: createRules({ db, audit, now, policy: () => policyGrounds(policy.now().policy) }),
    ignoresRules: deps.command?.ignoresRules,
    registry: parts.trialSkills.seenBy(parts.registry),
    whyBlocked,
    store: guardedStore(store, audit, whyBlocked),
    snapshots: parts.skills.reader,
    runs: parts.runs,
    environments: parts.environments,
    undo: parts.undo,
    secrets: base.secrets,
    hosts: parts.hosts,
    llm: createLlm({ providers: parts.providers, practice, fetch: network, log }),
    mcp: parts.mcp,
    isModelReady: (model) => isModelReady(parts.providers, model),
    live: createLive(log),
    inTurn: new Set(),
    owner: base.owner,
    bodies: createSkillBodies(store),
    currentDigest: parts.skills.currentDigest,
    settings: settings.get,
    workspaceOf: createWorkspaces(deps.dataDir),
    givenStyle: deps.command?.style ?? undefined,
    hiddenFolders: [realpathSync(deps.dataDir)],
    writingDir: join(deps.dataDir, 'writing'),
    isTrusted: parts.projects.isTrusted,
    emit: events.emit,
    now,
    log,
  }
}

type Closing = Parts & Pick<Base, 'keeper'>

/** Runs are told first, so that their turns see them end as interrupted; the database closes last. */
async function close(parts: Closing): Promise<void> {
  const { agents, keeper, mcp, registry, runs, sessions, undo, worker, db } = parts
  registry.close()
  agents.close()
  faultPoint('quit.before-stop')
  await Promise.allSettled([runs.close(), sessions.close()])
  await mcp.close()
  await undo.close()
  faultPoint('quit.before-close')
  await worker.close()
  keeper.close()
  db.close()
}

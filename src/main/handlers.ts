import { runPlanOf } from '@shared/domain/approval'
import { AppError } from '@shared/errors'
import type { AppEvent } from '@shared/events'
import type { AppContract } from '@shared/ipc/contract'
import type { Handlers } from '@shared/ipc/define'
import { agentSwitches } from './app/agents/switches'
import { agentPath, agentViews } from './app/agents/views'
import { approvalHandlers } from './handlers/approvals'
import { arrangingHandlers } from './handlers/arranging'
import type { Arranging } from './arranging/service'
import { agentNames } from './agents/registry'
import type { Agents } from './agents/registry'
import { agentsTrustReview } from './agents/trust-review'
import type { AppDeps } from './app/deps'
import { exportRecord } from './app/audit-export'
import { editorHandlers } from './app/editor/parts'
import type { EditingService } from './editing/service'
import type { AuthorMode } from './approvals/rules/author'
import type { Broker } from './approvals/broker'
import type { Audit } from './audit/audit'
import type { Db } from './db/open'
import type { Emitter } from './lib/emitter'
import type { Providers } from './llm/provider-settings'
import type { McpKeys } from './mcp/keys'
import type { Mcp } from './mcp/servers'
import { done, type Part } from './handlers/part'
import { mcpHandlers } from './handlers/mcp'
import type { PolicyKeeper } from './policy/keeper'
import { organisationOf } from './policy/skill-policy'
import type { Projects } from './projects/projects'
import type { Runs } from './runs/service'
import type { WorkerClient } from './search/worker-client'
import { catalogueFor } from './sessions/instructions/catalogue-view'
import { instructionsName } from './sessions/instructions/project-instructions'
import type { SessionDeps } from './sessions/deps'
import type { Sessions } from './sessions/service'
import type { SettingsStore } from './settings/settings'
import { projectFindings } from './app/skills/project-findings'
import type { Environments } from './runs/environments/service'
import type { HostGrants } from './settings/host-grants'
import type { SecretStore } from './settings/secrets'
import type { SkillState } from './app/skills/state'
import type { ProblemsBeside } from './app/skills/together'
import { settingHandlers } from './handlers/settings'
import { skillPageHandlers } from './handlers/skill-page'
import { isManaged, refuseEnterprise, type Choices } from './skills/registry/choices'
import { createSkillViews } from './skills/registry/detail'
import type { Registry } from './skills/registry/registry'
import type { Store } from './skills/store/store'
import type { Trials } from './app/trials/trials'
import { scriptPaths, trustReview } from './skills/registry/trust-review'
import type { Undo } from './undo/service'

export interface Parts {
  agents: Agents
  arranging: Arranging
  deps: AppDeps
  db: Db
  /** Problems that a skill has only beside others. */
  beside: ProblemsBeside
  broker: Broker
  choices: Choices
  author: AuthorMode
  editing: EditingService
  events: Emitter<AppEvent>
  audit: Audit
  mcp: Mcp
  mcpKeys: McpKeys
  policy: PolicyKeeper
  projects: Projects
  providers: Providers
  registry: Registry
  runs: Runs
  secrets: SecretStore
  hosts: HostGrants
  environments: Environments
  sessionDeps: SessionDeps
  sessions: Sessions
  settings: SettingsStore
  skills: SkillState
  store: Store
  trials: Trials
  undo: Undo
  worker: WorkerClient
  /** What every page must know of this start; events themselves are not kept. */
  startNotices: readonly AppEvent[]
}

/** The contract, line by line; no logic here. */
export function createHandlers(parts: Parts): Handlers<AppContract> {
  return {
    ...skillHandlers(parts),
    ...skillPageHandlers(parts),
    ...arrangingHandlers(parts),
    ...projectHandlers(parts),
    'agents.list': ({ projectDir }) => agentViews(parts, projectDir),
    'agents.reveal': async ({ projectDir, ...file }) =>
      done(await parts.deps.desktop.reveal(agentPath(parts.agents.list(projectDir), file))),
    ...sessionHandlers(parts),
    ...contextHandlers(parts),
    ...approvalHandlers(parts),
    ...auditHandlers(parts),
    ...settingHandlers(parts),
    ...mcpHandlers(parts),
    ...editorHandlers({ ...parts, isTrusted: parts.projects.isTrusted }),
    ...secretHandlers(parts),
    ...hostHandlers(parts),
    'environments.list': () => parts.environments.list(),
    'environments.remove': async ({ id }) => done(await parts.environments.remove(id)),
    events: (_input, signal) => startingWith(parts.startNotices, parts.events.stream(signal)),
  }
}

async function* startingWith<T>(first: readonly T[], then: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first
  yield* then
}

function skillViews({ agents, ...parts }: Pick<Parts, 'agents' | 'beside' | 'registry' | 'store'>) {
  return createSkillViews({ ...parts, agentNames: (projectDir) => agentNames(agents, projectDir) })
}

function skillHandlers({
  agents,
  beside,
  choices,
  deps,
  events,
  policy,
  registry,
  sessionDeps,
  store,
  worker,
}: Parts): Part<'skills'> {
  const organisation = () => organisationOf(policy.now().policy)
  const views = skillViews({ agents, beside, registry, store })
  const chosen = (): Record<string, never> => {
    events.emit({ t: 'skills.changed' })
    return {}
  }
  return {
    'skills.watch': ({ projectDir }, signal) => registry.watch(projectDir, signal),
    'skills.get': ({ projectDir, key }) => views.detail(projectDir, key),
    'skills.rescan': async () => done(await registry.refresh()),
    'skills.revealRoot': async ({ projectDir, location }) =>
      done(await deps.desktop.reveal(rootDir(registry, projectDir, location))),
    'skills.openTerminal': async ({ projectDir, location }) =>
      done(await deps.desktop.openTerminal(rootDir(registry, projectDir, location))),
    'skills.compare': async ({ projectDir, left, right }) => views.compare(projectDir, left, right),
    'skills.readFile': ({ projectDir, key, path }) => views.readFile(projectDir, key, path),
    'skills.argumentHints': ({ projectDir, keys }) => views.argumentHints(projectDir, keys),
    'skills.use': () => worker.call('skills.use', { now: deps.now() }),
    'skills.catalogue': ({ projectDir, sessionId }) => catalogueFor(sessionDeps, projectDir, sessionId),
    'skills.search': async ({ projectDir, query }) => {
      const hits = await worker.searchSkills(query)
      return hits.filter(({ key }) => registry.get(projectDir, key) !== null)
    },
    'skills.agentSwitches': ({ projectDir, name }) => agentSwitches({ agents, choices }, projectDir, name),
    'skills.switch': ({ projectDir, name, agent, on }) => {
      if (!on) refuseEnterprise(registry.copies(projectDir, name), organisation())
      choices.switch(name, { projectDir, agent: agent ?? null }, on)
      return chosen()
    },
    'skills.switchMany': ({ projectDir, names, on }) => {
      const managed = on ? [] : names.filter((name) => isManaged(registry.copies(projectDir, name)))
      const refused = new Set(managed)
      choices.switchMany(
        names.filter((name) => !refused.has(name)),
        { projectDir, agent: null },
        on,
      )
      chosen()
      return { refused: managed }
    },
    'skills.pin': ({ projectDir, name, key }) => {
      if (key !== null) refuseEnterprise(registry.copies(projectDir, name), organisation())
      choices.pin(projectDir, name, key)
      return chosen()
    },
  }
}

function rootDir(registry: Registry, projectDir: string | null, location: string): string {
  const dir = registry.rootDir(projectDir, location)
  if (dir === null) throw new AppError('not_found', `${location} is not searched for skills any more.`)
  return dir
}

function projectHandlers(parts: Parts): Part<'projects' | 'desktop'> {
  const { agents, deps, projects, registry } = parts
  const views = skillViews(parts)
  return {
    'projects.list': () => projects.list(),
    'projects.open': ({ dir }) => projects.open(dir),
    'projects.review': async ({ dir }) => ({
      ...(await reviewedSkills(registry, dir)),
      agents: agentsTrustReview(agents.list(dir, { trusted: false }), agents.list(dir, { trusted: true })),
      instructions: await instructionsName(dir),
    }),
    'projects.trust': ({ dir, trusted }) => projects.trust(dir, trusted),
    'desktop.pickFolder': async () => ({ dir: await deps.desktop.pickFolder() }),
    'desktop.openExternal': async ({ url }) => done(await deps.desktop.openExternal(url)),
    'desktop.hasTerminal': () => ({ found: deps.desktop.hasTerminal() }),
    'desktop.reveal': async ({ key }) => done(await deps.desktop.reveal(views.folderOf(key))),
  }
}

/** The skills of a project with what the fixed rules say of their scripts. */
async function reviewedSkills(registry: Registry, dir: string) {
  const rules = registry.rules(dir)
  const review = trustReview({ dir, records: registry.all(), rules, scriptsOf: scriptPaths })
  const skills = review.skills.flatMap(({ key, scripts }) => {
    const record = registry.record(key)
    return record ? [{ record, scripts }] : []
  })
  return { ...review, ...(await projectFindings(skills)) }
}

function sessionHandlers({ events, projects, runs, sessions, undo }: Parts): Part<'sessions' | 'runs'> {
  return {
    'sessions.list': () => sessions.list(),
    'sessions.create': async ({ projectDir, model, agent }) => {
      const dir = projectDir === null ? null : (await projects.open(projectDir)).dir
      return sessions.prepare(sessions.create({ projectDir: dir, model, agent }).id)
    },
    'sessions.setAgent': async ({ sessionId, name }) => done(await sessions.setAgent(sessionId, name)),
    'sessions.takeNewAgent': async ({ sessionId }) => done(await sessions.takeNewAgent(sessionId)),
    'sessions.confirmTools': ({ sessionId }) => done(sessions.confirmTools(sessionId)),
    'sessions.setMode': async ({ sessionId, mode }) => done(await sessions.setMode(sessionId, mode)),
    'sessions.pauseAll': async () => ({ paused: await sessions.pauseAll() }),
    'sessions.rename': ({ sessionId, title }) => done(sessions.rename(sessionId, title)),
    'sessions.delete': async ({ sessionId }) => done(await sessions.remove(sessionId)),
    'sessions.send': ({ sessionId, text }) => sessions.send(sessionId, text),
    'sessions.edit': async ({ sessionId, messageId, text }) => ({
      messageId: await sessions.edit(sessionId, messageId, text),
    }),
    'sessions.retry': async ({ sessionId, messageId }) => done(await sessions.retry(sessionId, messageId)),
    'sessions.showBranch': async ({ sessionId, messageId }) =>
      done(await sessions.showBranch(sessionId, messageId)),
    'sessions.unqueue': ({ sessionId, messageId }) => done(sessions.unqueue(sessionId, messageId)),
    'sessions.stop': async ({ sessionId, force }) => done(await sessions.stop(sessionId, force)),
    'sessions.compact': async ({ sessionId }) => done(await sessions.compact(sessionId)),
    'sessions.resume': ({ sessionId }) => done(sessions.resume(sessionId)),
    'sessions.setDraft': ({ sessionId, text }) => done(sessions.setDraft(sessionId, text)),
    'sessions.setModel': ({ sessionId, model }) => done(sessions.setModel(sessionId, model)),
    'sessions.chooseModel': ({ sessionId, ...said }) => done(sessions.chooseModel(sessionId, said)),
    'sessions.loadSkill': async ({ sessionId, name }) => done(await sessions.loadSkill(sessionId, name)),
    'sessions.runScript': async ({ sessionId, input }) => done(await sessions.runScript(sessionId, input)),
    'sessions.unloadSkill': async ({ sessionId, name }) => done(await sessions.unloadSkill(sessionId, name)),
    'sessions.watch': ({ sessionId, endFirst }, signal) => sessions.watch(sessionId, signal, endFirst),
    'sessions.page': ({ sessionId, before }) => sessions.page(sessionId, before),
    'runs.get': ({ runId }) => runs.get(runId),
    'runs.testSandbox': async () => {
      await runs.probe(true)
      events.emit({ t: 'settings.changed' })
      return {}
    },
    'runs.interpreters': () => runs.interpreters(),
    'runs.input': async ({ runId, data }) => done(await runs.input(runId, data)),
    'runs.resize': async ({ runId, cols, rows }) => done(await runs.resize(runId, cols, rows)),
    'runs.kill': async ({ runId, force }) => done(await runs.kill(runId, force)),
    'runs.changes': ({ runId }) => undo.view(runId),
    'runs.changeTexts': ({ setId, n }) => undo.texts(setId, n),
    'runs.undo': ({ setId, files }) => undo.undo({ setId, files }),
    'runs.continueUndo': ({ setId }) => undo.goOn(setId),
    'runs.output': ({ runId, from, answers }, signal) => runs.output(runId, from, signal, answers),
  }
}

function contextHandlers({ sessions: { contexts } }: Parts): Part<'context'> {
  return {
    'context.list': ({ sessionId }) => contexts.list(sessionId),
    'context.get': ({ sessionId, number }) => contexts.get(sessionId, number),
    'context.message': async ({ sessionId, number, index }) => ({
      text: await contexts.message(sessionId, number, index),
    }),
  }
}

function secretHandlers({ broker, secrets, sessions }: Parts): Part<'secrets'> {
  return {
    'secrets.list': () => secrets.list(),
    'secrets.save': (input) => done(secrets.save(input)),
    'secrets.delete': ({ name }) => done(secrets.remove(name)),
    'secrets.grant': async ({ name, requestId }) => {
      const row = broker.get(requestId)
      const skill = row && runPlanOf(row.plan)?.skill
      if (!skill) throw new AppError('not_found', 'This request does not exist any more.')
      secrets.grant({ name, skillKey: skill.key, skillName: skill.name, treeDigest: skill.treeDigest })
      return done(await sessions.renew(requestId))
    },
    'secrets.revoke': ({ name, skillKey }) => done(secrets.revoke(name, skillKey)),
  }
}

function hostHandlers({ broker, hosts, sessions }: Parts): Part<'hosts'> {
  return {
    'hosts.list': () => hosts.list(),
    'hosts.grant': async ({ host, requestId }) => {
      const row = broker.get(requestId)
      const plan = row && runPlanOf(row.plan)
      if (!plan?.skill) throw new AppError('not_found', 'This request does not exist any more.')
      const { key, name, treeDigest } = plan.skill
      if (!hosts.wishes(key, treeDigest, plan.sandbox.hostsAsked ?? []).some((wish) => wish.host === host)) {
        throw new AppError('bad_input', 'The skill does not ask for this host.')
      }
      hosts.grant({ host, skillKey: key, skillName: name, treeDigest })
      return done(await sessions.renew(requestId))
    },
    'hosts.revoke': ({ host, skillKey }) => done(hosts.revoke(host, skillKey)),
  }
}

function auditHandlers({ audit, deps, worker }: Parts): Part<'audit'> {
  return {
    'audit.query': (query) => worker.call('audit.query', query),
    'audit.summary': (query) => worker.call('audit.summary', query),
    'audit.entry': (query) => worker.call('audit.entry', query),
    'audit.verify': (query) => worker.call('audit.verify', query),
    'audit.export': (query) => exportRecord({ audit, desktop: deps.desktop, worker, now: deps.now }, query),
  }
}
